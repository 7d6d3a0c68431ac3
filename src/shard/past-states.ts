/**
 * The state of a type as it was at an old version inside the history window (SPEC Resource
 * version semantics, "Exact"). What has not changed since is in the object table; this holds what
 * has: the versions, live then, that something has replaced or deleted since. Found through the
 * queue of superseded versions, and kept for the next page of the same list.
 */
import {
  PAST_STATE_STEP_ENTRIES,
  PAST_STATE_STEP_VERSIONS,
  PAST_STATES_ENTRIES_MAX,
  PAST_STATES_MAX,
} from '../limits.ts';
import { decodeRecordHeader } from '../storage/record.ts';
import type { RecordHeader } from '../storage/record.ts';
import type { TypeLog } from '../storage/store.ts';
import type { EventHistory } from './event-history.ts';
import { SortedKeys } from './sorted-keys.ts';

export class PastState {
  readonly rv: number;
  /** Versions that were live then and are not now, by key. */
  readonly replaced = new SortedKeys<number>();
  readonly #history: EventHistory;
  readonly #log: TypeLog;
  #nextSeq: number;

  constructor(rv: number, history: EventHistory, log: TypeLog) {
    this.rv = rv;
    this.#history = history;
    this.#log = log;
    this.#nextSeq = history.versions.firstAfter(rv);
  }

  /** Takes in what was superseded since; false when it is to be called again for the rest. */
  extend(): boolean {
    const { versions } = this.#history;
    const endSeq = Math.min(versions.nextSeq, this.#nextSeq + PAST_STATE_STEP_ENTRIES);
    let found = 0;
    // What compaction has dropped meanwhile was replaced before this version.
    this.#nextSeq = Math.max(this.#nextSeq, versions.firstSeq);
    for (; this.#nextSeq < endSeq; this.#nextSeq++) {
      const rv = versions.rvAt(this.#nextSeq);
      if (rv > this.rv) continue;
      if (found === PAST_STATE_STEP_VERSIONS) return false;
      found++;
      const header = this.header(rv);
      if (header !== undefined) this.replaced.set(header.key, rv);
    }
    return this.#nextSeq >= versions.nextSeq;
  }

  /** What a version in `replaced` was, as selectors see it. */
  header(rv: number): RecordHeader | undefined {
    const record = this.#log.read(rv);
    return record === undefined ? undefined : decodeRecordHeader(record);
  }
}

export class PastStates {
  readonly #history: EventHistory;
  readonly #log: TypeLog;
  /** The one used last stands last. */
  readonly #kept = new Map<number, PastState>();

  constructor(history: EventHistory, log: TypeLog) {
    this.#history = history;
    this.#log = log;
  }

  /**
   * Calls `then` with the state at `rv`, complete as of that turn: at once, or after turns in
   * which others were served. With undefined when that version is no longer in the window.
   */
  at(rv: number, then: (state: PastState | undefined) => void): void {
    if (rv < this.#history.horizon()) {
      this.#kept.delete(rv);
      then(undefined);
      return;
    }
    const state = this.#kept.get(rv) ?? new PastState(rv, this.#history, this.#log);
    this.#kept.delete(rv);
    this.#kept.set(rv, state);
    if (state.extend()) {
      this.#dropOthers();
      then(state);
    } else {
      setImmediate(() => this.at(rv, then));
    }
  }

  /** Whoever pages through a list that was dropped here waits until it is found again. */
  #dropOthers(): void {
    let entries = 0;
    for (const state of this.#kept.values()) entries += state.replaced.size;
    for (const [rv, state] of this.#kept) {
      if (this.#kept.size === 1) return;
      if (this.#kept.size <= PAST_STATES_MAX && entries <= PAST_STATES_ENTRIES_MAX) return;
      this.#kept.delete(rv);
      entries -= state.replaced.size;
    }
  }
}
