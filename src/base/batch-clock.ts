/**
 * The time, looked at once for all that comes together: a look costs as much as a small request has
 * for all that is counted of it.
 */
export class BatchClock {
  #isInBatch = false;
  #lookedMs = 0;

  /** Handles what has come. Whoever asks for the time meanwhile is told the same. */
  during(handle: () => void): void {
    this.#isInBatch = true;
    this.#lookedMs = 0;
    try {
      handle();
    } finally {
      this.#isInBatch = false;
    }
  }

  /** Milliseconds, of the clock of `performance`. */
  nowMs(): number {
    if (!this.#isInBatch) return performance.now();
    if (this.#lookedMs === 0) this.#lookedMs = performance.now();
    return this.#lookedMs;
  }
}

/** That of this thread, for messages of other threads. */
export const BATCH_CLOCK = new BatchClock();
