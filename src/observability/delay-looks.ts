/**
 * How late a thread is: it has a timer look at when it runs. Each look wakes the thread, so that
 * one that has nothing to do looks rarely.
 */
import type { Timers } from '../base/time/timers.ts';
import { BUSY_UTILIZATION_MIN, EVENT_LOOP_LOOK_MS, SAMPLE_INTERVAL_MS } from './limits.ts';

export interface DelayLooksOptions {
  readonly timers: Pick<Timers, 'every'>;
  readonly nowMs: () => number;
  /** Is told how late a look was. */
  readonly late: (ms: number) => void;
}

export class DelayLooks {
  readonly #options: DelayLooksOptions;
  #isBusy = true;
  #dueMs = 0;
  #end: () => void;

  constructor(options: DelayLooksOptions) {
    this.#options = options;
    this.#end = this.#every(EVENT_LOOP_LOOK_MS);
  }

  /** To be told from time to time of the part of it in which the thread had something to do. */
  wasBusy(utilization: number): void {
    const isBusy = utilization >= BUSY_UTILIZATION_MIN;
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    this.#end();
    this.#end = this.#every(isBusy ? EVENT_LOOP_LOOK_MS : SAMPLE_INTERVAL_MS);
  }

  #every(ms: number): () => void {
    const { timers, nowMs, late } = this.#options;
    this.#dueMs = nowMs() + ms;
    return timers.every(ms, () => {
      const now = nowMs();
      late(Math.max(0, now - this.#dueMs));
      this.#dueMs = now + ms;
    });
  }
}
