/**
 * What remains of superseded versions: they stay in the log while anything in the history window
 * may ask for them, and are then dropped in small steps in the background. A version leaves when
 * its successor has left the window; the mark of a deletion when it has itself.
 */
import { COMPACTION_INTERVAL_MS, COMPACTION_STEP_VERSIONS } from '../limits.ts';
import type { TypeLog } from '../storage/store.ts';
import { SupersededVersions } from './superseded-versions.ts';

export class EventHistory {
  /** The versions below the live ones that the log still holds. */
  readonly versions = new SupersededVersions();
  readonly windowMs: number;
  readonly #log: TypeLog;
  readonly #nowMs: () => number;
  readonly #onError: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  #compacting: Promise<void> = Promise.resolve();

  constructor(
    log: TypeLog,
    windowMs: number,
    nowMs: () => number,
    onError: (error: Error) => void,
  ) {
    this.#log = log;
    this.windowMs = windowMs;
    this.#nowMs = nowMs;
    this.#onError = onError;
  }

  /** A watch may start at this version or any later one, and a list be as of it. */
  horizon(): number {
    return this.#log.horizon();
  }

  /** `rv` was replaced by `successorRv` (itself, for the mark of a deletion) at `timeMs`. */
  superseded(rv: number, successorRv: number, timeMs: number): void {
    this.versions.push(rv, successorRv, timeMs);
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
    const { versions } = this;
    const oldestMs = this.#nowMs() - this.windowMs;
    for (;;) {
      const rvs: number[] = [];
      let horizon = 0;
      let seq = versions.firstSeq;
      while (rvs.length < COMPACTION_STEP_VERSIONS && seq < versions.nextSeq) {
        if (versions.timeMsAt(seq) > oldestMs) break;
        rvs.push(versions.rvAt(seq));
        horizon = versions.successorAt(seq);
        seq++;
      }
      if (rvs.length === 0) return;
      await this.#log.compact(rvs, horizon);
      versions.dropBefore(seq);
    }
  }
}
