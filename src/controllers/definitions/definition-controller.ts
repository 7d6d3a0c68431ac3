/**
 * Serves what definitions define: says which of their names are accepted, has their types served
 * before it says that they are established, changes them as they change, and empties and ends them
 * when they are deleted (src/types/README.md#definitions). One definition after the other, so that
 * the first keeps a name that two ask for; only the clean-up of one that is deleted goes on by
 * itself.
 */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../../actors/link.ts';
import { utcSeconds } from '../../base/utc-time.ts';
import { DEFINITION_RETRY_MS } from '../../limits.ts';
import type {
  CustomResourceDefinition,
  DefinitionStatus,
} from '../../resources/apiextensions/definition.ts';
import type { DefinitionNames } from '../../resources/apiextensions/definition-names.ts';
import { isRefusal } from '../../semantics/status.ts';
import { versionPlaces } from '../../types/custom/custom-type-facts.ts';
import {
  definitionFacts,
  isEstablished,
  shownDefinition,
  isTerminating,
} from '../../types/custom/definition-facts.ts';
import { definitionStatus } from '../../types/custom/definition-status.ts';
import type { TakenNames } from '../../types/custom/definition-status.ts';
import {
  CLEANUP_FINALIZER,
  terminatingStatus,
  type CleanUp,
} from '../../resources/apiextensions/definition-terminating.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { TYPE_VERBS } from './type-protocol.ts';
import type { TypeCalls } from './type-protocol.ts';

export const TYPES_PORT = 'types';

export interface DefinitionControllerOptions {
  /** Of the built-in types of a group; undefined where it has none. */
  readonly builtInNames: (group: string) => TakenNames | undefined;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** What is kept of a definition: its schemas are large, and are only passed on. */
interface Known {
  readonly uid: string;
  readonly group: string;
  accepted: DefinitionNames;
  /** Some of the names that it asks for are others'. */
  isConflicting: boolean;
  /** Versions by their places, while its type is served. */
  places: readonly string[];
  /** What its type is served by; '' while it is not. */
  served: string;
  /** Of the type that is served: what may not change once the definition is established. */
  fixed: string;
  isCleaningUp: boolean;
}

type Changes = Map<string, CustomResourceDefinition | undefined>;

export class DefinitionController {
  readonly #ports: Ports;
  readonly #options: DefinitionControllerOptions;
  readonly #definitions: ShardObjects;
  readonly #types: Link<TypeCalls, Record<never, never>>;
  readonly #known = new Map<string, Known>();
  /** The newest state of definitions that are to be looked at; undefined for what is gone. */
  readonly #changes: Changes = new Map();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isFollowing = false;
  #isWorking = false;
  #working: Promise<void> = Promise.resolve();
  #stopping = false;

  /** Ports: `control`, `types`, and that of the shard of definitions. */
  constructor(ports: Ports, options: DefinitionControllerOptions) {
    this.#ports = ports;
    this.#options = options;
    const [[resource, port] = ['', undefined]] = shardPorts(ports);
    const { [TYPES_PORT]: types } = ports;
    if (port === undefined || types === undefined) throw new Error('definitions need their ports');
    this.#definitions = new ShardObjects(resource, port);
    this.#types = typesLink(types);
  }

  /** Works until it is told to stop; counts as started once all definitions are served. */
  async run(): Promise<void> {
    await this.#definitions.follow(({ type, object }) => {
      if (type === 'BOOKMARK') return;
      const { name = '' } = object.metadata;
      this.#changes.set(name, type === 'DELETED' ? undefined : shownDefinition(object));
      if (this.#isFollowing) this.#wake();
    });
    // Which names are whose is known before any are given out.
    for (const [name, definition] of this.#changes) {
      if (definition !== undefined) await this.#knownOf(name, definition);
    }
    await this.#work();
    const uids = Array.from(this.#known.values(), ({ uid }) => uid);
    await this.#types.call('definitionsRead', { uids });
    this.#isFollowing = true;
    await runController(this.#ports, {
      begin: () => this.#wake(),
      stop: () => {
        this.#stopping = true;
        for (const timer of this.#timers) clearTimeout(timer);
        // A type that is just coming has come, and its shard can be stopped.
        return this.#working;
      },
    });
    this.#definitions.close();
    this.#types.close();
  }

  #wake(): void {
    if (!this.#isWorking) this.#working = this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#changes.size > 0 && !this.#stopping) {
      const [[name, definition] = ['', undefined]] = this.#changes;
      this.#changes.delete(name);
      try {
        if (definition === undefined) await this.#gone(name);
        else await this.#changed(name, definition);
      } catch (error) {
        this.#failed(name, error, definition);
      }
    }
    this.#isWorking = false;
  }

  /** What somebody else has written meanwhile is told. Anything else is tried again. */
  #failed(name: string, error: unknown, definition: CustomResourceDefinition | undefined): void {
    if (this.#stopping || isRefusal(error, 409) || isRefusal(error, 404)) return;
    this.#options.logError(`the definition ${name}: ${(error as Error).message}`);
    this.#later(() => {
      if (!this.#changes.has(name)) this.#changes.set(name, definition);
      this.#wake();
    });
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, DEFINITION_RETRY_MS);
    this.#timers.add(timer);
  }

  async #changed(name: string, definition: CustomResourceDefinition): Promise<void> {
    const known = await this.#knownOf(name, definition);
    const isGoing = definition.metadata.deletionTimestamp !== undefined;
    // One that never had a type needs none any more.
    if (isGoing && known.served === '' && !isEstablished(definition)) {
      this.#cleanUp(name, known, definition);
      return;
    }
    const surroundings = this.#surroundings(name, known.group);
    const news = definitionStatus(definition, surroundings, this.#now());
    const status = news ?? definition.status ?? {};
    const conflicts = status.conditions?.some(
      (condition) => condition.type === 'NamesAccepted' && condition.status !== 'True',
    );
    known.isConflicting = conflicts === true;
    const before = known.accepted;
    known.accepted = status.acceptedNames ?? {};
    await this.#serve(known, { ...definition, status });
    if (news !== undefined) await this.#say(definition, news);
    if (isGoing) this.#cleanUp(name, known, definition);
    // Names that it had may be others' now.
    if (before.plural !== undefined) this.#lookAgain(known.group, name);
  }

  /** One that was deleted and made anew has another uid: what was before is gone. */
  async #knownOf(name: string, definition: CustomResourceDefinition): Promise<Known> {
    const { metadata, spec = {}, status = {} } = definition;
    const known = this.#known.get(name);
    if (known !== undefined && known.uid === metadata.uid) return known;
    if (known !== undefined) await this.#gone(name);
    const fresh: Known = {
      uid: metadata.uid ?? '',
      group: spec.group ?? '',
      accepted: status.acceptedNames ?? {},
      isConflicting: false,
      places: [],
      served: '',
      fixed: '',
      isCleaningUp: false,
    };
    this.#known.set(name, fresh);
    return fresh;
  }

  #surroundings(name: string, group: string) {
    const others = [...this.#known].filter(
      ([other, known]) => other !== name && known.group === group,
    );
    const builtIn = this.#options.builtInNames(group);
    const accepted = others.map(([, known]) => known.accepted);
    return { others: accepted, ...(builtIn && { builtIn }) };
  }

  /** Those of the group that have not got all their names may have them now. */
  #lookAgain(group: string, but: string): void {
    for (const [name, known] of this.#known) {
      if (name === but || known.group !== group || !known.isConflicting) continue;
      if (!this.#changes.has(name)) void this.#readAgain(name);
    }
  }

  async #readAgain(name: string): Promise<void> {
    const found = await this.#get(name).catch(() => undefined);
    if (found === undefined || this.#changes.has(name)) return;
    this.#changes.set(name, found);
    this.#wake();
  }

  /** Most changes are of a status that says nothing new of the type: its schemas are not read. */
  async #serve(known: Known, definition: CustomResourceDefinition): Promise<void> {
    if (!isEstablished(definition)) return;
    const { metadata, spec = {}, status = {} } = definition;
    const { plural, singular = '', kind, listKind = '' } = status.acceptedNames ?? {};
    const { shortNames = [], categories = [] } = status.acceptedNames ?? {};
    const names = [plural, singular, kind, listKind, shortNames, categories];
    const served = JSON.stringify([metadata.generation, names, isTerminating(definition)]);
    if (served === known.served) return;
    const fixed = `${spec.scope} ${spec.names?.kind}`;
    if (known.served !== '' && known.fixed !== fixed) await this.#beginAnew(known, definition);
    const facts = definitionFacts(definition);
    const places = versionPlaces(known.places, facts.versions);
    const verb = known.served === '' ? 'typeCame' : 'typeChanged';
    await this.#types.call(verb, { definition: facts, places });
    known.places = places;
    known.served = served;
    known.fixed = fixed;
  }

  /**
   * A type is served a moment before its definition is said to be established, and until then
   * clients may change its scope and kind: objects that were made meanwhile could not be found by
   * their names any more, and go.
   */
  async #beginAnew(known: Known, { metadata }: CustomResourceDefinition): Promise<void> {
    await this.#types.call('typeGone', { name: metadata.name ?? '', uid: known.uid });
    known.served = '';
    known.places = [];
  }

  async #gone(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined) return;
    await this.#types.call('typeGone', { name, uid: known.uid });
    this.#known.delete(name);
    this.#lookAgain(known.group, name);
  }

  async #say(definition: CustomResourceDefinition, status: DefinitionStatus): Promise<void> {
    const { name = '' } = definition.metadata;
    await this.#definitions.update({ namespace: '', name }, { ...definition, status }, 'status');
  }

  /** Deletes the objects, says how far it has come, and lets the definition go with the last. */
  #cleanUp(name: string, known: Known, definition: CustomResourceDefinition): void {
    const isHeld = definition.metadata.finalizers?.includes(CLEANUP_FINALIZER) === true;
    if (known.isCleaningUp || !isHeld) return;
    known.isCleaningUp = true;
    this.#cleanUpStep(name, known).then(
      (isDone) => {
        if (!isDone) this.#later(() => void this.#cleanUpAgain(name, known));
      },
      (error: unknown) => {
        const isLate = isRefusal(error, 409) || isRefusal(error, 404);
        if (!isLate && !this.#stopping) {
          this.#options.logError(`the clean-up of ${name}: ${(error as Error).message}`);
        }
        this.#later(() => void this.#cleanUpAgain(name, known));
      },
    );
  }

  async #cleanUpAgain(name: string, known: Known): Promise<void> {
    known.isCleaningUp = false;
    const definition = await this.#get(name).catch(() => undefined);
    if (definition?.metadata.uid !== known.uid || this.#stopping) return;
    this.#cleanUp(name, known, definition);
  }

  /** True once the definition has been let go. */
  async #cleanUpStep(name: string, known: Known): Promise<boolean> {
    if (known.served === '') return this.#letGo(name, known, { step: 'neverEstablished' });
    await this.#tell(name, known, { step: 'inProgress' });
    const { remaining, problems } = await this.#types.call('emptyType', { name });
    if (problems.length > 0) {
      await this.#tell(name, known, { step: 'deleteFailed', problems });
      return false;
    }
    if (remaining > 0) {
      await this.#tell(name, known, { step: 'objectsLeft' });
      return false;
    }
    return this.#letGo(name, known, { step: 'completed' });
  }

  /** One write, through the status: what clients said wrongly of the rest does not hold it up. */
  async #letGo(name: string, known: Known, cleanUp: CleanUp): Promise<boolean> {
    await this.#tell(name, known, cleanUp, ({ metadata, ...others }) => {
      const finalizers = metadata.finalizers?.filter((one) => one !== CLEANUP_FINALIZER);
      return { ...others, metadata: { ...metadata, finalizers } };
    });
    return true;
  }

  async #get(name: string): Promise<CustomResourceDefinition | undefined> {
    const found = await this.#definitions.get({ namespace: '', name });
    return found && shownDefinition(found);
  }

  async #tell(
    name: string,
    known: Known,
    cleanUp: CleanUp,
    changed = (definition: CustomResourceDefinition) => definition,
  ): Promise<void> {
    const definition = await this.#get(name);
    if (definition?.metadata.uid !== known.uid) return;
    const status = terminatingStatus(definition.status ?? {}, cleanUp, this.#now());
    await this.#say(changed(definition), status);
  }

  #now(): string {
    return utcSeconds(this.#options.nowMs());
  }
}

function typesLink(port: MessagePort): Link<TypeCalls, Record<never, never>> {
  return new Link({ peer: 'types', port, sends: TYPE_VERBS, receives: [], handlers: {} });
}
