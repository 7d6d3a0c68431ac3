/**
 * Cleans up after a deleted definition: its objects are deleted, its status says how far that is,
 * and it goes with the last of them (src/types/README.md#definitions).
 */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import type { Link } from '../../actors/link.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import {
  CLEANUP_FINALIZER,
  terminatingStatus,
  type CleanUp,
} from '../../resources/apiextensions/definition-terminating.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { getDefinition, sayStatus } from './stored-definitions.ts';
import type { TypeCalls } from './type-protocol.ts';

export interface DefinitionCleanUpsOptions {
  readonly definitions: ShardObjects;
  readonly types: Link<TypeCalls, Record<never, never>>;
  /** Runs something after a while, unless the controller stops. */
  readonly later: (work: () => void) => void;
  readonly isStopping: () => boolean;
  /** The time as statuses say it. */
  readonly now: () => string;
  readonly logError: (text: string) => void;
}

interface Going {
  readonly uid: string;
  /** The state of the definition for which its type is served; '' where it is not. */
  readonly served: string;
}

export class DefinitionCleanUps {
  readonly #options: DefinitionCleanUpsOptions;
  /** Uids of those that are under way. */
  readonly #underWay = new Set<string>();

  constructor(options: DefinitionCleanUpsOptions) {
    this.#options = options;
  }

  /** Goes on by itself until the definition has been let go, or somebody else holds it. */
  begin(name: string, going: Going, definition: CustomResourceDefinition): void {
    const { later, isStopping, logError } = this.#options;
    const isHeld = definition.metadata.finalizers?.includes(CLEANUP_FINALIZER) === true;
    if (this.#underWay.has(going.uid) || !isHeld) return;
    this.#underWay.add(going.uid);
    const again = (): void => void this.#again(name, going);
    this.#step(name, going).then(
      (isDone) => {
        if (isDone) this.#underWay.delete(going.uid);
        else later(again);
      },
      (error: unknown) => {
        const isLate = isRefusal(error, 409) || isRefusal(error, 404);
        if (!isLate && !isStopping()) {
          logError(`the clean-up of ${name}: ${(error as Error).message}`);
        }
        later(again);
      },
    );
  }

  async #again(name: string, going: Going): Promise<void> {
    const { definitions, isStopping } = this.#options;
    this.#underWay.delete(going.uid);
    const definition = await getDefinition(definitions, name).catch(() => undefined);
    if (definition?.metadata.uid !== going.uid || isStopping()) return;
    this.begin(name, going, definition);
  }

  /** True once the definition has been let go. */
  async #step(name: string, going: Going): Promise<boolean> {
    const { types } = this.#options;
    if (going.served === '') return this.#letGo(name, going, { step: 'neverEstablished' });
    await this.#tell(name, going, { step: 'inProgress' });
    const { remaining, problems } = await types.call('emptyType', { name });
    if (problems.length > 0) {
      await this.#tell(name, going, { step: 'deleteFailed', problems });
      return false;
    }
    if (remaining > 0) {
      await this.#tell(name, going, { step: 'objectsLeft' });
      return false;
    }
    return this.#letGo(name, going, { step: 'completed' });
  }

  /** One write, through the status: what clients said wrongly of the rest does not hold it up. */
  async #letGo(name: string, going: Going, cleanUp: CleanUp): Promise<boolean> {
    await this.#tell(name, going, cleanUp, ({ metadata, ...others }) => {
      const finalizers = metadata.finalizers?.filter((one) => one !== CLEANUP_FINALIZER);
      return { ...others, metadata: { ...metadata, finalizers } };
    });
    return true;
  }

  async #tell(
    name: string,
    { uid }: Going,
    cleanUp: CleanUp,
    changed = (definition: CustomResourceDefinition) => definition,
  ): Promise<void> {
    const { definitions, now } = this.#options;
    const definition = await getDefinition(definitions, name);
    if (definition?.metadata.uid !== uid) return;
    const status = terminatingStatus(definition.status ?? {}, cleanUp, now());
    await sayStatus(definitions, changed(definition), status);
  }
}
