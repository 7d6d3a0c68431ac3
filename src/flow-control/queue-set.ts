/**
 * The queues of a priority level. Each gets the same part of the level's seats, as far as it can
 * use it: of those with requests the one whose next would be done first, if all were served at
 * once, is served next. That time is virtual; it goes on by the seats that each queue would have
 * (README.md#fair-queues).
 */
import type { Timers } from '../base/time/timers.ts';
import { EXPECTED_MS, FlowQueue, type FlowRequest } from './flow.ts';
import type { Queuing } from './flow-objects.ts';
import type { Rejection } from './flow-meter.ts';
import { RequestList } from '../base/request-list.ts';
import type { SeatPool } from './seat-pool.ts';

export interface QueueSetOptions {
  readonly seats: SeatPool;
  readonly timers: Pick<Timers, 'after'>;
  readonly nowMs: () => number;
  /** Told after each change of the seats that are taken or waited for. */
  readonly onDemand?: ((seats: number, nowMs: number) => void) | undefined;
}

/** The virtual times of the last request that was let from a queue, in seats times ms. */
export interface LastDispatch {
  readonly currentR: number;
  readonly startR: number;
  readonly bounds: readonly [min: number, max: number];
  /** The same, less the work that is under way. */
  readonly discounted: readonly [min: number, max: number];
}

/** Of a level: some queues; none, and whoever finds no seat is refused; or no limit. */
export type QueueRules = Queuing | 'refuses' | 'exempt';

export class QueueSet {
  readonly #options: QueueSetOptions;
  readonly queues: FlowQueue[] = [];
  /** Those that are served: from queues, or without. */
  readonly executing = new RequestList<FlowRequest>();
  waitingCount = 0;
  seatsWaiting = 0;
  /** Those of requests from queues, and of those that are over but cost something yet. */
  seatsInUse = 0;
  currentR = 0;
  lastDispatch: LastDispatch | undefined;
  readonly counts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  #rules: QueueRules = 'refuses';
  #queuedSeatsInUse = 0;
  #activeQueues = 0;
  #lastMs: number;
  #lastIndex = 0;
  #enqueued = 0;

  constructor(options: QueueSetOptions) {
    this.#options = options;
    this.#lastMs = options.nowMs();
  }

  get isIdle(): boolean {
    return this.waitingCount === 0 && this.executing.length === 0;
  }

  /** Queues that are too many go when they are empty. */
  configure(rules: QueueRules): void {
    this.#sync(this.#options.nowMs());
    this.#rules = rules;
    if (typeof rules === 'object') {
      while (this.queues.length < rules.queues) this.queues.push(new FlowQueue(this.queues.length));
    }
    for (const queue of this.queues.toReversed()) this.#removeIfIdle(queue);
  }

  /** Lets a new request go on, or wait; or returns why it is refused. */
  start(request: FlowRequest, nowMs: number): Rejection | undefined {
    this.#sync(nowMs);
    const rules = this.#rules;
    if (typeof rules !== 'object') {
      if (rules === 'exempt') this.#options.seats.takeAnyway(request.width);
      else if (!this.#takeSeats(request)) return this.#rejected(request, 'concurrency-limit');
      this.#execute(request, undefined, nowMs);
      return undefined;
    }
    const queue = this.#queueFor(request);
    if (this.#options.seats.isFull && queue.waiting.length >= rules.lengthMax) {
      return this.#rejected(request, 'queue-full');
    }
    if (queue.isIdle) {
      queue.nextR = this.currentR;
      this.#activeQueues++;
    }
    request.arrivalR = this.currentR;
    request.flow.meter.queued(queue.waiting.length + 1);
    if (this.waitingCount === 0 && this.#takeSeats(request)) {
      this.#executeNext(queue, request, nowMs);
    } else {
      this.#enqueue(queue, request);
      this.dispatch(nowMs);
    }
    this.#tellDemand(nowMs);
    return undefined;
  }

  /** Lets all go on for whom there are seats. */
  dispatch(nowMs = this.#options.nowMs()): void {
    this.#sync(nowMs);
    while (this.waitingCount > 0 && !this.#options.seats.isFull) {
      const queue = this.#nextQueue();
      const request = queue?.waiting.first;
      if (queue === undefined || request === undefined) return;
      if (!this.#takeSeats(request)) {
        request.flow.meter.notAccommodated++;
        return;
      }
      this.#lastIndex = queue.index;
      this.#noteDispatch(queue);
      this.#leaveQueue(queue, request);
      this.#executeNext(queue, request, nowMs);
      request.decided(true);
    }
  }

  /** Takes a request from its queue that has waited too long, or whose client has gone. */
  cancel(request: FlowRequest, isTimeout: boolean): void {
    const { queue } = request;
    if (request.state !== 'waiting' || queue === undefined) return;
    const nowMs = this.#options.nowMs();
    this.#sync(nowMs);
    this.#leaveQueue(queue, request);
    request.state = 'over';
    this.counts.cancelled++;
    if (isTimeout) this.counts.timedOut++;
    this.#rejected(request, 'time-out');
    this.#boundNext(queue);
    this.#idled(queue);
    this.#tellDemand(nowMs);
    // One that needs fewer seats may be next now.
    this.dispatch(nowMs);
  }

  /** A request that was let is over. */
  finish(request: FlowRequest, nowMs: number): void {
    const { queue, work, flow } = request;
    this.#sync(nowMs);
    request.state = 'over';
    this.executing.remove(request);
    flow.meter.executing--;
    if (queue !== undefined) {
      queue.executing--;
      // It was taken to need so long.
      queue.nextR += work.seats * (nowMs - request.startMs - EXPECTED_MS);
      this.#boundNext(queue);
      this.#idled(queue);
    }
    if (work.finalMs > 0) {
      this.#options.timers.after(work.finalMs, () => this.#release(request));
    } else this.#release(request, nowMs);
  }

  #release(request: FlowRequest, nowMs = this.#options.nowMs()): void {
    const { width, queue, flow } = request;
    this.#sync(nowMs);
    this.seatsInUse -= width;
    flow.meter.seatsInUse -= width;
    if (queue !== undefined) {
      queue.seatsInUse -= width;
      this.#queuedSeatsInUse -= width;
      this.#removeIfIdle(queue);
    }
    this.#options.seats.give(width);
    this.#tellDemand(nowMs);
    if (this.waitingCount > 0) this.dispatch(nowMs);
  }

  /** Virtual time goes on by what each queue with requests could have had since. */
  #sync(nowMs: number): void {
    const { seats } = this.#options;
    const sinceMs = nowMs - this.#lastMs;
    if (sinceMs <= 0) return;
    this.#lastMs = nowMs;
    if (this.#activeQueues === 0) return;
    const wanted = this.#queuedSeatsInUse + this.seatsWaiting;
    this.currentR += (Math.min(wanted, seats.limit) / this.#activeQueues) * sinceMs;
  }

  /** The queue of its hand in which the least work waits. */
  #queueFor({ flow: { hand } }: FlowRequest): FlowQueue {
    const offset = this.#enqueued++ % hand.length;
    let best = this.queues[hand[offset]!]!;
    if (this.waitingCount === 0) return best;
    for (let index = 1; index < hand.length; index++) {
      const queue = this.queues[hand[(offset + index) % hand.length]!]!;
      if (queue.workWaiting < best.workWaiting) best = queue;
    }
    return best;
  }

  #enqueue(queue: FlowQueue, request: FlowRequest): void {
    const { width, work, flow } = request;
    request.queue = queue;
    request.state = 'waiting';
    queue.waiting.push(request);
    queue.seatsWaiting += width;
    queue.initialSeatsWaiting += work.seats;
    queue.workWaiting += request.totalWork;
    this.waitingCount++;
    this.seatsWaiting += width;
    flow.meter.waiting++;
    flow.meter.seatsWaiting += width;
    this.#boundNext(queue);
    this.#options.seats.wait(true);
  }

  #leaveQueue(queue: FlowQueue, request: FlowRequest): void {
    const { width, work, flow } = request;
    queue.waiting.remove(request);
    queue.seatsWaiting -= width;
    queue.initialSeatsWaiting -= work.seats;
    queue.workWaiting -= request.totalWork;
    this.waitingCount--;
    this.seatsWaiting -= width;
    flow.meter.waiting--;
    flow.meter.seatsWaiting -= width;
    if (this.waitingCount === 0) this.#options.seats.wait(false);
  }

  #executeNext(queue: FlowQueue, request: FlowRequest, nowMs: number): void {
    const { width, work } = request;
    const { limit } = this.#options.seats;
    if (work.finalSeats > limit) {
      // The same work on fewer seats takes longer.
      const finalSeats = Math.max(1, limit);
      const finalMs = (work.finalSeats * work.finalMs) / finalSeats;
      request.work = { ...work, finalSeats, finalMs };
      const spared = width - request.width;
      if (spared > 0) this.#options.seats.give(spared);
    }
    queue.executing++;
    queue.seatsInUse += request.width;
    this.#queuedSeatsInUse += request.width;
    queue.nextR += request.totalWork;
    this.#execute(request, queue, nowMs);
    this.#boundNext(queue);
  }

  #execute(request: FlowRequest, queue: FlowQueue | undefined, nowMs: number): void {
    const { width, flow } = request;
    request.queue = queue;
    request.state = 'executing';
    request.startMs = nowMs;
    this.executing.push(request);
    this.seatsInUse += width;
    this.counts.dispatched++;
    flow.meter.executing++;
    flow.meter.seatsInUse += width;
    flow.meter.dispatched++;
    if (queue === undefined) this.#tellDemand(nowMs);
  }

  #rejected({ flow: { meter } }: FlowRequest, why: Rejection): Rejection {
    this.counts.rejected++;
    meter.rejected[why]++;
    return why;
  }

  /** One that needs more seats than there are goes on alone. */
  #takeSeats({ width }: FlowRequest): boolean {
    const { seats } = this.#options;
    return width > seats.limit ? seats.takeAlone(width) : seats.take(width);
  }

  /** The one whose first request would be done first; those after the last that was served win. */
  #nextQueue(): FlowQueue | undefined {
    const { queues } = this;
    let next: FlowQueue | undefined;
    let nextDoneR = Infinity;
    for (let step = 1; step <= queues.length; step++) {
      const queue = queues[(this.#lastIndex + step) % queues.length]!;
      const request = queue.waiting.first;
      if (request === undefined) continue;
      const doneR = queue.nextR + request.totalWork;
      if (doneR >= nextDoneR) continue;
      nextDoneR = doneR;
      next = queue;
    }
    return next;
  }

  #noteDispatch({ nextR: startR }: FlowQueue): void {
    let [min, max, lessMin, lessMax] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { waiting, nextR, seatsInUse } of this.queues) {
      if (waiting.length === 0) continue;
      const less = nextR - seatsInUse * EXPECTED_MS;
      min = Math.min(min, nextR);
      max = Math.max(max, nextR);
      lessMin = Math.min(lessMin, less);
      lessMax = Math.max(lessMax, less);
    }
    const { currentR } = this;
    const [bounds, discounted] = [[min, max] as const, [lessMin, lessMax] as const];
    this.lastDispatch = { currentR, startR, bounds, discounted };
  }

  /**
   * A queue that cannot use its part does not save it up: nothing begins in virtual time before it
   * has come.
   */
  #boundNext(queue: FlowQueue): void {
    const { first } = queue.waiting;
    if (first !== undefined && queue.nextR < first.arrivalR) queue.nextR = first.arrivalR;
  }

  #idled(queue: FlowQueue): void {
    if (queue.isIdle) this.#activeQueues--;
  }

  #removeIfIdle(queue: FlowQueue): void {
    const wanted = typeof this.#rules === 'object' ? this.#rules.queues : 0;
    const isSpare = this.queues.length > wanted && queue.isIdle && queue.seatsInUse === 0;
    if (!isSpare || this.queues[queue.index] !== queue) return;
    this.queues.splice(queue.index, 1);
    for (const later of this.queues.slice(queue.index)) later.index--;
    if (this.#lastIndex >= queue.index && this.#lastIndex > 0) this.#lastIndex--;
  }

  #tellDemand(nowMs: number): void {
    this.#options.onDemand?.(this.seatsInUse + this.seatsWaiting, nowMs);
  }
}
