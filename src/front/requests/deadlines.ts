/**
 * The time that requests may take (../README.md#deadlines). All that say nothing of it have the
 * same: they stand in the order in which they came, and the oldest are looked at.
 */
import { RequestList, type Listed } from '../../base/request-list.ts';
import type { Timers } from '../../base/time/timers.ts';

/** A request, as far as its time is looked at. */
export interface TimedRequest extends Listed<TimedRequest> {
  /** When it came, of the clock of `performance`. */
  readonly startMs: number;
  /** The time that its client gives it; 0 where that is not said. */
  timeoutMs: number;
  /** They look out for the end of its time. */
  deadlines: Deadlines | undefined;
  /** Where it has a time of its own. */
  cancelTimer: (() => void) | undefined;
  /** It has taken too long. */
  timeOut(): void;
}

export interface DeadlinesOptions {
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly nowMs: () => number;
}

const LOOK_MS = 1_000;

export class Deadlines {
  readonly #options: DeadlinesOptions;
  readonly #open = new RequestList<TimedRequest>();
  readonly #endLooks: () => void;

  constructor(options: DeadlinesOptions) {
    this.#options = options;
    this.#endLooks = options.timers.every(LOOK_MS, () => this.#look());
  }

  /** `ownMs` is what the client gives it, which counts where it is less; 0 for nothing. */
  begin(request: TimedRequest, ownMs: number): void {
    const { timeoutMs, timers, nowMs } = this.#options;
    request.deadlines = this;
    if (ownMs <= 0 || ownMs >= timeoutMs) {
      this.#open.push(request);
      return;
    }
    request.timeoutMs = ownMs;
    const leftMs = Math.max(0, request.startMs + ownMs - nowMs());
    request.cancelTimer = timers.after(leftMs, () => request.timeOut());
  }

  /** It is over. */
  end(request: TimedRequest): void {
    request.deadlines = undefined;
    if (request.cancelTimer === undefined) this.#open.remove(request);
    else request.cancelTimer();
  }

  close(): void {
    this.#endLooks();
  }

  #look(): void {
    const since = this.#options.nowMs() - this.#options.timeoutMs;
    for (let { first } = this.#open; first !== undefined && first.startMs <= since;) {
      first.timeOut();
      // One that has another end is looked at no more.
      if (this.#open.first === first) this.end(first);
      ({ first } = this.#open);
    }
  }
}
