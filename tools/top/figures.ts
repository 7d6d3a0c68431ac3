/** What `npm run top` shows, found from two readings of `/metrics`. */
import { quantilesBy, ratesBy, sumBy, type Labels, type Reading } from '../../src/page/metrics.ts';

/** Times are in seconds, sizes in bytes, rates per second; what nothing tells of is absent. */
export interface Figures {
  /** Between the two readings. */
  readonly seconds: number;
  readonly process: {
    readonly residentBytes: number;
    /** Cores in use. */
    readonly cores: number;
    readonly connections: number;
    readonly connectionsWaiting: number;
  };
  /** The most frequent first. */
  readonly requests: readonly RequestFigures[];
  readonly watches: {
    readonly eventsPerSecond: number;
    /** Of types that somebody watches, the most watched first. */
    readonly types: readonly WatchFigures[];
  };
  /** Of flow control, in the order of their names. */
  readonly levels: readonly LevelFigures[];
  /** Those with most objects first. */
  readonly types: readonly TypeFigures[];
  readonly threads: readonly ThreadFigures[];
}

export interface RequestFigures {
  readonly verb: string;
  readonly resource: string;
  readonly perSecond: number;
  readonly refusedPerSecond: number;
  readonly p50?: number;
  readonly p99?: number;
}

export interface WatchFigures {
  readonly resource: string;
  readonly live: number;
  readonly catchingUp: number;
  readonly slow: number;
  readonly lag: number;
  readonly eventsBehind: number;
}

export interface LevelFigures {
  readonly level: string;
  readonly executing: number;
  readonly waiting: number;
  readonly seats?: number;
  readonly refusedPerSecond: number;
}

export interface TypeFigures {
  readonly resource: string;
  readonly objects: number;
  readonly bytes?: number;
}

export interface ThreadFigures {
  readonly thread: string;
  /** A part of one core. */
  readonly busy: number;
  readonly heapBytes: number;
}

const REQUESTS = 'apiserver_request_total';
const DURATIONS = 'apiserver_request_duration_seconds';
const EXECUTING = 'apiserver_flowcontrol_current_executing_requests';
const WAITING = 'apiserver_flowcontrol_current_inqueue_requests';
const REFUSED = 'apiserver_flowcontrol_rejected_requests_total';
/** Newer releases tell the limit as it is just now. */
const SEATS = [
  'apiserver_flowcontrol_current_limit_seats',
  'apiserver_flowcontrol_request_concurrency_limit',
];

const all = (): string => '';
const byResource = ({ resource }: Labels): string | undefined => resource;
const byThread = ({ thread }: Labels): string | undefined => thread;
const byLevel = (labels: Labels): string | undefined =>
  labels['priority_level'] ?? labels['priorityLevel'];
const byRequest = ({ verb = '', resource = '', subresource = '' }: Labels): string =>
  `${verb} ${subresource === '' ? resource : `${resource}/${subresource}`}`;

/** `before` and `now` are readings of one server, `before` the older one. */
export function figuresOf(before: Reading, now: Reading): Figures {
  const total = (name: string): number => sumBy(now, name, all).get('') ?? 0;
  const rate = (name: string): number => ratesBy(before, now, name, all).get('') ?? 0;
  return {
    seconds: (now.atMs - before.atMs) / 1_000,
    process: {
      residentBytes: total('process_resident_memory_bytes'),
      cores: rate('process_cpu_seconds_total'),
      connections: total('shardplane_connections'),
      connectionsWaiting: total('shardplane_connections_waiting'),
    },
    requests: requestsOf(before, now),
    watches: { eventsPerSecond: rate('apiserver_watch_events_total'), types: watchesOf(now) },
    levels: levelsOf(before, now),
    types: typesOf(now),
    threads: threadsOf(now),
  };
}

function requestsOf(before: Reading, now: Reading): readonly RequestFigures[] {
  const rates = ratesBy(before, now, REQUESTS, byRequest);
  const refused = ratesBy(before, now, REQUESTS, (labels) =>
    Number(labels['code']) >= 400 ? byRequest(labels) : undefined,
  );
  const p50 = quantilesBy([before, now], DURATIONS, 0.5, byRequest);
  const p99 = quantilesBy([before, now], DURATIONS, 0.99, byRequest);
  return [...rates]
    .filter(([, perSecond]) => perSecond > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, perSecond]) => {
      const [verb = '', resource = ''] = key.split(' ');
      const [half, most] = [p50.get(key), p99.get(key)];
      return {
        verb,
        resource,
        perSecond,
        refusedPerSecond: refused.get(key) ?? 0,
        ...(half !== undefined && { p50: half }),
        ...(most !== undefined && { p99: most }),
      };
    });
}

function watchesOf(now: Reading): readonly WatchFigures[] {
  const of = (wanted: string): ReadonlyMap<string, number> =>
    sumBy(now, 'shardplane_watches', ({ population, resource }) =>
      population === wanted ? resource : undefined,
    );
  const [live, catchingUp, slow] = [of('live'), of('catchingUp'), of('slow')];
  const lags = sumBy(now, 'shardplane_watch_lag_seconds', byResource);
  const behind = sumBy(now, 'shardplane_watch_lag_events', byResource);
  const count = (one: WatchFigures): number => one.live + one.catchingUp + one.slow;
  return [...live]
    .map(([resource, isLive]) => ({
      resource,
      live: isLive,
      catchingUp: catchingUp.get(resource) ?? 0,
      slow: slow.get(resource) ?? 0,
      lag: lags.get(resource) ?? 0,
      eventsBehind: behind.get(resource) ?? 0,
    }))
    .filter((one) => count(one) > 0)
    .toSorted((a, b) => count(b) - count(a));
}

function levelsOf(before: Reading, now: Reading): readonly LevelFigures[] {
  const executing = sumBy(now, EXECUTING, byLevel);
  const waiting = sumBy(now, WAITING, byLevel);
  const refused = ratesBy(before, now, REFUSED, byLevel);
  const told = SEATS.find((name) => now.samples.has(name)) ?? '';
  const seats = sumBy(now, told, byLevel);
  return [...new Set([...executing.keys(), ...waiting.keys(), ...seats.keys()])]
    .sort()
    .map((level) => {
      const limit = seats.get(level);
      return {
        level,
        executing: executing.get(level) ?? 0,
        waiting: waiting.get(level) ?? 0,
        ...(limit !== undefined && { seats: limit }),
        refusedPerSecond: refused.get(level) ?? 0,
      };
    });
}

function typesOf(now: Reading): readonly TypeFigures[] {
  const byType = ({ resource = '', group = '' }: Labels): string =>
    group === '' ? resource : `${resource}.${group}`;
  const objects = now.samples.has('apiserver_resource_objects')
    ? sumBy(now, 'apiserver_resource_objects', byType)
    : sumBy(now, 'apiserver_storage_objects', byResource);
  const sizes = sumBy(now, 'apiserver_resource_size_estimate_bytes', byType);
  return [...objects]
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([resource, count]) => {
      const bytes = sizes.get(resource);
      return { resource, objects: count, ...(bytes !== undefined && { bytes }) };
    });
}

function threadsOf(now: Reading): readonly ThreadFigures[] {
  const heap = sumBy(now, 'nodejs_heap_size_used_bytes', byThread);
  return [...sumBy(now, 'shardplane_event_loop_utilization', byThread)].map(([thread, busy]) => ({
    thread,
    busy,
    heapBytes: heap.get(thread) ?? 0,
  }));
}
