/**
 * A clock that is read once for a batch of messages: reading it costs as much as all other counting
 * of a small request together.
 */
export class BatchClock {
  #isInBatch = false;
  #lookedMs = 0;

  /** Handles a batch. All who ask for the time meanwhile are told the same. */
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

/** The clock of this thread, for messages of other threads. */
export const BATCH_CLOCK = new BatchClock();
