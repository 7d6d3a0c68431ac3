/** The journal in etcd, as a thread with shards has it: it opens types. */
import type { EtcdClient } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import type { LogEntry, TypeLog } from '../storage/store.ts';
import { Freshness } from './freshness.ts';
import type { Group } from './group-assembler.ts';
import { historyStart } from './history-start.ts';
import { JournaledLog } from './journaled-log.ts';
import type { JournalMetrics } from './journaled-log.ts';
import { JournaledType } from './journaled-type.ts';
import type { JournalKeys } from './keys.ts';
import { IDLE_PROGRESS_MS, VIEW_APPEND_RECORDS } from './limits.ts';
import type { Ownership } from './ownership.ts';
import type { ThreadVersions, TypeVersions } from './thread-versions.ts';
import { TypeFeed } from './type-feed.ts';

export interface JournalOptions {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly clock: VersionClock;
  readonly versions: ThreadVersions;
  readonly metrics?: JournalMetrics;
  /** The server has to begin anew. */
  readonly onBroken: (error: Error) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #freshness: Freshness;
  #isAsking = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#freshness = new Freshness(options.client, options.keys);
  }

  /**
   * Fills an empty view with what etcd has of the type: all that is live, and its history as far as
   * etcd has it. Resolves when nothing that was answered before is missing.
   */
  async open(type: string, view: TypeLog): Promise<JournaledType> {
    const { client, keys, ownership, clock, versions, metrics, onBroken } = this.#options;
    const feed = await this.#fill(type, view);
    let shard: TypeVersions | undefined;
    const log: JournaledLog = new JournaledLog(view, {
      type,
      keys,
      client,
      ownership,
      safeRv: () => versions.safeRv(shard),
      onFound: (entries) => opened.found(entries),
      onBroken,
      ...(metrics && { metrics }),
    });
    const opened = new JournaledType({
      log,
      feed,
      clock,
      ownership,
      versions,
      newest: () => this.#freshness.newest(),
      onShard: (its) => (shard = its),
      onBroken,
    });
    return opened;
  }

  async #fill(type: string, view: TypeLog): Promise<TypeFeed> {
    const { client, keys, ownership, onBroken } = this.#options;
    const onReached = (revision: number): void => ownership.see(revision);
    for (;;) {
      const feed = new TypeFeed({ type, keys, client, onEnd: onBroken, onReached });
      try {
        const { entries, horizon } = await feed.begin(await historyStart(client, keys));
        await appendBase(view, entries, horizon);
        const { revision } = await this.#freshness.newest();
        await feed.whenAt(revision);
        for (let group = feed.take(); group !== undefined; group = feed.take()) {
          await appendGroup(view, group);
        }
        this.#askProgress(feed);
        return feed;
      } catch (error) {
        feed.close();
        // History went on meanwhile.
        const isOld = error instanceof EtcdError && error.reason === 'compacted';
        if (!isOld || view.count() > 0) throw error;
      }
    }
  }

  /** Nothing is told of a type that nobody writes to: one of them is asked for all. */
  #askProgress(feed: TypeFeed): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    setInterval(() => feed.askProgress(), IDLE_PROGRESS_MS).unref();
  }
}

async function appendBase(
  view: TypeLog,
  entries: readonly LogEntry[],
  horizon: number,
): Promise<void> {
  for (let at = 0; at < entries.length; at += VIEW_APPEND_RECORDS) {
    await view.append(entries.slice(at, at + VIEW_APPEND_RECORDS));
  }
  if (horizon > 0) await view.append([], { rvs: [], horizon });
}

async function appendGroup(view: TypeLog, { entries }: Group): Promise<void> {
  if (entries.length > 0) await view.append(entries);
}
