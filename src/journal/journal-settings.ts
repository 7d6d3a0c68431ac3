/** Settings that all servers of the cluster have in common, in etcd. */
import type { Compare, EtcdClient } from '../etcd/etcd.ts';
import type { Settings } from '../storage/store.ts';
import { JournalKeys } from './keys.ts';
import { NotOwnerError } from './not-owner-error.ts';
import type { Ownership } from './ownership.ts';

interface Known {
  readonly value: string;
  readonly modRevision: number;
}

export class JournalSettings implements Settings {
  readonly #client: EtcdClient;
  readonly #keys: JournalKeys;
  readonly #ownership: Ownership;
  readonly #known: Map<string, Known>;
  /** Names of what was swapped and is not in etcd yet. */
  readonly #swapped = new Set<string>();

  private constructor(
    client: EtcdClient,
    keys: JournalKeys,
    ownership: Ownership,
    known: Map<string, Known>,
  ) {
    this.#client = client;
    this.#keys = keys;
    this.#ownership = ownership;
    this.#known = known;
  }

  /** Reads them as they are now; changes of other servers are not seen later. */
  static async read(
    client: EtcdClient,
    keys: JournalKeys,
    ownership: Ownership,
  ): Promise<JournalSettings> {
    const { kvs } = await client.range(keys.settings);
    const known = kvs.map(({ key, value, modRevision }): [string, Known] => [
      JournalKeys.nameOf(key),
      { value: Buffer.from(value).toString(), modRevision },
    ]);
    return new JournalSettings(client, keys, ownership, new Map(known));
  }

  get(name: string): string | undefined {
    return this.#known.get(name)?.value;
  }

  /** Holds as long as that setting is what is known of it here. */
  unchanged(name: string): Compare {
    const { modRevision = 0 } = this.#known.get(name) ?? {};
    return { key: this.#keys.setting(name), is: '=', modRevision };
  }

  /** Rejects with NotOwnerError, and with EtcdError. */
  async put(name: string, value: string): Promise<void> {
    const { fence } = this.#ownership;
    if (fence === 0) throw new NotOwnerError();
    const { succeeded, revision } = await this.#client.txn({
      compare: [this.#keys.ownedSince(fence)],
      success: [{ put: { key: this.#keys.setting(name), value: Buffer.from(value) } }],
    });
    if (!succeeded) throw new NotOwnerError();
    this.#known.set(name, { value, modRevision: revision });
  }

  /** Is in etcd once `store` has resolved. */
  swap(name: string, swap: (value: string | undefined) => string): void {
    const before = this.#known.get(name);
    const value = swap(before?.value);
    if (value === before?.value) return;
    this.#known.set(name, { value, modRevision: before?.modRevision ?? 0 });
    this.#swapped.add(name);
  }

  /** Whether what was swapped is in etcd: not where another server has changed it meanwhile. */
  async store(): Promise<boolean> {
    const names = [...this.#swapped];
    if (names.length === 0) return true;
    const { succeeded, revision } = await this.#client.txn({
      compare: names.map((name) => this.unchanged(name)),
      success: names.map((name) => ({
        put: { key: this.#keys.setting(name), value: Buffer.from(this.get(name) ?? '') },
      })),
    });
    if (!succeeded) return false;
    for (const name of names) {
      this.#known.set(name, { value: this.get(name) ?? '', modRevision: revision });
    }
    this.#swapped.clear();
    return true;
  }
}
