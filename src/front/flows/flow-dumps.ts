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

/** Answers one of them; false for other paths. */
export function serveFlowDump(
  controller: FlowController,
  exchange: Exchange,
  path: string,
): boolean {
  if (!path.startsWith(FOLDER)) return false;
  const text = dumpOf(controller, exchange, path.slice(FOLDER.length));
  if (text === undefined) return false;
  exchange.sendText(200, text);
  return true;
}

function dumpOf(controller: FlowController, exchange: Exchange, name: string): string | undefined {
  const levels = [...controller.levels].toSorted((a, b) => (a.level.name < b.level.name ? -1 : 1));
  switch (name) {
    case 'dump_priority_levels':
      return tableText([LEVEL_COLUMNS, ...levels.map(levelRow)]);
    case 'dump_queues':
      return tableText([QUEUE_COLUMNS, ...levels.flatMap(queueRows)]);
    case 'dump_requests': {
      const isDetailed = exchange.query.text('includeRequestDetails') !== '';
      const columns = [...REQUEST_COLUMNS, ...(isDetailed ? DETAIL_COLUMNS : [])];
      return tableText([columns, ...levels.flatMap((state) => requestRows(state, isDetailed))]);
    }
    default:
      return undefined;
  }
}

function levelRow({ level, queues, isQuiescing }: LevelState): Row {
  const { counts, waitingCount, executing, isIdle } = queues;
  return [
    level.name,
    queues.queues.filter(({ waiting }) => waiting.length > 0).length,
    isIdle,
    isQuiescing,
    waitingCount,
    executing.length,
    counts.dispatched,
    counts.rejected,
    counts.timedOut,
    counts.cancelled,
  ];
}

function queueRows({ level, queues }: LevelState): readonly Row[] {
  return queues.queues.map((queue, index) => [
    level.name,
    index,
    queue.waiting.length,
    queue.executing,
    queue.seatsInUse,
    seatSeconds(queue.nextR),
    queue.initialSeatsWaiting,
    queue.seatsWaiting,
    seatSeconds(queue.workWaiting),
  ]);
}

function requestRows({ level, queues }: LevelState, isDetailed: boolean): readonly Row[] {
  const rowOf = (request: FlowRequest, queue: number, index: number): Row => [
    level.name,
    ...requestCells(request, queue, index),
    ...(isDetailed ? detailCells(request) : []),
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
