/**
 * What remains of superseded versions: they stay in the log while anything in the history window
 * may ask for them, and are then dropped in small steps in the background. A version leaves when
 * its successor has left the window; the mark of a deletion when it has itself.
 */
import { COMPACTION_INTERVAL_MS, COMPACTION_STEP_VERSIONS } from '../limits.ts';
import type { TypeLog } from '../storage/store.ts';

interface Superseded {
  readonly rv: number;
  readonly successorRv: number;
  readonly timeMs: number;
}

export class EventHistory {
  readonly #log: TypeLog;
  readonly #windowMs: number;
  readonly #nowMs: () => number;
  readonly #onError: (error: Error) => void;
  #queue: Superseded[] = [];
  #head = 0;
  #timer: NodeJS.Timeout | undefined;
  #compacting: Promise<void> = Promise.resolve();

  constructor(
    log: TypeLog,
    windowMs: number,
    nowMs: () => number,
    onError: (error: Error) => void,
  ) {
    this.#log = log;
    this.#windowMs = windowMs;
    this.#nowMs = nowMs;
    this.#onError = onError;
  }

  /** A watch may start at this version or any later one. */
  horizon(): number {
    return this.#log.horizon();
  }

  /** `rv` was replaced by `successorRv` (itself, for the mark of a deletion) at `timeMs`. */
  superseded(rv: number, successorRv: number, timeMs: number): void {
    this.#queue.push({ rv, successorRv, timeMs });
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#compacting = this.#compacting
        .then(() => this.#step())
        .catch((error: unknown) => this.#onError(error as Error));
    }, COMPACTION_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#compacting;
  }

  /** Drops what has left the window, one bounded commit after the other. */
  async #step(): Promise<void> {
    const oldestMs = this.#nowMs() - this.#windowMs;
    for (;;) {
      const rvs: number[] = [];
      let horizon = 0;
      while (rvs.length < COMPACTION_STEP_VERSIONS) {
        const next = this.#queue[this.#head + rvs.length];
        if (next === undefined || next.timeMs > oldestMs) break;
        rvs.push(next.rv);
        horizon = Math.max(horizon, next.successorRv);
      }
      if (rvs.length === 0) return;
      await this.#log.compact(rvs, horizon);
      this.#head += rvs.length;
      if (this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
    }
  }
}
