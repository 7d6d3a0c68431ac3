/** Spreads the turns of all writers evenly over time. */

/** When the writers were held up for longer, they do not make up for it. */
const BEHIND_MS_MAX = 1_000;

export class Pacer {
  readonly #intervalMs: number;
  /** Functions that end the waits that are under way. */
  readonly #waits = new Set<() => void>();
  #due: number | undefined;
  #stopped = false;

  /** `rate`: turns per second; 0 for no limit. */
  constructor(rate: number) {
    this.#intervalMs = rate === 0 ? 0 : 1_000 / rate;
  }

  /** Resolves when the next turn is due, or at `stop`. */
  async next(): Promise<void> {
    if (this.#intervalMs === 0 || this.#stopped) return;
    const now = performance.now();
    const due = Math.max(this.#due ?? now, now - BEHIND_MS_MAX);
    this.#due = due + this.#intervalMs;
    if (due <= now) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waits.delete(done);
        resolve();
      };
      const timer = setTimeout(done, due - now);
      this.#waits.add(done);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const done of this.#waits) done();
  }
}
