/**
 * The state of a type as it was at an old version inside the history window
 * (../README.md#lists, "exact"). What has not changed since is in the object table; this holds what
 * has: the versions, live then, that something has replaced or deleted since. Found through the
 * queue of superseded versions, and kept for the next page of the same list.
 */
import {
  PAST_STATE_STEP_ENTRIES,
  PAST_STATE_STEP_VERSIONS,
  PAST_STATES_ENTRIES_MAX,
  PAST_STATES_MAX,
} from '../../limits.ts';
import type { RecordHeader } from '../../storage/record.ts';
import type { EventHistory } from './event-history.ts';
import { SortedKeys } from '../table/sorted-keys.ts';
import type { StoredHeaders } from './stored-headers.ts';

/** An object as it was at some version. */
export type PastObject = Pick<RecordHeader, 'key' | 'labels' | 'fields'> & { readonly rv: number };

type Headers = Pick<StoredHeaders, 'at'>;

export class PastState {
  readonly rv: number;
  /** Objects in versions that were live then and are not now. */
  readonly replaced = new SortedKeys<PastObject>();
  readonly #history: EventHistory;
  readonly #headers: Headers;
  #nextSeq: number;

  constructor(rv: number, history: EventHistory, headers: Headers) {
    this.rv = rv;
    this.#history = history;
    this.#headers = headers;
    this.#nextSeq = history.versions.firstAfter(rv);
  }

  /** The number of versions superseded since then that have not been taken in. */
  get lag(): number {
    return this.#history.versions.nextSeq - this.#nextSeq;
  }

  /** Takes in what was superseded since; false when it is to be called again for the rest. */
  extend(): boolean {
    const { versions } = this.#history;
    // Versions that compaction dropped meanwhile were replaced before this one, so they do not
    // matter.
    this.#nextSeq = Math.max(this.#nextSeq, versions.firstSeq);
    const endSeq = Math.min(versions.nextSeq, this.#nextSeq + PAST_STATE_STEP_ENTRIES);
    let found = 0;
    for (; this.#nextSeq < endSeq; this.#nextSeq++) {
      const rv = versions.rvAt(this.#nextSeq);
      if (rv > this.rv) continue;
      if (found === PAST_STATE_STEP_VERSIONS) return false;
      found++;
      const header = this.#headers.at(rv);
      if (header === undefined) continue;
      const { key, labels, fields } = header;
      this.replaced.set(key, { rv, key, labels, fields });
    }
    return this.lag === 0;
  }
}

interface Waiting {
  readonly rv: number;
  readonly onFound: (state: PastState | undefined) => void;
}

export class PastStates {
  readonly #history: EventHistory;
  readonly #headers: Headers;
  /** States that are complete; the most recently used one is last. */
  readonly #kept = new Map<number, PastState>();
  readonly #waiting: Waiting[] = [];
  /** The state that is being found for the first waiter. */
  #underWay: PastState | undefined;

  constructor(history: EventHistory, headers: Headers) {
    this.#history = history;
    this.#headers = headers;
  }

  /**
   * Calls `then` with the state at `rv`, complete as of that turn: at once, or after turns in
   * which others were served. With undefined when that version is no longer in the window.
   */
  at(rv: number, then: (state: PastState | undefined) => void): void {
    const kept = this.#kept.get(rv);
    if (rv < this.#history.horizon()) {
      this.#kept.delete(rv);
      then(undefined);
    } else if (kept !== undefined && kept.lag <= PAST_STATE_STEP_VERSIONS) {
      kept.extend();
      this.#keep(kept);
      then(kept);
    } else {
      this.#waiting.push({ rv, onFound: then });
      if (this.#waiting.length === 1) this.#serve();
    }
  }

  /** Finds no more states: the store is about to close. */
  stop(): void {
    this.#waiting.length = 0;
  }

  /**
   * One state at a time, a step of it in a turn: a step of each would keep all others waiting, and
   * states that are half found would hold memory for nobody.
   */
  #serve(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { rv, onFound } = first;
    let state: PastState | undefined;
    let isDone = true;
    if (rv >= this.#history.horizon()) {
      if (this.#underWay?.rv !== rv) {
        this.#underWay = this.#kept.get(rv) ?? new PastState(rv, this.#history, this.#headers);
      }
      state = this.#underWay;
      isDone = state.extend();
    }
    if (isDone) {
      this.#waiting.shift();
      this.#underWay = undefined;
      if (state !== undefined) this.#keep(state);
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#serve());
    if (isDone) onFound(state);
  }

  /** A client that pages through the dropped state waits until it is found again. */
  #keep(state: PastState): void {
    this.#kept.delete(state.rv);
    this.#kept.set(state.rv, state);
    let entries = 0;
    for (const { replaced } of this.#kept.values()) entries += replaced.size;
    for (const [rv, { replaced }] of this.#kept) {
      if (this.#kept.size === 1) return;
      if (this.#kept.size <= PAST_STATES_MAX && entries <= PAST_STATES_ENTRIES_MAX) return;
      this.#kept.delete(rv);
      entries -= replaced.size;
    }
  }
}
