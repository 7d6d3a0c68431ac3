/**
 * What etcd has of one type, for a view: first the objects at the revision where history begins,
 * then group after group, as long as another server owns the type.
 */
import type { EtcdClient, KeyValue, RunningWatch, WatchListener } from '../etcd/etcd.ts';
import { appendAll } from '../base/append-all.ts';
import type { LogEntry } from '../storage/store.ts';
import { groupHeader, objectEntry } from './group.ts';
import { GroupAssembler, type Group } from './group-assembler.ts';
import type { JournalKeys } from './keys.ts';
import { PROGRESS_MS, RANGE_OBJECTS } from './limits.ts';
import type { Reading } from './view-progress.ts';

export interface TypeFeedOptions {
  readonly type: string;
  readonly keys: JournalKeys;
  readonly client: EtcdClient;
  /**
   * History is gone from where the view is, etcd refuses the watch, or what it tells is not whole:
   * it cannot go on.
   */
  readonly onEnd: (error: Error) => void;
  /** All groups up to this revision were given. */
  readonly onReached?: (revision: number) => void;
}

/** The state of a type at one revision. */
export interface FeedBase {
  /** By versions. */
  readonly entries: readonly LogEntry[];
  /** The newest version of the type then: history begins after it. */
  readonly horizon: number;
}

interface Waiter {
  readonly revision: number;
  resolve(): void;
}

export class TypeFeed {
  readonly #options: TypeFeedOptions;
  readonly #queue: Group[] = [];
  #sink: ((group: Group) => void) | undefined;
  #watches: readonly RunningWatch[] = [];
  #assembler: GroupAssembler | undefined;
  /** How far each of the watches is. */
  readonly #reached = [0, 0];
  #waiters: Waiter[] = [];
  #asking: NodeJS.Timeout | undefined;
  #groupRevision = 0;
  #lastRv = 0;
  #isClosed = false;

  constructor(options: TypeFeedOptions) {
    this.#options = options;
  }

  /** The revision of the last group that was given; 0 for none. */
  get groupRevision(): number {
    return this.#groupRevision;
  }

  /** The newest version of the type that was given; 0 for none. */
  get lastRv(): number {
    return this.#lastRv;
  }

  /** All groups up to this revision were given. */
  get revision(): number {
    return Math.min(...this.#reached);
  }

  /**
   * Reads the objects as of `revision`, telling `reading` of it, and watches from there. Rejects
   * with EtcdError, such as `compacted`.
   */
  async begin(revision: number, reading: Reading): Promise<FeedBase> {
    const all = this.#rangeAll(revision, reading);
    const [kvs] = await Promise.all([all, this.#lastGroup(revision)]);
    const entries = kvs.map(({ value }) => objectEntry(value)).sort((a, b) => a.rv - b.rv);
    this.#watchFrom(revision);
    return { entries, horizon: this.#lastRv };
  }

  /** Watches from `revision` on, whose state is known. Rejects as `begin` does. */
  async goOn(revision: number): Promise<void> {
    await this.#lastGroup(revision);
    this.#watchFrom(revision);
  }

  /** Reads which group was the last at that revision. */
  async #lastGroup(revision: number): Promise<void> {
    const { type, keys, client } = this.#options;
    const { kvs } = await client.range({ key: keys.group(type), revision });
    this.#groupRevision = kvs[0]?.modRevision ?? 0;
    this.#lastRv = kvs[0] === undefined ? 0 : groupHeader(kvs[0].value).lastRv;
  }

  #watchFrom(revision: number): void {
    const { type, keys, client } = this.#options;
    const objects = keys.objects(type);
    const assembler = new GroupAssembler(objects.key, (its) => this.#give(its));
    const startRevision = revision + 1;
    this.#reached.fill(revision);
    this.#watches = [
      client.watch(
        { ...objects, startRevision },
        this.#listener(0, (events) => assembler.objects(events)),
      ),
      client.watch(
        { key: keys.group(type), startRevision },
        this.#listener(1, (events) => assembler.groups(events)),
      ),
    ];
    this.#assembler = assembler;
  }

  /** From now on each group goes there, those first that have come before. */
  follow(sink: (group: Group) => void): void {
    this.#sink = sink;
    for (const group of this.#queue.splice(0)) sink(group);
  }

  /** Takes what has come; undefined where nothing has. */
  take(): Group | undefined {
    return this.#queue.shift();
  }

  /** Resolves when all groups up to that revision were given. */
  whenAt(revision: number): Promise<void> {
    if (this.revision >= revision) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ revision, resolve });
      this.#askProgress();
    });
  }

  /** Has etcd tell how far it is. */
  askProgress(): void {
    if (!this.#isClosed) this.#watches[0]?.requestProgress();
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    clearInterval(this.#asking);
  }

  async #rangeAll(revision: number, reading: Reading): Promise<KeyValue[]> {
    const { type, keys, client } = this.#options;
    let { key } = keys.objects(type);
    const { rangeEnd } = keys.objects(type);
    const all: KeyValue[] = [];
    for (;;) {
      const range = { key, ...(rangeEnd && { rangeEnd }), revision, limit: RANGE_OBJECTS };
      const { kvs, more, count } = await client.range(range);
      // Counted from where the range begins.
      reading.answered(kvs.length, all.length + count);
      appendAll(all, kvs);
      const last = kvs.at(-1);
      if (!more || last === undefined) return all;
      key = Buffer.concat([last.key, Buffer.from([0])]);
    }
  }

  #listener(which: 0 | 1, take: (events: Parameters<WatchListener['events']>[0]) => void) {
    const reached = (revision: number): void => {
      this.#reached[which] = Math.max(this.#reached[which] ?? 0, revision);
      const waiting = this.#assembler?.oldestWaiting ?? Infinity;
      // Whoever counted on it would miss that group, and all that follow.
      if (waiting <= this.revision) return this.#broken(waiting);
      this.#options.onReached?.(this.revision);
      this.#wake();
    };
    return {
      events: (events, revision) => {
        take(events);
        reached(revision);
      },
      progress: reached,
      ended: (error) => this.#options.onEnd(error),
    } satisfies WatchListener;
  }

  #broken(revision: number): void {
    const { type, onEnd } = this.#options;
    this.close();
    onEnd(new Error(`etcd does not tell all of the group of ${type} at revision ${revision}`));
  }

  #give(group: Group): void {
    this.#groupRevision = group.revision;
    this.#lastRv = group.lastRv;
    if (this.#sink === undefined) this.#queue.push(group);
    else this.#sink(group);
  }

  #wake(): void {
    const { revision } = this;
    const ready = this.#waiters.filter((waiter) => waiter.revision <= revision);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.revision > revision);
    for (const { resolve } of ready) resolve();
  }

  /** Nothing is told while a watch of the client is behind: it is asked again. */
  #askProgress(): void {
    this.askProgress();
    this.#asking ??= setInterval(() => {
      if (this.#waiters.length > 0) this.askProgress();
      else {
        clearInterval(this.#asking);
        this.#asking = undefined;
      }
    }, PROGRESS_MS);
  }
}
