/** Timers that run when a test moves the time. */
import type { Timers } from '../../src/base/time/timers.ts';

interface Timer {
  readonly order: number;
  readonly everyMs: number | undefined;
  readonly run: () => void;
  atMs: number;
}

export class ManualTimers implements Timers {
  nowMs = 0;
  readonly #timers = new Set<Timer>();
  #order = 0;

  /** Timers that are yet to run. */
  get size(): number {
    return this.#timers.size;
  }

  after(ms: number, then: () => void): () => void {
    return this.#add(ms, undefined, then);
  }

  every(ms: number, then: () => void): () => void {
    return this.#add(ms, ms, then);
  }

  /** Runs in order what comes due in so long. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.nowMs = next.atMs;
      if (next.everyMs === undefined) this.#timers.delete(next);
      else next.atMs += next.everyMs;
      next.run();
    }
    this.nowMs = end;
  }

  #add(ms: number, everyMs: number | undefined, run: () => void): () => void {
    const timer: Timer = { order: this.#order++, everyMs, run, atMs: this.nowMs + ms };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  #next(endMs: number): Timer | undefined {
    return [...this.#timers]
      .filter(({ atMs }) => atMs <= endMs)
      .toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  }
}
