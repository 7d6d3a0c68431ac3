/**
 * What is the newest, when somebody must not be told less: etcd's revision, asked for with a read
 * that all members confirm. Who asks while one read is under way shares the next.
 */
import type { EtcdClient } from '../etcd/etcd.ts';
import type { JournalKeys } from './keys.ts';

/** All that was answered before the question is in etcd at this revision. */
export interface Newest {
  readonly revision: number;
  /** All changes of all types up to this version are in etcd at that revision. */
  readonly safeRv: number;
}

export class Freshness {
  readonly #client: EtcdClient;
  readonly #key: Uint8Array;
  #underWay: Promise<Newest> | undefined;
  #next: Promise<Newest> | undefined;

  constructor(client: EtcdClient, keys: JournalKeys) {
    this.#client = client;
    this.#key = keys.version;
  }

  /** Rejects with EtcdError where etcd does not answer. */
  newest(): Promise<Newest> {
    if (this.#underWay === undefined) return this.#ask();
    this.#next ??= this.#underWay
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#ask();
      });
    return this.#next;
  }

  #ask(): Promise<Newest> {
    const asked = this.#client.range({ key: this.#key }).then(({ revision, kvs: [kv] }) => ({
      revision,
      safeRv: kv === undefined ? 0 : Number(Buffer.from(kv.value).toString()),
    }));
    this.#underWay = asked;
    const done = (): void => {
      if (this.#underWay === asked) this.#underWay = undefined;
    };
    asked.then(done, done);
    return asked;
  }
}
