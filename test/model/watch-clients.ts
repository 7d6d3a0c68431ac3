/** Clients that watch: some go on where they were, some anew, some stop reading for a while. */
import type { Random } from '../support/random.ts';
import { BULK_NAMESPACE, pause, randomScope, repeat, TYPES } from './live-run.ts';
import type { LiveRun, OpenWatch } from './live-run.ts';
import { list } from './read-clients.ts';
import { observe } from './records.ts';
import type { Scope, SeenEvent, WatchRecord } from './records.ts';
import { openWatch } from './watch-connection.ts';
import type { StreamedEvent, WatchConnection } from './watch-connection.ts';

/**
 * More than a ring and the sockets take together, which stay small while a new connection is not
 * read; and how long to wait until that is written.
 */
const STALLED_BYTES_MAX = 7_000_000;
const STALL_MS_MAX = 3_000;

const INITIAL_END = 'cluster.io/initial-events-end';

interface WatchRequest {
  readonly type: string;
  readonly scope: Scope;
  readonly asked: string;
  readonly bookmarks: boolean;
  readonly streamsList: boolean;
  readonly timeoutSeconds: number;
  readonly scribe: boolean;
}

function seenEvent(run: LiveRun, { type, object }: StreamedEvent): SeenEvent {
  const time = run.now();
  if (type === 'ERROR') return { time, type, version: 0, code: object.code };
  if (type === 'MALFORMED') return { time, type, version: 0 };
  const version = Number(object.metadata.resourceVersion);
  run.saw(version, type !== 'BOOKMARK');
  if (type !== 'BOOKMARK') return { time, type, version, object: observe(object) };
  const isEnd = object.metadata.annotations?.[INITIAL_END] === 'true';
  return { time, type, version, ...(isEnd ? { initialEnd: true } : {}) };
}

/**
 * One connection: opens it, lets `use` do with it what it wants, and notes what came. Watches
 * that are open when the run ends are kept until they have seen everything.
 */
async function watch(
  run: LiveRun,
  request: WatchRequest,
  use: (connection: WatchConnection) => Promise<void>,
): Promise<WatchRecord> {
  const { timeoutSeconds, ...asked } = request;
  const path = run.scopePath(request.type, request.scope, [
    'watch=true',
    request.asked === '' ? '' : `resourceVersion=${request.asked}`,
    request.bookmarks ? 'allowWatchBookmarks=true' : '',
    request.streamsList ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan' : '',
    timeoutSeconds > 0 ? `timeoutSeconds=${timeoutSeconds}` : '',
  ]);
  const events: SeenEvent[] = [];
  let open: OpenWatch | undefined;
  const begun = { record: 'watch', ...asked, start: run.now(), events } as const;
  const connection = await openWatch(run.server, path, (streamed) => {
    const event = seenEvent(run, streamed);
    events.push(event);
    if (open !== undefined) open.lastVersion = Math.max(open.lastVersion, event.version);
  }).catch(() => undefined);
  const opened = run.now();
  const code = connection?.status ?? 0;
  let settled = false;
  if (connection !== undefined && code === 200) {
    open = { type: request.type, scope: request.scope, connection, lastVersion: 0, settled: false };
    run.openWatches.add(open);
    await Promise.race([use(connection), connection.ended]);
    if (run.isFinishing && !connection.isEnded) {
      connection.goOn();
      await Promise.race([run.settled.promise, connection.ended]);
      settled = open.settled && !connection.isEnded;
    }
    run.openWatches.delete(open);
  }
  connection?.close();
  await connection?.ended;
  const record: WatchRecord = { ...begun, opened, end: run.now(), code, settled };
  run.record(record);
  return record;
}

/** Where the next watch goes on so that nothing is missed; undefined for a new beginning. */
function resumeVersion(
  { asked, streamsList, events, code }: WatchRecord,
  wasComplete: boolean,
): string | undefined {
  const last = events.findLast(({ version }) => version > 0);
  if (events.at(-1)?.type === 'ERROR' || code === 410) return undefined;
  const asksState = asked === '' || asked === '0' || streamsList;
  // The first events of a state come in the order of names: only a change or a bookmark counts.
  if (asksState) return wasComplete ? last?.version.toString() : undefined;
  return last?.version.toString() ?? asked;
}

export async function watcher(run: LiveRun, random: Random): Promise<void> {
  let previous: WatchRecord | undefined;
  await repeat(run, async () => {
    const type = random.pick(TYPES);
    const fresh = randomScope(random, type);
    const [start, resume, flags, timeout] = [0, 0, 0, 0].map(() => random.fraction());
    const lifeMs = random.pick([50, 400, 2_000]) * (0.5 + random.fraction());
    const isBulk = random.fraction() < 0.1;
    const old = String(run.oldVersion(random));
    const goesOn = previous === undefined ? undefined : resumeVersion(previous, hasMoved(previous));
    const base = {
      scribe: false,
      bookmarks: flags! < 0.5,
      timeoutSeconds: timeout! < 0.2 ? 1 : 0,
    };
    const use = async (): Promise<void> => pause(run, lifeMs);
    if (previous !== undefined && goesOn !== undefined && resume! < 0.7) {
      const { type, scope } = previous;
      const request = { type, scope, asked: goesOn, streamsList: false, ...base };
      previous = await watch(run, request, use);
      return;
    }
    const scope = isBulk ? { ...fresh, namespace: BULK_NAMESPACE } : fresh;
    const asked = start! < 0.25 ? '' : start! < 0.4 ? '0' : old;
    const streamsList = flags! < 0.2;
    previous = await watch(run, { type, scope, asked, streamsList, ...base }, use);
  });
}

/** Whether a watch that began with the state has surely gone beyond it. */
function hasMoved({ events }: WatchRecord): boolean {
  return events.some(({ type }) => type !== 'ADDED' && type !== 'ERROR');
}

/** Stops reading again and again, so long that it falls off its ring. */
export async function staller(run: LiveRun, random: Random): Promise<void> {
  let previous: WatchRecord | undefined;
  await repeat(run, async () => {
    const [goesOn, isBulk] = [random.fraction() < 0.7, random.fraction() < 0.7];
    const resumed =
      previous === undefined || !goesOn ? undefined : resumeVersion(previous, hasMoved(previous));
    const scope = isBulk ? { namespace: BULK_NAMESPACE } : { namespace: '' };
    const request = {
      type: 'ConfigMap',
      scope: resumed === undefined ? scope : previous!.scope,
      asked: resumed ?? '',
      streamsList: false,
      bookmarks: false,
      timeoutSeconds: 0,
      scribe: false,
    };
    previous = await watch(run, request, async (connection) => {
      for (let at = 0; at < 2 && !run.isFinishing; at++) {
        connection.stall();
        const enough = run.bulkBytes + STALLED_BYTES_MAX * (0.7 + 0.3 * random.fraction());
        for (let waited = 0; waited < STALL_MS_MAX && run.bulkBytes < enough; waited += 50) {
          if (run.isFinishing || connection.isEnded) break;
          await pause(run, 50);
        }
        connection.goOn();
        await pause(run, 50 + random.below(200));
      }
    });
  });
}

/** Follows everything of a type from the beginning: what it is sent is the history. */
export async function scribe(run: LiveRun, type: string): Promise<void> {
  let asked = '';
  const scope = { namespace: '' };
  for (;;) {
    await Promise.race([run.whenUp(), run.settled.promise]);
    if (run.isSettled) return;
    if (asked === '') {
      const start = await list(run, { type, scope, asked: '', match: '', limit: 0 });
      const version = start?.pages[0]?.version;
      if (version === undefined) continue;
      asked = String(version);
    }
    const flags = { bookmarks: false, streamsList: false, timeoutSeconds: 0, scribe: true };
    const record = await watch(run, { type, scope, asked, ...flags }, async (connection) =>
      Promise.race([connection.ended, run.finishing.promise]),
    );
    if (run.isSettled) return;
    asked = resumeVersion(record, true) ?? '';
  }
}
