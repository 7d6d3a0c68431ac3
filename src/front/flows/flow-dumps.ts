/** `/debug/api_priority_and_fairness/…`: levels, queues and requests as they are now. */
import { durationText } from '../../codec/leaves/duration-text.ts';
import type { FlowController } from '../../flow-control/flow-controller.ts';
import type { FlowQueue, FlowRequest } from '../../flow-control/flow.ts';
import type { LevelState } from '../../flow-control/level-state.ts';
import type { Exchange } from '../exchange.ts';

const FOLDER = '/debug/api_priority_and_fairness/';
const MS_PER_SECOND = 1_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** What stands between two cells; the next one begins in a column. */
const SEPARATOR = ',';
const WIDTH_MIN = 8;
const NOWHERE = -1;

type Row = readonly (string | number | boolean)[];

const LEVEL_COLUMNS = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];
const QUEUE_COLUMNS = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];
const REQUEST_COLUMNS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const DETAIL_COLUMNS = [
  'UserName',
  'Verb',
  'APIPath',
  'Namespace',
  'Name',
  'APIVersion',
  'Resource',
  'SubResource',
];

/** The levels, queues and requests of a front. */
export interface FlowDump {
  /** By their names. */
  readonly levels: Readonly<Record<string, LevelCells>>;
  /** By the names of their levels, in their order. */
  readonly queues: Readonly<Record<string, readonly QueueCells[]>>;
  /** Rows with all details, by the names of their levels. */
  readonly requests: Readonly<Record<string, readonly Row[]>>;
}

/** Numbers of queues and requests; fronts have the same queues. */
interface LevelCells {
  readonly isIdle: boolean;
  readonly isQuiescing: boolean;
  readonly waitingIn: readonly number[];
  readonly counts: readonly number[];
}

interface QueueCells {
  readonly waiting: number;
  readonly executing: number;
  readonly seatsInUse: number;
  /** In seats times ms. */
  readonly nextR: number;
  readonly initialSeatsWaiting: number;
  readonly seatsWaiting: number;
  readonly workWaiting: number;
}

export function flowDump(controller: FlowController): FlowDump {
  const levels = [...controller.levels];
  return {
    levels: Object.fromEntries(levels.map((state) => [state.level.name, levelCells(state)])),
    queues: Object.fromEntries(levels.map((state) => [state.level.name, queueCells(state)])),
    requests: Object.fromEntries(levels.map((state) => [state.level.name, requestRows(state)])),
  };
}

/** Answers one of them, of all fronts; false for other paths. */
export function serveFlowDump(
  dumps: () => Promise<readonly FlowDump[]>,
  exchange: Exchange,
  path: string,
): boolean {
  if (!path.startsWith(FOLDER)) return false;
  const name = path.slice(FOLDER.length);
  if (!Object.hasOwn(TEXTS, name)) return false;
  const isDetailed = exchange.query.text('includeRequestDetails') !== '';
  dumps()
    .then((all) => {
      if (exchange.open) exchange.sendText(200, TEXTS[name as Name](all, isDetailed));
    })
    .catch((error: unknown) => exchange.fail(error as Error));
  return true;
}

type Name = keyof typeof TEXTS;

const TEXTS = {
  dump_priority_levels: (dumps: readonly FlowDump[]) =>
    tableText([
      LEVEL_COLUMNS,
      ...together(dumps, ({ levels }) => levels).map(([name, all]) => levelRow(name, all)),
    ]),
  dump_queues: (dumps: readonly FlowDump[]) =>
    tableText([
      QUEUE_COLUMNS,
      ...together(dumps, ({ queues }) => queues).flatMap(([name, all]) => queueRows(name, all)),
    ]),
  dump_requests: (dumps: readonly FlowDump[], isDetailed: boolean) => {
    const columns = [...REQUEST_COLUMNS, ...(isDetailed ? DETAIL_COLUMNS : [])];
    const rows = together(dumps, ({ requests }) => requests).flatMap(([, all]) => all.flat());
    return tableText([columns, ...rows.map((row) => row.slice(0, columns.length))]);
  },
};

/** What fronts say of each level. */
function together<T>(
  dumps: readonly FlowDump[],
  partOf: (dump: FlowDump) => Readonly<Record<string, T>>,
): readonly (readonly [level: string, of: readonly T[]])[] {
  const names = new Set(dumps.flatMap((dump) => Object.keys(partOf(dump))));
  return [...names].sort().map((name) => {
    const parts = dumps.map((dump) => partOf(dump)[name]);
    return [name, parts.filter((part): part is T & {} => part !== undefined)];
  });
}

function levelCells({ queues, isQuiescing }: LevelState): LevelCells {
  const { counts, waitingCount, executing, isIdle } = queues;
  const { dispatched, rejected, timedOut, cancelled } = counts;
  return {
    isIdle,
    isQuiescing,
    waitingIn: queues.queues.filter(({ waiting }) => waiting.length > 0).map(({ index }) => index),
    counts: [waitingCount, executing.length, dispatched, rejected, timedOut, cancelled],
  };
}

function levelRow(name: string, all: readonly LevelCells[]): Row {
  const sums = (all[0]?.counts ?? []).map((_, at) => sumOf(all, ({ counts }) => counts[at] ?? 0));
  return [
    name,
    new Set(all.flatMap(({ waitingIn }) => waitingIn)).size,
    all.every(({ isIdle }) => isIdle),
    all.some(({ isQuiescing }) => isQuiescing),
    ...sums,
  ];
}

function queueCells({ queues }: LevelState): readonly QueueCells[] {
  return queues.queues.map((queue) => ({
    waiting: queue.waiting.length,
    executing: queue.executing,
    seatsInUse: queue.seatsInUse,
    nextR: queue.nextR,
    initialSeatsWaiting: queue.initialSeatsWaiting,
    seatsWaiting: queue.seatsWaiting,
    workWaiting: queue.workWaiting,
  }));
}

/** Each front has a virtual time of its own; the one that is furthest is told. */
function queueRows(name: string, fronts: readonly (readonly QueueCells[])[]): readonly Row[] {
  const length = Math.max(0, ...fronts.map((queues) => queues.length));
  return Array.from({ length }, (_, index) => {
    const all = fronts.flatMap((queues) => queues[index] ?? []);
    return [
      name,
      index,
      sumOf(all, ({ waiting }) => waiting),
      sumOf(all, ({ executing }) => executing),
      sumOf(all, ({ seatsInUse }) => seatsInUse),
      seatSeconds(Math.max(...all.map(({ nextR }) => nextR))),
      sumOf(all, ({ initialSeatsWaiting }) => initialSeatsWaiting),
      sumOf(all, ({ seatsWaiting }) => seatsWaiting),
      seatSeconds(sumOf(all, ({ workWaiting }) => workWaiting)),
    ];
  });
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}

function requestRows({ level, queues }: LevelState): readonly Row[] {
  const rowOf = (request: FlowRequest, queue: number, index: number): Row => [
    level.name,
    ...requestCells(request, queue, index),
    ...detailCells(request),
  ];
  const waiting = queues.queues.flatMap((queue, at) =>
    [...queue.waiting].map((request, index) => rowOf(request, at, index)),
  );
  const executing = [...queues.executing].map((request) =>
    rowOf(request, indexOf(request.queue), NOWHERE),
  );
  return [...waiting, ...executing];
}

function indexOf(queue: FlowQueue | undefined): number {
  return queue?.index ?? NOWHERE;
}

function requestCells(request: FlowRequest, queue: number, index: number): Row {
  const { flow, work, arrivedMs, startMs } = request;
  return [
    flow.schema.name,
    queue,
    index,
    flow.distinguisher,
    timeText(arrivedMs),
    work.seats,
    work.finalSeats,
    durationText(BigInt(Math.round(work.finalMs * NANOSECONDS_PER_MS))),
    startMs === 0 ? '0001-01-01T00:00:00Z' : timeText(startMs),
  ];
}

function detailCells({ asked }: FlowRequest): Row {
  const { user, verb, path, namespace, name, group, version, resource, subresource } = asked;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

/** A time of the clock of `performance`. */
function timeText(ms: number): string {
  return new Date(performance.timeOrigin + ms).toISOString();
}

function seatSeconds(seatMs: number): string {
  return `${(seatMs / MS_PER_SECOND).toFixed(8)}ss`;
}

/** Cells in columns; the last one of each row is as long as it is. */
function tableText(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0]!.map((_, column) =>
    Math.max(WIDTH_MIN, ...texts.map((row) => row[column]!.length + SEPARATOR.length + 1)),
  );
  return texts
    .map((row) => {
      const last = row.length - 1;
      const cells = row.map((cell, at) =>
        at === last ? cell : `${cell}${SEPARATOR}`.padEnd(widths[at]!),
      );
      return `${cells.join('')}\n`;
    })
    .join('');
}
