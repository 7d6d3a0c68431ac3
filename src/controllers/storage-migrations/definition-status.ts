/** Tells definitions of migrations of their objects, and when these have left old versions. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';

const API_VERSION = ownGroupVersion('apiextensions.cluster.io/v1');
const MIGRATING = 'StorageMigrating';
type Definition = CustomResourceDefinition & ApiObject;

export class DefinitionStatus {
  readonly #definitions: ShardObjects;
  readonly #now: () => string;

  /** `definitions` writes as the controller; `now` gives the time of what is told. */
  constructor(definitions: ShardObjects, now: () => string) {
    this.#definitions = definitions;
    this.#now = now;
  }

  /** Whether a definition has that name. */
  async has(name: string): Promise<boolean> {
    return (await this.#get(name)) !== undefined;
  }

  /** Tells that a migration of that name has begun. Nothing without such a definition. */
  async began(name: string, migration: string): Promise<void> {
    const definition = await this.#get(name);
    if (definition === undefined) return;
    const told = { reason: 'MigrationRunning', message: `Migration ${migration} is running` };
    await this.#tell(definition, 'True', told);
  }

  /** Tells that it has ended; old versions are forgotten where the definition is still the same. */
  async ended(name: string, hasSucceeded: boolean): Promise<void> {
    const definition = await this.#get(name);
    if (definition === undefined) return;
    const { conditions = [] } = definition.status ?? {};
    const told = conditions.find(({ type }) => type === MIGRATING);
    const isSame = told?.observedGeneration === definition.metadata.generation;
    const stored = definition.spec?.versions?.find(({ storage }) => storage === true)?.name;
    const forgets = isSame && stored !== undefined;
    await this.#tell(definition, 'False', outcome(hasSucceeded, forgets), forgets ? [stored] : []);
  }

  #get(name: string): Promise<Definition | undefined> {
    return this.#definitions.get<Definition>({ namespace: '', name });
  }

  async #tell(
    { metadata }: Definition,
    status: 'True' | 'False',
    told: { readonly reason: string; readonly message: string },
    storedVersions: readonly string[] = [],
  ): Promise<void> {
    const { name = '', resourceVersion, generation } = metadata;
    const condition = {
      type: MIGRATING,
      status,
      lastTransitionTime: this.#now(),
      ...told,
      observedGeneration: generation,
    };
    const applied = {
      apiVersion: API_VERSION,
      kind: 'CustomResourceDefinition',
      metadata: { name, resourceVersion },
      status: { conditions: [condition], ...(storedVersions.length > 0 && { storedVersions }) },
    };
    await this.#definitions.apply({ namespace: '', name }, applied, { subresource: 'status' });
  }
}

function outcome(hasSucceeded: boolean, forgets: boolean): { reason: string; message: string } {
  if (!hasSucceeded) return { reason: 'MigrationFailed', message: 'The migration has failed' };
  const versions = forgets
    ? 'and the stored versions have been updated'
    : 'but the stored versions have not been updated due to a generation mismatch';
  return { reason: 'MigrationSucceeded', message: `The migration has succeeded ${versions}` };
}
