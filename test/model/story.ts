/**
 * A short correct history, told by hand, into which tests put what is right or wrong. Times are
 * tens: what is written at 40 is answered at 45.
 *
 *     version  time  what
 *           2    20  a is created, app=x
 *           3    30  a is updated, app=y
 *           4    40  b is created, app=x, held by a finalizer
 *           5    50  a is deleted
 *           6    60  b is deleted: marked
 *                70  the server is killed
 *         100    80  a is created again, app=x
 *         101    90  b is released by an update: gone
 */
import type {
  GetRecord,
  HistoryRecord,
  ListRecord,
  Observed,
  SeenEvent,
  WatchRecord,
  WriteRecord,
} from './records.ts';

export const TYPE = 'ConfigMap';
const ALL = { namespace: '' };
const OWNER = 'Update:me';

function object(version: number, name: string, stamp: string, more: Partial<Observed>): Observed {
  const content = { uid: `uid-${name}`, app: 'x', held: false, terminating: false, ...more };
  const digest = more.digest ?? `${stamp}${content.terminating ? ' terminating' : ''}`;
  const owned = { notes: {}, admitted: '', stampOwners: [OWNER], appOwners: [OWNER], ...content };
  return { version, key: `n1/${name}`, secretType: '', stamp, ...owned, digest };
}

export const A2 = object(2, 'a', 's2', {});
export const A3 = object(3, 'a', 's3', { app: 'y' });
export const B4 = object(4, 'b', 's4', { held: true });
export const A5 = { ...A3, version: 5 };
export const B6 = { ...B4, version: 6, terminating: true, digest: 's4 terminating' };
export const A100 = object(100, 'a', 's100', { uid: 'uid-a2' });
export const B101 = { ...B6, version: 101 };

export function event(type: string, shown: Observed, version = shown.version): SeenEvent {
  const time = version < 100 ? version * 10 + 6 : (version - 100) * 10 + 86;
  return { time, type, version, object: { ...shown, version } };
}

export function bookmark(version: number, time: number, initialEnd = false): SeenEvent {
  return { time, type: 'BOOKMARK', version, ...(initialEnd ? { initialEnd } : {}) };
}

export const EVENTS: readonly SeenEvent[] = [
  event('ADDED', A2),
  event('MODIFIED', A3),
  event('ADDED', B4),
  event('DELETED', A5),
  event('MODIFIED', B6),
  event('ADDED', A100),
  event('DELETED', B101),
];

/** The common members of records of requests of this moment. */
function at(start: number, code: number) {
  return { type: TYPE, start, end: start + 5, code };
}

export function write(start: number, code: number, more: Partial<WriteRecord> = {}): WriteRecord {
  const { answer } = more;
  return {
    record: 'write',
    ...at(start, code),
    verb: 'update',
    expects: 0,
    held: answer?.held ?? false,
    app: answer?.app ?? 'x',
    owner: OWNER,
    force: false,
    key: answer?.key ?? 'n1/a',
    stamp: answer?.stamp ?? '',
    outcome: code < 300 ? 'acknowledged' : 'refused',
    ...more,
  };
}

export function get(start: number, answer: Observed | undefined, asked = ''): GetRecord {
  const request = { record: 'get', ...at(start, answer === undefined ? 404 : 200), asked } as const;
  return answer === undefined
    ? { ...request, key: 'n1/a' }
    : { ...request, key: answer.key, answer };
}

export function list(start: number, more: Partial<ListRecord>): ListRecord {
  const request = { scope: ALL, asked: '', match: '', limit: 0, after: '', pages: [] } as const;
  return { record: 'list', ...at(start, 200), ...request, ...more };
}

/** A list in one answer. */
export function wholeList(start: number, version: number, items: readonly Observed[]): ListRecord {
  return list(start, { pages: [{ version, items, more: false }] });
}

export function watch(
  start: number,
  asked: string,
  events: readonly SeenEvent[],
  more: Partial<WatchRecord> = {},
): WatchRecord {
  return {
    record: 'watch',
    ...at(start, 200),
    end: start + 900,
    opened: start + 2,
    scope: ALL,
    asked,
    bookmarks: false,
    streamsList: false,
    events,
    settled: false,
    scribe: false,
    ...more,
  };
}

/** The story above: the scribe's list and its watch, then the writes in order. */
export function story(): HistoryRecord[] {
  return [
    wholeList(10, 1, []),
    watch(11, '1', EVENTS, { scribe: true, settled: true }),
    write(20, 201, { verb: 'create', answer: A2 }),
    write(30, 200, { answer: A3, expects: 2 }),
    write(40, 201, { verb: 'create', answer: B4 }),
    write(50, 200, { verb: 'delete', endedUid: 'uid-a' }),
    write(60, 200, { verb: 'delete', answer: B6, stamp: '' }),
    { record: 'server', what: 'kill', start: 70 },
    { record: 'server', what: 'ready', start: 75 },
    write(80, 201, { verb: 'create', answer: A100 }),
    write(90, 200, { key: 'n1/b', stamp: 's101', endedUid: 'uid-b' }),
  ];
}

/** The story, and then creates with these stamps where webhooks and a quota have a say. */
export function governed(stamps: readonly string[], admitted?: string): HistoryRecord[] {
  const objects = stamps.map((stamp, at) => {
    const [version, key, uid] = [102 + at, `n2/${stamp}`, `uid-${stamp}`];
    return { ...A100, version, key, uid, stamp, digest: stamp, admitted: admitted ?? stamp };
  });
  const events = [...EVENTS, ...objects.map((one) => event('ADDED', one))];
  const scribe = watch(11, '1', events, { scribe: true, settled: true });
  return [...story().with(1, scribe), ...objects.map((one) => madeAs(one))];
}

function madeAs(answer: Observed): WriteRecord {
  return write(92 + (answer.version - 102) * 10, 201, { verb: 'create', answer });
}

export function refusal(stamp: string, refusedBy: WriteRecord['refusedBy']): WriteRecord {
  return write(92, 403, { verb: 'create', key: 'n2/a', stamp, refusedBy });
}
