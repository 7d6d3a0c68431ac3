/**
 * What the owner of all types does for the others: it says how far versions are when nothing is
 * written, and lets etcd forget history that no client may ask for any more.
 */
import type { EtcdClient } from '../etcd/etcd.ts';
import type { JournalKeys } from '../journal/keys.ts';
import type { Ownership } from '../journal/ownership.ts';
import type { ThreadVersions } from '../journal/thread-versions.ts';

const VERSION_MS = 200;
const COMPACTION_MS = 10_000;

export interface UpkeepOptions {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly versions: ThreadVersions;
  readonly historyMs: number;
  readonly logError: (text: string) => void;
}

interface Moment {
  readonly timeMs: number;
  readonly revision: number;
}

export class OwnersUpkeep {
  readonly #options: UpkeepOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  #moments: Moment[] = [];
  /** Told once. */
  #problem = '';

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => this.#run(() => this.#tellVersion()), VERSION_MS),
      setInterval(() => this.#run(() => this.#compact()), COMPACTION_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #run(work: () => Promise<void>): void {
    if (!this.#options.ownership.isSure) return;
    work().then(
      () => (this.#problem = ''),
      ({ message }: Error) => {
        if (message !== this.#problem) this.#options.logError(`etcd: ${message}`);
        this.#problem = message;
      },
    );
  }

  /**
   * Versions that were taken and not used would be waited for, and groups that are committed side
   * by side say in any order how far they are.
   */
  async #tellVersion(): Promise<void> {
    const { client, keys, versions } = this.#options;
    const { kvs } = await client.range({ key: keys.version });
    const safeRv = String(versions.safeRv());
    if (kvs[0] === undefined || Buffer.from(kvs[0].value).toString() !== safeRv) {
      await this.#put(keys.version, safeRv);
    }
  }

  async #compact(): Promise<void> {
    const { client, keys, historyMs } = this.#options;
    const nowMs = performance.now();
    const { revision } = await client.range({ key: keys.history });
    this.#moments.push({ timeMs: nowMs, revision });
    const past = this.#moments.findLastIndex(({ timeMs }) => timeMs < nowMs - historyMs);
    const moment = this.#moments[past];
    if (moment === undefined) return;
    this.#moments = this.#moments.slice(past + 1);
    await this.#put(keys.history, String(moment.revision));
    await client.compact(moment.revision);
  }

  async #put(key: Uint8Array, value: string): Promise<void> {
    const { client, keys, ownership } = this.#options;
    await client.txn({
      compare: [keys.ownedSince(ownership.fence)],
      success: [{ put: { key, value: Buffer.from(value) } }],
    });
  }
}
