/**
 * Remembers the records of a log that were checked lately (README.md#when-checksums-are-compared).
 */
import type { Timers } from '../base/time/timers.ts';
import { CHECKED_BLOCKS_MAX, CHECKED_MS_MAX } from '../limits.ts';

/** Versions in a block: their marks are the bits of one number. */
const BLOCK_VERSIONS = 32;
const BLOCKS_MIN = 4;

/**
 * A set of versions that one look into the memory answers: a list asks it for each object, and the
 * objects that it copies meanwhile drive all else out of the caches. An open hash table of blocks.
 */
export class CheckedVersions {
  readonly #timers: Timers;
  /** The number of a block, from 1 on, and its marks; half of the pairs are free at least. */
  #pairs = emptyPairs();
  #blocks = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Whether the record was checked, at most CHECKED_MS_MAX ago. */
  has(rv: number): boolean {
    const marks = this.#pairs[this.#find(blockOf(rv)) + 1] ?? 0;
    return (marks & markOf(rv)) !== 0;
  }

  /** The record has been checked; where too many were, that is not remembered. */
  add(rv: number): void {
    const block = blockOf(rv);
    if (this.#pairs[this.#find(block)] === 0) {
      if (this.#blocks === CHECKED_BLOCKS_MAX) return;
      if (this.#blocks === 0) this.#forgetLater();
      this.#blocks++;
      if (this.#blocks * 4 > this.#pairs.length) this.#grow();
    }
    this.#mark(block, markOf(rv));
  }

  #mark(block: number, marks: number): void {
    const at = this.#find(block);
    this.#pairs[at] = block;
    this.#pairs[at + 1] = (this.#pairs[at + 1] ?? 0) | marks;
  }

  /** The place of the pair of a block, also where it is not there yet. */
  #find(block: number): number {
    const pairs = this.#pairs;
    const count = pairs.length / 2;
    // The high bits of the product are those that depend on all of the number.
    let index = Math.imul(block, 0x9e37_79b1) >>> Math.clz32(count - 1);
    for (;;) {
      const found = pairs[2 * index];
      if (found === block || found === 0) return 2 * index;
      index = (index + 1) % count;
    }
  }

  #grow(): void {
    const old = this.#pairs;
    this.#pairs = new Float64Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const block = old[at] ?? 0;
      if (block !== 0) this.#mark(block, old[at + 1] ?? 0);
    }
  }

  #forgetLater(): void {
    const stop = this.#timers.every(CHECKED_MS_MAX, () => {
      stop();
      this.#pairs = emptyPairs();
      this.#blocks = 0;
    });
  }
}

function emptyPairs(): Float64Array {
  return new Float64Array(2 * BLOCKS_MIN);
}

function blockOf(rv: number): number {
  return Math.floor(rv / BLOCK_VERSIONS) + 1;
}

function markOf(rv: number): number {
  return 1 << (rv % BLOCK_VERSIONS);
}
