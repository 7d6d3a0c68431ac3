/** A flow: requests that share their queues; a queue, and one request. */
import { RequestList, type Listed } from '../base/request-list.ts';
import type { Asked } from './classifier.ts';
import type { Schema } from './flow-objects.ts';
import type { FlowMeter } from './flow-meter.ts';

/** Requests of a schema that are told apart from its others by user or namespace. */
export interface Flow {
  readonly schema: Schema;
  readonly distinguisher: string;
  /** Its queues among those of the level; empty where the level has none. */
  readonly hand: readonly number[];
  readonly meter: FlowMeter;
}

/** How much of the server a request is expected to take. */
export interface Work {
  /** Seats while it is served. */
  readonly seats: number;
  /** Seats that it holds afterwards, for so long: what watches of its change cost. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

export const ONE_SEAT: Work = { seats: 1, finalSeats: 0, finalMs: 0 };

/** The time that a request is expected to be served for. */
export const EXPECTED_MS = 3;

export class FlowQueue {
  index: number;
  readonly waiting = new RequestList<FlowRequest>();
  executing = 0;
  seatsInUse = 0;
  /** Sums over the requests that wait. */
  seatsWaiting = 0;
  initialSeatsWaiting = 0;
  workWaiting = 0;
  /** The virtual time at which its next request would begin. */
  nextR = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.executing === 0;
  }
}

const ignore = (): void => undefined;

/** Times are of the clock of `performance`. */
export class FlowRequest implements Listed<FlowRequest> {
  readonly flow: Flow;
  readonly asked: Asked;
  work: Work;
  /** Told once, of a request that has waited: whether it may go on. */
  decided: (isLet: boolean) => void = ignore;
  readonly arrivedMs: number;
  startMs = 0;
  /** The virtual time at which it came. */
  arrivalR = 0;
  state: 'new' | 'waiting' | 'executing' | 'over' = 'new';
  queue: FlowQueue | undefined = undefined;
  before: FlowRequest | undefined = undefined;
  after: FlowRequest | undefined = undefined;
  /** Ends its wait when it takes too long. */
  cancelTimer: (() => void) | undefined = undefined;

  constructor(flow: Flow, asked: Asked, work: Work, arrivedMs: number) {
    this.flow = flow;
    this.asked = asked;
    this.work = work;
    this.arrivedMs = arrivedMs;
  }

  /** Seats that are kept for it: the most that it needs at any time. */
  get width(): number {
    const { seats, finalSeats } = this.work;
    return seats > finalSeats ? seats : finalSeats;
  }

  /** In seats times milliseconds. */
  get totalWork(): number {
    const { seats, finalSeats, finalMs } = this.work;
    return seats * EXPECTED_MS + finalSeats * finalMs;
  }
}
