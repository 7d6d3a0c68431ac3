/**
 * Serves what definitions define: says which of their names are accepted, has their types served
 * before it says that they are established, changes them as they change, and empties and ends them
 * when they are deleted (src/types/README.md#definitions). Names are given out to one definition
 * after the other, so that the first keeps one that two ask for; types are served, and said to be,
 * together for those that wait, and the clean-up of one that is deleted goes on by itself.
 */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '#messages/apiextensions.v1';
import { Link } from '../../actors/link.ts';
import type { Port } from '../../actors/port.ts';
import { utcSeconds } from '../../base/time/utc-time.ts';
import {
  DEFINITION_RETRY_MS,
  DEFINITIONS_AT_ONCE,
  DEFINITIONS_SCHEMA_CHARACTERS,
} from '../../limits.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { NO_PLACES, placesAfter } from '../../types/custom/custom-type-facts.ts';
import {
  definitionFacts,
  isEstablished,
  shownDefinition,
  isTerminating,
} from '../../types/custom/definition-facts.ts';
import { definitionStatus } from '../../types/custom/definition-status.ts';
import type { TakenNames } from '../../types/custom/definition-status.ts';
import { runController, shardPorts } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { DefinitionCleanUps } from './definition-clean-ups.ts';
import { getDefinition, sayStatus } from './stored-definitions.ts';
import { TYPE_VERBS, TYPES_PORT } from './type-protocol.ts';
import type { ServedDefinition, TypeCalls } from './type-protocol.ts';

export interface DefinitionControllerOptions {
  /** The names of the built-in types of a group; undefined where it has none. */
  readonly builtInNames: (group: string) => TakenNames | undefined;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** The kept facts of a definition: its schemas are large, and are only passed on. */
interface Known {
  readonly uid: string;
  readonly group: string;
  accepted: CustomResourceDefinitionNames;
  /** Some of the names that it asks for are others'. */
  isConflicting: boolean;
  /** Versions and fields by their places, while its type is served. */
  places: typeof NO_PLACES;
  /** The state of the definition for which its type is served, as text; '' while it is not. */
  served: string;
  /** The facts of the served type that may not change once the definition is established. */
  fixed: string;
}

/** A type that is to be served: `served` and `fixed` as in `Known`. */
interface TypeToServe extends ServedDefinition {
  readonly served: string;
  readonly fixed: string;
}

/** A definition, and the decisions about it. */
interface Decided {
  readonly name: string;
  readonly known: Known;
  readonly definition: CustomResourceDefinition;
  /** The status that it is to have; undefined where it has it. */
  readonly news: CustomResourceDefinitionStatus | undefined;
  readonly isGoing: boolean;
  readonly hadNames: boolean;
  /** Undefined where its type is served so, or not at all. */
  readonly type: TypeToServe | undefined;
  /** Why its type is not served. */
  problem?: string | undefined;
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
  readonly #cleanUps: DefinitionCleanUps;
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
    this.#cleanUps = new DefinitionCleanUps({
      definitions: this.#definitions,
      types: this.#types,
      later: (work) => this.#later(work),
      isStopping: () => this.#stopping,
      now: () => this.#now(),
      logError: options.logError,
    });
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
      const decided = await this.#decideSome();
      await this.#serve(decided);
      await Promise.all(decided.map((one) => this.#served(one)));
    }
    this.#isWorking = false;
  }

  /** Decides about some of the changes, in the order in which they came. */
  async #decideSome(): Promise<readonly Decided[]> {
    const decided: Decided[] = [];
    let characters = 0;
    while (decided.length < DEFINITIONS_AT_ONCE && characters < DEFINITIONS_SCHEMA_CHARACTERS) {
      const [next] = this.#changes;
      if (next === undefined || this.#stopping) break;
      const [name, definition] = next;
      this.#changes.delete(name);
      try {
        if (definition === undefined) {
          await this.#gone(name);
          continue;
        }
        const one = await this.#decide(name, definition);
        if (one === undefined) continue;
        decided.push(one);
        characters += schemaCharacters(one);
      } catch (error) {
        this.#failed(name, error, definition);
      }
    }
    return decided;
  }

  /** Tries again later, unless somebody else has written meanwhile: that comes as a change. */
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

  /** Gives it its names; undefined where nothing is to be served or said. */
  async #decide(name: string, definition: CustomResourceDefinition): Promise<Decided | undefined> {
    const known = await this.#knownOf(name, definition);
    const isGoing = definition.metadata.deletionTimestamp !== undefined;
    // One that never had a type needs none any more.
    if (isGoing && known.served === '' && !isEstablished(definition)) {
      this.#cleanUps.begin(name, known, definition);
      return undefined;
    }
    const surroundings = this.#surroundings(name, known.group);
    const news = definitionStatus(definition, surroundings, this.#now());
    const status = news ?? definition.status ?? {};
    const conflicts = status.conditions?.some(
      (condition) => condition.type === 'NamesAccepted' && condition.status !== 'True',
    );
    known.isConflicting = conflicts === true;
    const hadNames = known.accepted.plural !== undefined;
    known.accepted = status.acceptedNames ?? {};
    const type = await this.#typeOf(known, { ...definition, status });
    return { name, known, definition, news, isGoing, hadNames, type };
  }

  /** Has the types served that are not yet, or not as their definitions say. */
  async #serve(decided: readonly Decided[]): Promise<void> {
    const types = decided.flatMap(({ type }) => (type === undefined ? [] : [type]));
    if (types.length === 0) return;
    const unserved = await this.#types.call(
      'typesServed',
      types.map(({ facts, isNew }) => ({ facts, isNew })),
    );
    const problems = new Map(unserved.map(({ name, why }) => [name, why]));
    for (const one of decided) {
      const { name, known, type } = one;
      if (type === undefined) continue;
      one.problem = problems.get(name);
      if (one.problem !== undefined) continue;
      const { facts, served, fixed } = type;
      known.places = { places: facts.places, fields: facts.fields };
      known.served = served;
      known.fixed = fixed;
    }
  }

  /** Its type is served as far as it is to be: says so, and what follows from it. */
  async #served(one: Decided): Promise<void> {
    const { name, known, definition, news, isGoing, hadNames, problem } = one;
    try {
      if (problem !== undefined) throw new Error(problem);
      if (news !== undefined) await sayStatus(this.#definitions, definition, news);
      if (isGoing) this.#cleanUps.begin(name, known, definition);
      // Names that it had may be others' now.
      if (hadNames) this.#lookAgain(known.group, name);
    } catch (error) {
      this.#failed(name, error, definition);
    }
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
      places: NO_PLACES,
      served: '',
      fixed: '',
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
    const found = await getDefinition(this.#definitions, name).catch(() => undefined);
    if (found === undefined || this.#changes.has(name)) return;
    this.#changes.set(name, found);
    this.#wake();
  }

  /** Most changes are of a status that says nothing new of the type: its schemas are not read. */
  async #typeOf(
    known: Known,
    definition: CustomResourceDefinition,
  ): Promise<TypeToServe | undefined> {
    if (!isEstablished(definition)) return undefined;
    const { metadata, spec = {}, status = {} } = definition;
    const { plural, singular = '', kind, listKind = '' } = status.acceptedNames ?? {};
    const { shortNames = [], categories = [] } = status.acceptedNames ?? {};
    const names = [plural, singular, kind, listKind, shortNames, categories];
    const served = JSON.stringify([metadata.generation, names, isTerminating(definition)]);
    if (served === known.served) return undefined;
    const fixed = `${spec.scope} ${spec.names?.kind}`;
    if (known.served !== '' && known.fixed !== fixed) await this.#beginAnew(known, definition);
    const facts = definitionFacts(definition);
    const places = placesAfter(known.places, facts.versions);
    return { facts: { definition: facts, ...places }, isNew: known.served === '', served, fixed };
  }

  /**
   * A type is served a moment before its definition is said to be established, and until then
   * clients may change its scope and kind: objects that were made meanwhile could not be found by
   * their names any more, and go.
   */
  async #beginAnew(known: Known, { metadata }: CustomResourceDefinition): Promise<void> {
    const { name = '' } = metadata;
    await this.#types.call('typeGone', { name, uid: known.uid, isMadeAnew: true });
    known.served = '';
    known.places = NO_PLACES;
  }

  async #gone(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined) return;
    await this.#types.call('typeGone', { name, uid: known.uid });
    this.#known.delete(name);
    this.#lookAgain(known.group, name);
  }

  #now(): string {
    return utcSeconds(this.#options.nowMs());
  }
}

function schemaCharacters({ type }: Decided): number {
  const versions = type?.facts.definition.versions ?? [];
  return versions.reduce((sum, { schemaText }) => sum + schemaText.length, 0);
}

function typesLink(port: Port): Link<TypeCalls, Record<never, never>> {
  return new Link({ peer: 'types', port, sends: TYPE_VERBS, receives: [], handlers: {} });
}
