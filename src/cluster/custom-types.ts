/** Types that come and go: what is done when the controller of definitions says so. */
import type { Answer, Handlers } from '../actors/link.ts';
import type { Cluster } from './cluster.ts';
import type {
  GoneDefinition,
  TypeCalls,
  TypeContent,
} from '../controllers/definitions/type-protocol.ts';
import type { Store } from '../storage/store.ts';
import { customServedTypes } from '../types/custom/custom-served-types.ts';
import {
  customKey,
  customLogName,
  type CustomTypeFacts,
} from '../types/custom/custom-type-facts.ts';
import type { TypeCatalog } from '../types/type-catalog.ts';

export interface CustomTypesOptions {
  readonly cluster: () => Cluster;
  readonly store: Store;
  /** Without custom types. */
  readonly catalog: TypeCatalog;
  /** Has the next request served by a catalog. */
  readonly onCatalog: (catalog: TypeCatalog) => void;
  /** Told when nothing is left of a log. */
  readonly onLogDropped: (name: string) => void;
  readonly logError: (text: string) => void;
}

export class CustomTypes {
  readonly #options: CustomTypesOptions;
  #catalog: TypeCatalog;

  constructor(options: CustomTypesOptions) {
    this.#options = options;
    this.#catalog = options.catalog;
  }

  /** All that is served now. */
  get catalog(): TypeCatalog {
    return this.#catalog;
  }

  readonly handlers: Handlers<TypeCalls> = {
    typeCame: (facts, _body, answer) => settle(answer, this.#came(facts)),
    typeChanged: (facts, _body, answer) => settle(answer, this.#changed(facts)),
    typeGone: (definition, _body, answer) => settle(answer, this.#gone(definition)),
    emptyType: ({ name }, _body, answer) => settle(answer, this.#empty(name)),
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

  async #came(facts: CustomTypeFacts): Promise<undefined> {
    await this.#options.cluster().startType(facts);
    this.#swap(this.#catalog.with(facts));
    return undefined;
  }

  /** The shard first: it still knows the versions that requests under way are made in. */
  async #changed(facts: CustomTypeFacts): Promise<undefined> {
    const cluster = this.#options.cluster();
    await cluster.changeType(facts);
    this.#swap(this.#catalog.with(facts));
    const served = new Set(customServedTypes(facts).map(({ index }) => index));
    cluster.shards
      .get(customKey(facts.definition.name))
      ?.fanout.endAll((version) => served.has(version));
    return undefined;
  }

  async #gone(definition: GoneDefinition): Promise<undefined> {
    this.#swap(this.#catalog.without(definition.name));
    await this.#options.cluster().stopType(customKey(definition.name));
    this.#drop(customLogName(definition));
    return undefined;
  }

  #swap(catalog: TypeCatalog): void {
    this.#catalog = catalog;
    this.#options.onCatalog(catalog);
  }

  /** All that can go is gone when it resolves. */
  async #empty(name: string): Promise<TypeContent> {
    const link = this.#options.cluster().shards.get(customKey(name))?.link;
    if (link === undefined) return { remaining: 0, problems: [] };
    const problems: string[] = [];
    try {
      await link.call('deleteCollection', EVERYTHING);
    } catch (error) {
      problems.push((error as Error).message);
    }
    const { objects } = await link.call('ping', undefined);
    return { remaining: objects, problems };
  }
}

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

function settle<T>(answer: Answer<T>, work: Promise<T>): void {
  work.then(
    (reply) => answer.reply(reply),
    (error: unknown) => answer.fail(error),
  );
}
