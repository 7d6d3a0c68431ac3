/**
 * The versions that something replaced, in the order of what replaced them: a queue of numbers
 * outside the garbage collector's sight, since a window of minutes at full speed holds millions.
 */
import { assert, AssertionError } from '../../base/assert.ts';

/** Entries of one segment: a segment goes when all of its entries have. */
const SEGMENT_ENTRIES = 4_096;
/** Numbers of an entry: the version, its successor, and when that was written. */
const NUMBERS = 3;

export class SupersededVersions {
  #segments: Float64Array[] = [];
  /** The sequence number of the first entry of the first segment. */
  #baseSeq = 0;
  #firstSeq = 0;
  #nextSeq = 0;

  /** The oldest entry still here; equal to `nextSeq` while there is none. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** The number that the next entry gets; numbers are consecutive from 0. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** `successorRv` is never below that of the entry before. */
  push(rv: number, successorRv: number, timeMs: number): void {
    const at = this.#nextSeq - this.#baseSeq;
    const index = Math.floor(at / SEGMENT_ENTRIES);
    if (index === this.#segments.length) {
      this.#segments.push(new Float64Array(SEGMENT_ENTRIES * NUMBERS));
    }
    this.#segments[index]?.set([rv, successorRv, timeMs], (at % SEGMENT_ENTRIES) * NUMBERS);
    this.#nextSeq++;
  }

  rvAt(seq: number): number {
    return this.#number(seq, 0);
  }

  successorAt(seq: number): number {
    return this.#number(seq, 1);
  }

  timeMsAt(seq: number): number {
    return this.#number(seq, 2);
  }

  /** The first entry whose successor is above `rv`; `nextSeq` if there is none. */
  firstAfter(rv: number): number {
    let low = this.#firstSeq;
    let high = this.#nextSeq;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.successorAt(middle) <= rv) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets the entries below `seq`. */
  dropBefore(seq: number): void {
    assert(seq <= this.#nextSeq, `dropped before ${seq} of ${this.#nextSeq}`);
    this.#firstSeq = Math.max(this.#firstSeq, seq);
    const gone = Math.floor((this.#firstSeq - this.#baseSeq) / SEGMENT_ENTRIES);
    if (gone === 0) return;
    this.#segments = this.#segments.slice(gone);
    this.#baseSeq += gone * SEGMENT_ENTRIES;
  }

  #number(seq: number, which: number): number {
    const at = seq - this.#baseSeq;
    const segment = this.#segments[Math.floor(at / SEGMENT_ENTRIES)];
    const number = segment?.[(at % SEGMENT_ENTRIES) * NUMBERS + which];
    // Called for millions: the message is put together only when it is needed.
    if (seq < this.#firstSeq || seq >= this.#nextSeq || number === undefined) {
      throw new AssertionError(`entry ${seq} is not in ${this.#firstSeq} to ${this.#nextSeq}`);
    }
    return number;
  }
}
