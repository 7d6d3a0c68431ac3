/**
 * What etcd has of one type, for a view: first the objects at the revision where history begins,
 * then group after group, as long as another server owns the type.
 */
import type {
  EtcdClient,
  KeyValue,
  Range,
  RangeResult,
  RunningWatch,
  WatchListener,
} from '../etcd/etcd.ts';
import { appendAll } from '../base/append-all.ts';
import type { LogEntry } from '../storage/store.ts';
import { groupHeader, objectEntry } from './group.ts';
import { GroupAssembler, type Group } from './group-assembler.ts';
import type { JournalKeys } from './keys.ts';
import { PROGRESS_MS, RANGE_BYTES, RANGE_OBJECTS, RANGE_OBJECTS_MIN } from './limits.ts';
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

/** Takes some of the objects that a type has at one revision. */
type Store = (entries: readonly LogEntry[]) => Promise<void>;

interface Waiter {
  readonly revision: number;
  resolve(): void;
}

export class TypeFeed {
  readonly #options: TypeFeedOptions;
  readonly #queue: Group[] = [];
  #sink: ((group: Group) => void) | undefined;
  #onGiven: (() => void) | undefined;
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
   * Reads the objects as of `revision` in pieces that go to `store`, telling `reading` of it, and
   * watches from there. Resolves with the newest version of the type then: history begins after it.
   * Rejects with EtcdError, such as `compacted`.
   */
  async begin(revision: number, reading: Reading, store: Store): Promise<number> {
    await Promise.all([this.#readAll(revision, reading, store), this.#lastGroup(revision)]);
    this.#watchFrom(revision);
    return this.#lastRv;
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

  /** Takes groups that have come, in their order: about so many entries, all newer than that. */
  take(entriesMax: number, knownRv: number): readonly LogEntry[] {
    const taken: LogEntry[] = [];
    while (taken.length < entriesMax) {
      const group = this.#queue.shift();
      if (group === undefined) break;
      if (group.lastRv > knownRv) appendAll(taken, group.entries);
    }
    return taken;
  }

  /** Resolves when a group comes. */
  whenGiven(): Promise<void> {
    return new Promise((resolve) => (this.#onGiven = resolve));
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

  /** The next piece is on its way while one is stored. */
  async #readAll(revision: number, reading: Reading, store: Store): Promise<void> {
    const { type, keys } = this.#options;
    const { key, rangeEnd } = keys.objects(type);
    let limit = RANGE_OBJECTS_MIN;
    let before = 0;
    let next = this.#piece({ key, ...(rangeEnd && { rangeEnd }), revision, limit });
    for (;;) {
      const { kvs, more, count } = await next;
      // Counted from where the range begins.
      reading.answered(kvs.length, before + count);
      before += kvs.length;
      const last = more ? kvs.at(-1) : undefined;
      if (last !== undefined) {
        limit = nextLimit(limit, kvs);
        const behind = Buffer.concat([last.key, Buffer.from([0])]);
        next = this.#piece({ key: behind, ...(rangeEnd && { rangeEnd }), revision, limit });
      }
      if (kvs.length > 0) await store(kvs.map(({ value }) => objectEntry(value)));
      if (last === undefined) return;
    }
  }

  #piece(range: Range): Promise<RangeResult> {
    const piece = this.#options.client.range(range);
    // Told when the piece before it is stored.
    piece.catch(() => undefined);
    return piece;
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
    this.#onGiven?.();
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

/** How many objects the next piece is to have, where they are about as long as those. */
function nextLimit(limit: number, kvs: readonly KeyValue[]): number {
  const bytes = kvs.reduce((sum, { value }) => sum + value.length, 0);
  const fitting = Math.floor((RANGE_BYTES * kvs.length) / Math.max(1, bytes));
  return Math.max(1, Math.min(RANGE_OBJECTS, limit * 4, fitting));
}
