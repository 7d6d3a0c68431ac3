/** A priority level at work: its seats, its queues, and what is known of both. */
import type { Level } from './flow-objects.ts';
import { QueueSet, type QueueRules, type QueueSetOptions } from './queue-set.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';
import type { LevelSeats } from './seat-pool.ts';
import type { SeatBounds } from './seat-shares.ts';
import { widthMaxOf } from './work-estimate.ts';

export interface LevelOptions extends Pick<QueueSetOptions, 'nowMs' | 'timers'> {
  readonly seats: LevelSeats;
  /** Levels borrow from each other: what they need is measured. */
  readonly borrows: boolean;
  /** One request may have a part of the level at most. */
  readonly boundsWidth: boolean;
}

export class LevelState {
  level: Level;
  readonly seats: LevelSeats;
  readonly queues: QueueSet;
  readonly demand: SeatDemand;
  readonly retryAfter = new RetryAfter();
  bounds: SeatBounds = { nominal: 0, lowest: 0, highest: 0 };
  target = 0;
  /** The most seats of one request; 0 for no bound. */
  widthMax = 0;
  /** Its object is gone: it serves what it has. */
  isQuiescing = false;
  readonly #options: LevelOptions;

  constructor(level: Level, options: LevelOptions) {
    const { nowMs, timers, seats, borrows } = options;
    this.#options = options;
    this.level = level;
    this.seats = seats;
    this.demand = new SeatDemand(nowMs());
    this.queues = new QueueSet({
      seats,
      timers,
      nowMs,
      onDemand: borrows ? (wanted, atMs) => this.#demands(wanted, atMs) : undefined,
    });
  }

  /** Takes what the object has become, and its part of the server. */
  configure(level: Level, bounds: SeatBounds): void {
    this.level = level;
    this.bounds = bounds;
    const { queuing } = level;
    const isBounded = queuing !== undefined && this.#options.boundsWidth;
    this.widthMax = isBounded ? widthMaxOf(bounds.nominal, queuing.handSize) : 0;
    this.queues.configure(rulesOf(level));
  }

  /** From now on it has so many. */
  setLimit(seats: number): void {
    this.seats.limit = seats;
    this.queues.dispatch();
  }

  /** Looks at what other threads could use. */
  lookAtDemand(nowMs: number): void {
    const { seatsInUse, seatsWaiting } = this.queues;
    this.#demands(seatsInUse + seatsWaiting, nowMs);
  }

  #demands(wanted: number, nowMs: number): void {
    this.demand.set(this.seats.demandOfAll(wanted), nowMs);
  }

  get isUsed(): boolean {
    return !this.queues.isIdle;
  }
}

function rulesOf({ isExempt, queuing }: Level): QueueRules {
  if (isExempt) return 'exempt';
  return queuing ?? 'refuses';
}
