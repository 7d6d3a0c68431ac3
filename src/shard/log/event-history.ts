/**
 * Drops superseded versions: they stay in the log while anything in the history window may ask for
 * them, and are then dropped in the background. A version leaves when its successor has left the
 * window; the mark of a deletion when it has itself.
 *
 * Versions that have left the window are gathered into a batch, and dropped in the order of the
 * log: neighbours share pages of the store, and a page that all of them leave need not be written
 * again. That happens in small steps, one after the other. A step goes with the next commit of
 * writes, and has one of its own only when nobody writes.
 */
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import {
  COMPACTION_BATCH_VERSIONS,
  COMPACTION_INTERVAL_MS,
  COMPACTION_PAUSE_MS,
  COMPACTION_STEP_VERSIONS,
} from '../../limits.ts';
import type { LogEntry, TypeLog } from '../../storage/store.ts';
import { SupersededVersions } from './superseded-versions.ts';

interface Batch {
  /** Versions in order: those of an object that was deleted go before the mark of it. */
  readonly rvs: Float64Array;
  /** Where history begins once any of it is gone. */
  readonly horizon: number;
  /** Where the queue goes on after it. */
  readonly endSeq: number;
  droppedCount: number;
}

export class EventHistory {
  /** The versions below the live ones that the log still holds. */
  readonly versions = new SupersededVersions();
  readonly windowMs: number;
  readonly #log: TypeLog;
  readonly #nowMs: () => number;
  readonly #onError: (error: Error) => void;
  #endLooks = (): void => undefined;
  #stopped = false;
  #compacting: Promise<void> | undefined;
  #batch: Batch | undefined;
  /** Nothing goes that was replaced after this version: see `hold`. */
  #heldFrom = Infinity;
  /** Set when the next commit is to take a step with it. */
  #stepDue = false;
  #stepUnderWay = false;

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

  /**
   * Keeps from now on what was so at version `from` or has been since, however old; 0 for nothing.
   * Gives the version from which on that is so: what is going already goes.
   */
  hold(from: number): number {
    this.#heldFrom = from === 0 ? Infinity : from;
    return this.#batch?.horizon ?? this.#log.horizon();
  }

  /** Versions that are kept though they have left the window. */
  heldCount(): number {
    const { versions } = this;
    const oldestMs = this.#nowMs() - this.windowMs;
    let seq = versions.firstAfter(this.#heldFrom);
    const firstSeq = seq;
    while (seq < versions.nextSeq && versions.timeMsAt(seq) <= oldestMs) seq++;
    return seq - firstSeq;
  }

  /** `rv` was replaced by `successorRv` (itself, for the mark of a deletion) at `timeMs`. */
  superseded(rv: number, successorRv: number, timeMs: number): void {
    this.versions.push(rv, successorRv, timeMs);
  }

  /** Appends to the log, and drops a step of old versions with it. Rejects as the log does. */
  async append(entries: readonly LogEntry[]): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined || !this.#stepDue || this.#stepUnderWay) {
      await this.#log.append(entries);
    } else {
      await this.#step(batch, entries);
    }
  }

  start(): void {
    this.#endLooks = SERVER_TIMERS.every(COMPACTION_INTERVAL_MS, () => {
      this.#compacting ??= this.#compact()
        .catch((error: unknown) => this.#onError(error as Error))
        .finally(() => (this.#compacting = undefined));
    });
  }

  async stop(): Promise<void> {
    this.#endLooks();
    this.#stopped = true;
    await this.#compacting;
  }

  /** Drops what has left the window; ends early when a step failed. */
  async #compact(): Promise<void> {
    this.#batch ??= this.#gather();
    this.#stepDue = true;
    while (this.#batch !== undefined && !this.#stopped) {
      if (this.#stepDue && !this.#stepUnderWay) await this.#step(this.#batch, []);
      this.#stepDue = true;
      // A write that comes meanwhile takes the next step.
      if (this.#batch !== undefined) await pause();
    }
  }

  #gather(): Batch | undefined {
    const { versions } = this;
    const oldestMs = this.#nowMs() - this.windowMs;
    const { firstSeq } = versions;
    const heldSeq =
      this.#heldFrom === Infinity ? versions.nextSeq : versions.firstAfter(this.#heldFrom);
    const lastSeq = Math.min(heldSeq, firstSeq + COMPACTION_BATCH_VERSIONS);
    let endSeq = firstSeq;
    while (endSeq < lastSeq && versions.timeMsAt(endSeq) <= oldestMs) endSeq++;
    if (endSeq === firstSeq) return undefined;
    const rvs = new Float64Array(endSeq - firstSeq);
    for (let at = 0; at < rvs.length; at++) rvs[at] = versions.rvAt(firstSeq + at);
    const horizon = versions.successorAt(endSeq - 1);
    return { rvs: rvs.sort(), horizon, endSeq, droppedCount: 0 };
  }

  async #step(batch: Batch, entries: readonly LogEntry[]): Promise<void> {
    const { horizon, endSeq, droppedCount } = batch;
    const rvs = batch.rvs.subarray(droppedCount, droppedCount + COMPACTION_STEP_VERSIONS);
    this.#stepDue = false;
    this.#stepUnderWay = true;
    try {
      await this.#log.append(entries, { rvs, horizon });
    } catch (error) {
      // The queue still holds everything for the next attempt. Until then writes go on without
      // compaction.
      this.#batch = undefined;
      throw error;
    } finally {
      this.#stepUnderWay = false;
    }
    batch.droppedCount += rvs.length;
    if (batch.droppedCount < batch.rvs.length) return;
    this.versions.dropBefore(endSeq);
    this.#batch = this.#gather();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, COMPACTION_PAUSE_MS));
}
