/** The journal in etcd, as a thread with shards has it: it opens types. */
import type { EtcdClient } from '../etcd/etcd.ts';
import { EtcdError } from '../etcd/etcd-error.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import type { LogEntry, TypeLog } from '../storage/store.ts';
import { Freshness } from './freshness.ts';
import { historyStart } from './history-start.ts';
import { JournaledLog } from './journaled-log.ts';
import type { JournalMetrics } from './journaled-log.ts';
import { JournaledType } from './journaled-type.ts';
import type { JournalKeys } from './keys.ts';
import { IDLE_PROGRESS_MS, VIEW_APPEND_RECORDS } from './limits.ts';
import type { Ownership } from './ownership.ts';
import { RejoinError } from './rejoin-error.ts';
import type { ThreadVersions, TypeVersions } from './thread-versions.ts';
import { TypeFeed } from './type-feed.ts';
import type { ToldProgress } from './view-progress.ts';

export interface JournalOptions {
  readonly client: EtcdClient;
  readonly keys: JournalKeys;
  readonly ownership: Ownership;
  readonly clock: VersionClock;
  readonly versions: ThreadVersions;
  /** The revision from which views that hold something go on; 0 where all are empty. */
  readonly viewRevision: number;
  readonly progress: ToldProgress;
  readonly metrics?: JournalMetrics;
  /** The server has to begin anew. */
  readonly onBroken: (error: Error) => void;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #freshness: Freshness;
  readonly #types = new Set<JournaledType>();
  #isAsking = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#freshness = new Freshness(options.client, options.keys);
  }

  /**
   * Brings a view to what etcd has of the type: an empty one gets all that is live, and its history
   * as far as etcd has it; one of an earlier run gets what it lacks. Resolves when nothing that was
   * answered before is missing. Rejects with EtcdError, and with RejoinError where the view is not
   * one of what is in etcd.
   */
  async open(type: string, view: TypeLog): Promise<JournaledType> {
    const { client, keys, ownership, clock, versions, metrics, onBroken } = this.#options;
    const isOld = view.count() > 0 || view.horizon() > 0;
    const feed = await (isOld ? this.#goOn(type, view) : this.#fill(type, view));
    this.#askProgress(feed);
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
      onClose: () => this.#types.delete(opened),
      onBroken,
    });
    this.#types.add(opened);
    return opened;
  }

  async #fill(type: string, view: TypeLog): Promise<TypeFeed> {
    const { client, keys, progress } = this.#options;
    const reading = progress.begin();
    let revision = await historyStart(client, keys);
    for (;;) {
      const feed = this.#newFeed(type);
      const filled: number[] = [];
      const store = async (entries: readonly LogEntry[]): Promise<void> => {
        await view.fill(entries);
        for (const { rv } of entries) filled.push(rv);
      };
      try {
        const horizon = await feed.begin(revision, reading, store);
        if (horizon > 0) await view.append([], { rvs: [], horizon });
        await this.#catchUp(feed, view, horizon);
        return feed;
      } catch (error) {
        feed.close();
        const isOld = error instanceof EtcdError && error.reason === 'compacted';
        if (!isOld) throw error;
        // History began later before all was read: that of now lasts the longest.
        await view.append([], { rvs: filled, horizon: 0 });
        reading.forget();
        ({ revision } = await this.#freshness.newest());
      }
    }
  }

  /** From where an earlier run has left it. */
  async #goOn(type: string, view: TypeLog): Promise<TypeFeed> {
    const feed = this.#newFeed(type);
    try {
      await feed.goOn(this.#options.viewRevision);
      await this.#catchUp(feed, view, newestIn(view, feed.lastRv));
      return feed;
    } catch (error) {
      feed.close();
      const isOld = error instanceof EtcdError && error.sort === 'refused';
      throw isOld ? new RejoinError(`the view is old: ${error.message}`) : error;
    }
  }

  #newFeed(type: string): TypeFeed {
    const { client, keys, ownership, onBroken } = this.#options;
    const onReached = (revision: number): void => ownership.see(revision);
    return new TypeFeed({ type, keys, client, onEnd: onBroken, onReached });
  }

  /** Appends all that was answered by now, and is newer than `knownRv`. */
  async #catchUp(feed: TypeFeed, view: TypeLog, knownRv: number): Promise<void> {
    const { revision } = await this.#freshness.newest();
    const reached = feed.whenAt(revision);
    for (;;) {
      const isAll = feed.revision >= revision;
      const entries = feed.take(VIEW_APPEND_RECORDS, knownRv);
      if (entries.length > 0) await view.append(entries);
      else if (isAll) return;
      else await Promise.race([reached, feed.whenGiven()]);
    }
  }

  /** Nothing is told of a type that nobody writes to: one of them is asked for all. */
  #askProgress(feed: TypeFeed): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { progress } = this.#options;
    setInterval(() => {
      feed.askProgress();
      const revisions = [...this.#types].map((type) => type.viewRevision());
      // While a server stops, types end before their thread.
      if (revisions.length > 0) progress.reached(Math.min(...revisions));
    }, IDLE_PROGRESS_MS).unref();
  }
}

/** The newest version that the view knows of. Throws RejoinError where it lacks `lastRv`. */
function newestIn(view: TypeLog, lastRv: number): number {
  let newest = view.horizon();
  view.scan(Math.max(0, lastRv - 1), (rv) => {
    newest = Math.max(newest, rv);
    return true;
  });
  if (newest < lastRv) throw new RejoinError(`version ${lastRv} is missing in the view`);
  return newest;
}
