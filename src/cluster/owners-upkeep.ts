/**
 * What the owner of all types does for the others: it says how far versions are when nothing is
 * written, lets etcd forget history that no client may ask for any more, and has a newer format
 * written once all servers know it.
 */
import type { EtcdClient, KeyValue } from '../etcd/etcd.ts';
import { factsOf } from '../journal/campaign.ts';
import { FORMAT_SETTING } from '../journal/cluster-format.ts';
import type { JournalKeys } from '../journal/keys.ts';
import type { Ownership } from '../journal/ownership.ts';
import type { ThreadVersions } from '../journal/thread-versions.ts';

const VERSION_MS = 200;
const COMPACTION_MS = 10_000;
const FORMAT_MS = 1_000;

export interface UpkeepOptions {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly versions: ThreadVersions;
  readonly historyMs: number;
  readonly logInfo: (text: string) => void;
  readonly logError: (text: string) => void;
}

function asText([kv]: readonly KeyValue[]): string {
  return Buffer.from(kv?.value ?? '').toString();
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
      setInterval(() => this.#run(() => this.#raiseFormat()), FORMAT_MS),
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

  /** A server that joins meanwhile is seen, or is told that the format has changed. */
  async #raiseFormat(): Promise<void> {
    const { client, keys, ownership, logInfo } = this.#options;
    const setting = keys.setting(FORMAT_SETTING);
    const { kvs: written } = await client.range({ key: setting });
    const { kvs: joined } = await client.range({ key: keys.joined });
    const { kvs: servers } = await client.range(keys.servers);
    const formats = servers.map(({ value }) => factsOf(value).format ?? 0);
    const least = Math.min(...formats);
    const isNewer = Number.isFinite(least) && least > Number(asText(written));
    const [last] = joined;
    if (!isNewer || last === undefined) return;
    const { succeeded } = await client.txn({
      compare: [
        keys.ownedSince(ownership.fence),
        { key: keys.joined, is: '=', modRevision: last.modRevision },
      ],
      success: [{ put: { key: setting, value: Buffer.from(String(least)) } }],
    });
    if (succeeded) logInfo(`what is in etcd goes to format ${least}: all servers know it`);
  }

  async #put(key: Uint8Array, value: string): Promise<void> {
    const { client, keys, ownership } = this.#options;
    await client.txn({
      compare: [keys.ownedSince(ownership.fence)],
      success: [{ put: { key, value: Buffer.from(value) } }],
    });
  }
}
