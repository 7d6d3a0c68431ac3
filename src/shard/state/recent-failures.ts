/** A failed commit makes the server unready for so long, in case nobody tries another write. */
const FAILURE_SHOWN_MS = 10_000;

/** Remembers why a commit has failed. */
export class RecentFailures {
  readonly #nowMs: () => number;
  #newest: { readonly error: Error; readonly timeMs: number } | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  note(error: Error): void {
    this.#newest = { error, timeMs: this.#nowMs() };
  }

  /** The newest one, where it was not long ago. */
  get newest(): Error | undefined {
    if (this.#newest === undefined) return undefined;
    return this.#nowMs() - this.#newest.timeMs < FAILURE_SHOWN_MS ? this.#newest.error : undefined;
  }
}
