/** Types that come and go: what is done when the controller of definitions says so. */
import { LinkClosedError } from '../actors/link.ts';
import type { Handlers } from '../actors/link.ts';
import { answerWith } from '../actors/answer-with.ts';
import { TaskLimiter } from '../base/turns/task-limiter.ts';
import type { Cluster } from './cluster.ts';
import type {
  GoneDefinition,
  ServedDefinition,
  TypeCalls,
  TypeContent,
  Unserved,
} from '../controllers/definitions/type-protocol.ts';
import { TYPES_STARTED_AT_ONCE } from '../limits.ts';
import type { Store } from '../storage/store.ts';
import {
  customKey,
  customLogName,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';

/** Where logs of custom types are, by the uids of their definitions. */
export type CustomLogs = Pick<Store, 'customLogs' | 'dropLog' | 'finishDrops'>;

export interface CustomTypesOptions {
  readonly cluster: () => Cluster;
  readonly store: CustomLogs;
  /** Told when nothing is left of a log. */
  readonly onLogDropped: (name: string) => void;
  readonly logError: (text: string) => void;
}

export class CustomTypes {
  readonly #options: CustomTypesOptions;
  readonly #starts = new TaskLimiter(TYPES_STARTED_AT_ONCE);

  constructor(options: CustomTypesOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers<TypeCalls> = {
    typesServed: (types, _body, answer) => answerWith(answer, this.#served(types)),
    typeGone: (definition, _body, answer) => answerWith(answer, this.#gone(definition)),
    emptyType: ({ name }, _body, answer) => answerWith(answer, this.#empty(name)),
    definitionsRead: ({ uids }, _body, answer) => {
      this.#dropLeftLogs(new Set(uids.map((uid) => customLogName({ uid }))));
      answer.reply(undefined);
    },
  };

  /** Those of definitions that have gone. One that is there may be served again, as it was. */
  #dropLeftLogs(kept: ReadonlySet<string>): void {
    const { store } = this.#options;
    store.finishDrops().catch((error: unknown) => this.#logError(error));
    for (const name of store.customLogs()) if (!kept.has(name)) this.#drop(name);
  }

  #drop(log: string): void {
    const { store, onLogDropped } = this.#options;
    store
      .dropLog(log)
      .then(() => onLogDropped(log))
      .catch((error: unknown) => this.#logError(error));
  }

  #logError(error: unknown): void {
    this.#options.logError((error as Error).message);
  }

  /** The shards first: they still know the versions that requests under way are made in. */
  async #served(types: readonly ServedDefinition[]): Promise<readonly Unserved[]> {
    const cluster = this.#options.cluster();
    const ready: CustomTypeFacts[] = [];
    const unserved: Unserved[] = [];
    const start = async ({ facts, isNew }: ServedDefinition): Promise<void> => {
      try {
        await (isNew ? cluster.startType(facts) : cluster.changeType(facts));
        ready.push(facts);
      } catch (error) {
        unserved.push({ name: facts.definition.name, why: (error as Error).message });
      }
    };
    await Promise.all(types.map((type) => this.#starts.run(() => start(type))));
    if (ready.length > 0) await cluster.fronts.typesServed(ready);
    return unserved;
  }

  async #gone(definition: GoneDefinition): Promise<undefined> {
    const cluster = this.#options.cluster();
    await cluster.fronts.typeGone(definition.name);
    await cluster.stopType(customKey(definition.name));
    this.#drop(customLogName(definition));
    return undefined;
  }

  /**
   * All that can go is gone when it resolves, and who watches has been told: with the definition
   * the watches will end. A type that goes meanwhile takes all along.
   */
  async #empty(name: string): Promise<TypeContent> {
    const { shards, fronts } = this.#options.cluster();
    const link = shards.get(customKey(name));
    if (link === undefined) return NOTHING_LEFT;
    const problems: string[] = [];
    try {
      await link.call('deleteCollection', EVERYTHING).catch((error: unknown) => {
        if (error instanceof LinkClosedError) throw error;
        problems.push((error as Error).message);
      });
      const { objects } = await link.call('ping', undefined);
      if (objects === 0) await fronts.typeSettled(name);
      return { remaining: objects, problems };
    } catch (error) {
      if (error instanceof LinkClosedError) return NOTHING_LEFT;
      throw error;
    }
  }
}

const NOTHING_LEFT: TypeContent = { remaining: 0, problems: [] };

const EVERYTHING = {
  namespace: '',
  name: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
  format: 'json',
  dryRun: false,
} as const;
