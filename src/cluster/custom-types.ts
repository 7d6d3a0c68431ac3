/** Types that come and go: what is done when the controller of definitions says so. */
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { LinkClosedError } from '../actors/link.ts';
import type { Handlers } from '../actors/link.ts';
import { answerWith } from '../actors/answer-with.ts';
import { TaskLimiter } from '../base/turns/task-limiter.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import type { DefinitionText, ServedTypes } from '../snapshots/restores.ts';
import { notDoneInTime } from '../semantics/errors/status.ts';
import { decodeRecordHeader, OPERATION } from '../storage/record.ts';
import { definitionFacts, type DefinitionFacts } from '../types/custom/definition-facts.ts';
import type { Cluster } from './cluster.ts';
import type {
  GoneDefinition,
  ServedDefinition,
  TypeCalls,
  TypeContent,
  Unserved,
} from '../controllers/definitions/type-protocol.ts';
import { TYPES_STARTED_AT_ONCE, WAITING_REQUEST_MS_MAX } from '../limits.ts';
import type { Store } from '../storage/store.ts';
import {
  customKey,
  customLogName,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';

/** Where logs of custom types are, by the uids of their definitions. */
export type CustomLogs = Pick<Store, 'customLogs' | 'dropLog' | 'finishDrops' | 'openCustomLog'>;

export interface CustomTypesOptions {
  readonly cluster: () => Cluster;
  readonly store: CustomLogs;
  /** Told when nothing is left of a log. */
  readonly onLogDropped: (name: string) => void;
  readonly logError: (text: string) => void;
}

interface Waiting {
  readonly isSo: () => boolean;
  readonly resolve: () => void;
}

export class CustomTypes implements ServedTypes {
  readonly #options: CustomTypesOptions;
  /** The generations of the definitions whose types are served, by the names of their logs. */
  readonly #generations = new Map<string, number>();
  /** Logs of types that are gone, which a snapshot needs. */
  readonly #keptLogs = new Set<string>();
  /** Who waits for types to come or go. */
  #waiting: Waiting[] = [];
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
    for (const name of store.customLogs()) if (!kept.has(name)) this.#giveUp(name);
  }

  /** Drops the log of a type that is gone, once no snapshot needs it. */
  #giveUp(log: string): void {
    if (!this.#options.cluster().snapshots.isOn) return this.#drop(log);
    this.#keptLogs.add(log);
    this.dropUnneeded().catch((error: unknown) => this.#logError(error));
  }

  async dropUnneeded(): Promise<void> {
    for (const log of this.#keptLogs) {
      const isNeeded = await this.#options.cluster().snapshots.needsLog(log);
      // The type may have come back meanwhile.
      if (!isNeeded && this.#keptLogs.delete(log)) this.#drop(log);
    }
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
        this.#keptLogs.delete(customLogName(facts.definition));
        await (isNew ? cluster.startType(facts) : cluster.changeType(facts));
        ready.push(facts);
      } catch (error) {
        unserved.push({ name: facts.definition.name, why: (error as Error).message });
      }
    };
    await Promise.all(types.map((type) => this.#starts.run(() => start(type))));
    if (ready.length > 0) await cluster.fronts.typesServed(ready);
    for (const { definition } of ready) {
      this.#generations.set(customLogName(definition), definition.generation);
    }
    this.#tellWaiting();
    return unserved;
  }

  async #gone(definition: GoneDefinition): Promise<undefined> {
    const cluster = this.#options.cluster();
    await cluster.fronts.typeGone(definition.name);
    await cluster.stopType(customKey(definition.name));
    const log = customLogName(definition);
    this.#generations.delete(log);
    if (definition.isMadeAnew === true) this.#drop(log);
    else this.#giveUp(log);
    this.#tellWaiting();
    return undefined;
  }

  shardOf(definition: DefinitionText): string {
    return customKey(factsOf(definition).name);
  }

  whenServed(definition: DefinitionText): Promise<void> {
    const facts = factsOf(definition);
    if (!facts.isEstablished) return Promise.resolve();
    return this.#when(() => this.#generations.get(customLogName(facts)) === facts.generation);
  }

  whenGone(definition: DefinitionText): Promise<void> {
    const log = customLogName(factsOf(definition));
    return this.#when(() => !this.#generations.has(log));
  }

  /** Rejects with StatusError where it takes too long. */
  #when(isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const endWait = SYSTEM_TIMERS.after(WAITING_REQUEST_MS_MAX, () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(notDoneInTime());
      });
      const waiting: Waiting = {
        isSo,
        resolve: () => {
          endWait();
          resolve();
        },
      };
      this.#waiting.push(waiting);
    });
  }

  #tellWaiting(): void {
    const done = this.#waiting.filter(({ isSo }) => isSo());
    this.#waiting = this.#waiting.filter((one) => !done.includes(one));
    for (const { resolve } of done) resolve();
  }

  settle(definition: DefinitionText): Promise<void> {
    return this.#options.cluster().fronts.typeSettled(factsOf(definition).name);
  }

  objectsAt(definition: DefinitionText, version: number): number {
    const name = customLogName(factsOf(definition));
    // Nobody owns it now.
    if (!this.#keptLogs.has(name)) return 0;
    const log = this.#options.store.openCustomLog(name);
    const keys = new Set<string>();
    log.scan(0, (rv, record) => {
      const { key, operation } = decodeRecordHeader(record);
      if (rv > version) return false;
      if (operation === OPERATION.deleted) keys.delete(key);
      else keys.add(key);
      return true;
    });
    return keys.size;
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

function factsOf(definition: DefinitionText): DefinitionFacts {
  return definitionFacts(definition as CustomResourceDefinition);
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
