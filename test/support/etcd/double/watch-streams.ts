/** Streams that carry watches, as etcd answers them. */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Keys } from '../../../../src/etcd/etcd.ts';
import { EVENT_TYPES } from '../../../../src/etcd/message-types.ts';
import type { WatchCreateMessage, WatchMessage } from '../../../../src/etcd/message-types.ts';
import { hasNoEnd, isIn } from './mvcc.ts';
import type { Mvcc, Revision, StoredEvent } from './mvcc.ts';
import type { StatusError } from './status-error.ts';
import { writtenKeyValue } from './transactions.ts';

type WatchCall = ServerDuplexStream<WatchMessage, object>;

/** Etcd gives so many revisions at once to a watch that catches up. */
const REVISIONS_AT_ONCE = 1_000;

/** In an answer: of no single watch. */
const NO_WATCH = -1;

interface Watcher {
  readonly keys: Keys;
  readonly startRevision: number;
  readonly prevKv: boolean;
  readonly fragment: boolean;
  /** The first revision that was not given. */
  next: number;
  state: 'behind' | 'live' | 'compacted';
}

/** What may go wrong on the way of events, which TCP itself prevents. */
export interface WatchFaults {
  /** Each answer with events is sent twice. */
  duplicates: boolean;
  /** Answers with more bytes come in parts. */
  answerBytesMax: number;
}

export class WatchStreams {
  readonly #mvcc: Mvcc;
  readonly #faults: WatchFaults;
  readonly #streams = new Set<DoubleWatchStream>();

  constructor(mvcc: Mvcc, faults: WatchFaults) {
    this.#mvcc = mvcc;
    this.#faults = faults;
  }

  get count(): number {
    return this.#streams.size;
  }

  open(call: WatchCall): void {
    const stream = new DoubleWatchStream(this.#mvcc, this.#faults, call);
    this.#streams.add(stream);
    call.on('data', (message: WatchMessage) => stream.asked(message));
    call.on('end', () => {
      this.#streams.delete(stream);
      call.end();
    });
    for (const event of ['error', 'cancelled']) call.on(event, () => this.#streams.delete(stream));
  }

  written(revision: Revision): void {
    for (const stream of this.#streams) stream.written(revision);
  }

  /** Ends those that need a leader. */
  endAll(error: StatusError): void {
    for (const stream of this.#streams) stream.end(error);
    this.#streams.clear();
  }
}

class DoubleWatchStream {
  readonly #mvcc: Mvcc;
  readonly #faults: WatchFaults;
  readonly #call: WatchCall;
  readonly #watchers = new Map<number, Watcher>();
  #lastId = -1;

  constructor(mvcc: Mvcc, faults: WatchFaults, call: WatchCall) {
    this.#mvcc = mvcc;
    this.#faults = faults;
    this.#call = call;
  }

  asked({ createRequest, cancelRequest, progressRequest }: WatchMessage): void {
    if (createRequest !== null) this.#create(createRequest);
    else if (cancelRequest !== null) this.#cancel(Number(cancelRequest.watchId));
    else if (progressRequest !== null) this.#tellProgress();
  }

  written(revision: Revision): void {
    for (const [id, watcher] of this.#watchers) {
      if (watcher.state !== 'live' || revision.revision < watcher.next) continue;
      watcher.next = revision.revision + 1;
      this.#give(id, watcher, eventsFor(watcher, revision));
    }
  }

  end(error: StatusError): void {
    this.#call.emit('error', error);
  }

  #create(message: WatchCreateMessage): void {
    const { rangeEnd, prevKv, fragment } = message;
    const key = message.key.length === 0 ? new Uint8Array(1) : message.key;
    const startRevision = Number(message.startRevision);
    const id = Number(message.watchId) === 0 ? this.#newId() : Number(message.watchId);
    const hasEnd = rangeEnd.length > 0 && !hasNoEnd({ key, rangeEnd });
    const isEmpty = hasEnd && Buffer.compare(key, rangeEnd) >= 0;
    const why = isEmpty
      ? 'mvcc: watcher range is empty'
      : 'mvcc: duplicate watch ID provided on the WatchStream';
    if (isEmpty || this.#watchers.has(id)) {
      this.#answer({ watchId: NO_WATCH, created: true, canceled: true, cancelReason: why });
      return;
    }
    const { revision } = this.#mvcc;
    const isLive = startRevision === 0 || startRevision > revision;
    this.#watchers.set(id, {
      keys: { key, rangeEnd },
      startRevision,
      prevKv,
      fragment,
      next: isLive ? Math.max(startRevision, revision + 1) : startRevision,
      state: isLive ? 'live' : 'behind',
    });
    this.#answer({ watchId: id, created: true });
    if (!isLive) setImmediate(() => this.#catchUp(id));
  }

  #newId(): number {
    do this.#lastId += 1;
    while (this.#watchers.has(this.#lastId));
    return this.#lastId;
  }

  #catchUp(id: number): void {
    const watcher = this.#watchers.get(id);
    if (watcher?.state !== 'behind') return;
    if (watcher.next < this.#mvcc.compacted) {
      watcher.state = 'compacted';
      const compactRevision = this.#mvcc.compacted;
      this.#answer({ watchId: id, canceled: true, compactRevision });
      return;
    }
    const revisions = this.#mvcc
      .since(watcher.next)
      .map((revision) => ({ revision: revision.revision, events: eventsFor(watcher, revision) }))
      .filter(({ events }) => events.length > 0);
    const given = revisions.slice(0, REVISIONS_AT_ONCE);
    const more = revisions[given.length];
    watcher.next = more === undefined ? this.#mvcc.revision + 1 : more.revision;
    this.#give(
      id,
      watcher,
      given.flatMap(({ events }) => events),
    );
    if (more === undefined) watcher.state = 'live';
    else setImmediate(() => this.#catchUp(id));
  }

  #cancel(id: number): void {
    if (this.#watchers.delete(id)) this.#answer({ watchId: id, canceled: true });
  }

  /** Nothing is told while one watch is behind, or begins in the future. */
  #tellProgress(): void {
    const { revision } = this.#mvcc;
    const watchers = [...this.#watchers.values()];
    const areLive = watchers.every(
      ({ state, startRevision }) => state === 'live' && startRevision <= revision,
    );
    if (watchers.length > 0 && areLive) this.#answer({ watchId: NO_WATCH });
  }

  #give(id: number, { prevKv, fragment }: Watcher, events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    const written = events.map((event) => this.#writtenEvent(event, prevKv));
    const parts = fragment ? this.#partsOf(written) : [written];
    for (let times = this.#faults.duplicates ? 2 : 1; times > 0; times -= 1) {
      for (const [index, part] of parts.entries()) {
        const isLast = index === parts.length - 1;
        this.#answer({ watchId: id, events: part.map(({ event }) => event), fragment: !isLast });
      }
    }
  }

  #writtenEvent(event: StoredEvent, prevKv: boolean): WrittenEvent {
    const before = prevKv ? this.#mvcc.before(event) : undefined;
    const previous = before === undefined ? {} : { prevKv: writtenKeyValue(before) };
    const bytes = event.kv.value.length + event.kv.key.length + (before?.value.length ?? 0);
    const type = EVENT_TYPES.indexOf(event.type);
    return { bytes, event: { type, kv: writtenKeyValue(event.kv), ...previous } };
  }

  #partsOf(events: readonly WrittenEvent[]): readonly (readonly WrittenEvent[])[] {
    const parts: WrittenEvent[][] = [[]];
    let bytes = 0;
    for (const event of events) {
      bytes += event.bytes;
      const part = parts.at(-1) ?? [];
      if (bytes < this.#faults.answerBytesMax || part.length === 0) {
        part.push(event);
      } else {
        parts.push([event]);
        bytes = event.bytes;
      }
    }
    return parts;
  }

  #answer(answer: object): void {
    this.#call.write({ header: { revision: this.#mvcc.revision }, ...answer });
  }
}

interface WrittenEvent {
  readonly bytes: number;
  readonly event: object;
}

function eventsFor({ keys }: Watcher, { events }: Revision): readonly StoredEvent[] {
  return events.filter(({ kv }) => isIn(keys, kv.key));
}
