/**
 * Watches in the shape a front uses them, and what each should have been sent: worked out from
 * the log alone, by the table of src/shard/README.md#watches.
 */
import type { Answer } from '../../src/actors/link.ts';
import { bookmark } from '../../src/shard/watch/bookmark.ts';
import type { Subscriber } from '../../src/shard/state/watch-hub.ts';
import { Watches } from '../../src/shard/watch/watch.ts';
import type { WatchPage, WatchRequest } from '../../src/protocol/shard-protocol.ts';
import { decodeRecordHeader, OPERATION, wireBytes } from '../../src/storage/record.ts';
import type { TypeLog } from '../../src/storage/store.ts';
import { HeldLog } from '../support/held-log.ts';
import { configMap } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

export interface Event {
  readonly type: string;
  readonly object: TestObject;
}

export interface Asked {
  readonly namespace: string;
  /** A label that must have this value; '' for any object. */
  readonly app: string;
  /** '' for the present state. */
  readonly resourceVersion: string;
  /** `sendInitialEvents`; absent when the client does not say. */
  readonly initialEvents?: WatchRequest['initialEvents'];
}

function asksState({ resourceVersion, initialEvents = '' }: Asked): boolean {
  if (initialEvents !== '') return initialEvents === 'true';
  return resourceVersion === '' || resourceVersion === '0';
}

/** One watch: what it asked for and what it was sent. */
export class Reader {
  readonly asked: Asked;
  /** The version whose state it began with, or after which it asked for changes. */
  fromRv: number;
  readonly events: Event[] = [];
  pages = 0;
  /** Versions of bookmarks while live, each with the number of events before it. */
  readonly bookmarks: { readonly rv: number; readonly eventCount: number }[] = [];
  rv = 0;
  channel: number | undefined;
  asking = false;
  failure: Error | undefined;

  constructor(asked: Asked, fromRv: number) {
    this.asked = asked;
    this.fromRv = fromRv;
  }

  take(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString();
    if (text !== '' && !text.endsWith('\n')) throw new Error('an event ends its line');
    for (const line of text.split('\n').slice(0, -1)) this.events.push(JSON.parse(line));
  }
}

/** The reader's side of one link to a shard. */
export class WatchFront implements Subscriber {
  readonly readers = new Map<number, Reader>();
  readonly #subject: ShardUnderTest;
  readonly #watches: Watches;
  #nextId = 1;

  constructor(subject: ShardUnderTest) {
    this.#subject = subject;
    this.#watches = new Watches(subject.shard, this);
  }

  end(): never {
    throw new Error('no watch is to end');
  }

  publish(channels: number[], rv: number, ...frame: Uint8Array[]): void {
    for (const reader of this.readers.values()) {
      if (reader.channel === undefined || !channels.includes(reader.channel)) continue;
      if (rv <= reader.rv) throw new Error(`${rv} published to a watch that has seen ${reader.rv}`);
      reader.rv = rv;
      reader.take(Buffer.concat(frame));
    }
  }

  /** Throws what the shard refuses it with at once. */
  open(asked: Asked, request: Partial<WatchRequest> = {}): [id: number, reader: Reader] {
    const id = this.#nextId++;
    const { pipeline } = this.#subject.shard;
    const fromRv = Number(asked.resourceVersion) || pipeline.listVersion();
    const reader = new Reader(asked, fromRv);
    this.readers.set(id, reader);
    const labelSelector = asked.app === '' ? '' : `app=${asked.app}`;
    const { namespace, resourceVersion, initialEvents = '' } = asked;
    const selectors = { namespace, labelSelector, fieldSelector: '' };
    const answer = this.#pageOf(reader);
    let refused: unknown;
    const fail = (error: unknown): void => {
      refused = error;
      answer.fail(error);
    };
    this.#watches.open(
      { watchId: id, ...selectors, resourceVersion, initialEvents, ...request },
      { ...answer, fail },
    );
    if (refused !== undefined) throw refused;
    return [id, reader];
  }

  more(id: number): void {
    const reader = this.readers.get(id);
    if (reader === undefined || reader.channel !== undefined || reader.asking) return;
    this.#watches.more({ watchId: id }, this.#pageOf(reader));
  }

  /** Notes what a bookmark would tell each live watch now. */
  bookmark(): void {
    const answer: Answer<{ rv: number }> = {
      reply: ({ rv }) => {
        for (const { channel, bookmarks, events } of this.readers.values()) {
          if (channel !== undefined) bookmarks.push({ rv, eventCount: events.length });
        }
      },
      fail: (error) => {
        throw error;
      },
    };
    bookmark(this.#subject.shard, { views: [{}] }, answer);
  }

  close(id: number): void {
    this.readers.delete(id);
    this.#watches.close(id);
  }

  /** The link is closed. */
  leave(): void {
    this.readers.clear();
    this.#watches.closeAll();
  }

  #pageOf(reader: Reader) {
    reader.asking = true;
    return {
      reply: ({ rv, channel }: WatchPage, ...body: Uint8Array[]): void => {
        reader.asking = false;
        // A state may be of a later version than the one that was current when it was asked for.
        if (reader.pages++ === 0 && asksState(reader.asked)) reader.fromRv = rv;
        reader.rv = rv;
        reader.channel = channel;
        reader.take(Buffer.concat(body));
      },
      fail: (error: unknown): void => void (reader.failure = error as Error),
    };
  }
}

interface State {
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly object: TestObject;
}

function objectOf(record: Uint8Array): TestObject {
  return JSON.parse(`{${Buffer.from(wireBytes(record)).toString()}`);
}

function matches({ namespace, app }: Asked, key: string, state: State | undefined): boolean {
  if (state === undefined) return false;
  const inNamespace = namespace === '' || key.split('/')[0] === namespace;
  return inNamespace && (app === '' || state.labels?.['app'] === app);
}

/** The state at `fromRv` as ADDED events, and every event after it. */
export function expectedEvents(log: TypeLog, { asked, fromRv }: Reader): Event[] {
  const states = new Map<string, State>();
  const changes: Event[] = [];
  let before: Map<string, State> | undefined;
  log.scan(0, (rv, record) => {
    const { key, labels, operation } = decodeRecordHeader(record);
    const object = objectOf(record);
    if (rv > fromRv) before ??= new Map(states);
    const old = states.get(key);
    const next = operation === OPERATION.deleted ? undefined : { labels, object };
    if (next === undefined) states.delete(key);
    else states.set(key, next);
    if (rv <= fromRv) return true;
    const [was, is] = [matches(asked, key, old), matches(asked, key, next)];
    if (is) changes.push({ type: was ? 'MODIFIED' : 'ADDED', object });
    else if (was && next === undefined) changes.push({ type: 'DELETED', object });
    else if (was) changes.push({ type: 'DELETED', object: withVersion(old?.object, rv) });
    return true;
  });
  if (!asksState(asked)) return changes;
  const present = [...(before ?? states)]
    .filter(([key, state]) => matches(asked, key, state))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { object }]) => ({ type: 'ADDED', object }));
  const closing = asked.initialEvents === 'true' ? [closingBookmark(fromRv)] : [];
  return [...present, ...closing, ...changes];
}

function closingBookmark(rv: number): Event {
  const annotations = { 'cluster.io/initial-events-end': 'true' };
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(rv), annotations } } };
}

function withVersion(object: TestObject, rv: number): TestObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(rv) } };
}

/** Bookmarks that an event before or after them contradicts. */
export function wrongBookmarks({ bookmarks, events }: Reader): string[] {
  const versionAt = (index: number): number =>
    Number(events[index]?.object.metadata.resourceVersion);
  return bookmarks
    .filter(({ rv, eventCount }) => versionAt(eventCount - 1) > rv || versionAt(eventCount) <= rv)
    .map(({ rv, eventCount }) => `bookmark ${rv} after ${eventCount} events`);
}

/** Events as a test compares them: short, without the bulk of the data. */
export function brief(events: readonly Event[]): string[] {
  return events.map(({ type, object: { metadata, data } }) => {
    const { namespace, name, resourceVersion, labels, annotations } = metadata;
    if (type === 'BOOKMARK') return `BOOKMARK ${resourceVersion} ${JSON.stringify(annotations)}`;
    const mark = String(data?.mark ?? '');
    return `${type} ${namespace}/${name} ${resourceVersion} ${labels?.app ?? ''} ${mark}`;
  });
}

export const EVERYTHING: Asked = { namespace: '', app: '', resourceVersion: '' };

export function newShard(): { log: HeldLog; subject: ShardUnderTest; front: WatchFront } {
  const log = new HeldLog();
  const subject = new ShardUnderTest({ log });
  return { log, subject, front: new WatchFront(subject) };
}

/** A ConfigMap in namespace `a`. */
export function labelled(name: string, app: string, mark = ''): TestObject {
  return configMap(name, { mark }, { namespace: 'a', labels: { app } });
}
