/**
 * A ring of encoded frames that many readers follow, each with a cursor. The newest entries stay,
 * bounded by count and by bytes; a reader whose cursor is below `firstSeq` has fallen off.
 */
import { assert } from './assert.ts';

/** Entries `fromSeq` up to, not including, `nextSeq`, one after another. */
export interface RingSlice {
  readonly bytes: Uint8Array;
  readonly nextSeq: number;
}

interface SliceMemo extends RingSlice {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly bytesMax: number;
}

const NO_BYTES = new Uint8Array(0);

export class RingBuffer {
  readonly #countMax: number;
  readonly #bytesMax: number;
  /** Live entries begin at `#head`; the dead ones before it go when they are the larger part. */
  #entries: Uint8Array[] = [];
  #tags: number[] = [];
  #head = 0;
  #firstSeq = 0;
  #totalBytes = 0;
  #memo: SliceMemo | undefined;

  /** Both limits are at least 1. The newest entry always stays, even if larger than `bytesMax`. */
  constructor(countMax: number, bytesMax: number) {
    assert(countMax >= 1 && bytesMax >= 1, `ring limits below 1: ${countMax}, ${bytesMax}`);
    this.#countMax = countMax;
    this.#bytesMax = bytesMax;
  }

  /** The oldest entry still here; equal to `nextSeq` while the ring is empty. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** The number that the next entry gets; numbers are consecutive from 0. */
  get nextSeq(): number {
    return this.#firstSeq + this.#entries.length - this.#head;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /**
   * Adds an entry with a number of the caller's, drops the oldest ones over the limits, and
   * returns the sequence number of the new one.
   */
  push(bytes: Uint8Array, tag = 0): number {
    const seq = this.nextSeq;
    this.#entries.push(bytes);
    this.#tags.push(tag);
    this.#totalBytes += bytes.length;
    while (
      seq - this.#firstSeq >= this.#countMax ||
      (this.#totalBytes > this.#bytesMax && this.#firstSeq < seq)
    ) {
      this.#dropOldest();
    }
    return seq;
  }

  /** The entry, or undefined when it has been dropped or is not there yet. */
  get(seq: number): Uint8Array | undefined {
    return seq < this.#firstSeq ? undefined : this.#entries[this.#head + seq - this.#firstSeq];
  }

  /** The tag of an entry that is in the ring. */
  tagAt(seq: number): number {
    const tag = this.#tags[this.#head + seq - this.#firstSeq];
    if (seq < this.#firstSeq || tag === undefined) {
      throw new RangeError(`ring buffer does not hold ${seq}`);
    }
    return tag;
  }

  /**
   * Entries from `fromSeq` on, below `toSeq`, as many as fit in `bytesMax` but at least one; none
   * if the range is empty. The range must be in the ring: compare with `firstSeq` first. The last
   * answer is kept, since all readers of a channel tend to stand at the same entry: its bytes are
   * shared and must not be changed.
   */
  concat(fromSeq: number, toSeq: number, bytesMax: number): RingSlice {
    if (fromSeq < this.#firstSeq || toSeq > this.nextSeq) {
      const range = `${this.#firstSeq} to ${this.nextSeq}`;
      assert(false, `ring holds ${range}, asked for ${fromSeq} to ${toSeq}`);
    }
    if (fromSeq >= toSeq) return { bytes: NO_BYTES, nextSeq: fromSeq };
    const memo = this.#memo;
    if (memo?.fromSeq === fromSeq && memo.toSeq === toSeq && memo.bytesMax === bytesMax) {
      return memo;
    }
    const slice = this.#slice(fromSeq, toSeq, bytesMax);
    this.#memo = { fromSeq, toSeq, bytesMax, ...slice };
    return this.#memo;
  }

  #slice(fromSeq: number, toSeq: number, bytesMax: number): RingSlice {
    const start = this.#head + fromSeq - this.#firstSeq;
    const endMax = start + toSeq - fromSeq;
    const first = this.#entries[start]!;
    let length = first.length;
    let end = start + 1;
    while (end < endMax && length + this.#entries[end]!.length <= bytesMax) {
      length += this.#entries[end]!.length;
      end++;
    }
    const nextSeq = fromSeq + end - start;
    if (end === start + 1) return { bytes: first, nextSeq };
    const bytes = new Uint8Array(length);
    for (let index = start, offset = 0; index < end; index++) {
      const entry = this.#entries[index]!;
      bytes.set(entry, offset);
      offset += entry.length;
    }
    return { bytes, nextSeq };
  }

  #dropOldest(): void {
    this.#totalBytes -= this.#entries[this.#head]!.length;
    this.#entries[this.#head] = NO_BYTES;
    this.#head++;
    // A slice that starts at a dropped entry can not be asked for again.
    if (this.#memo !== undefined && this.#memo.fromSeq <= this.#firstSeq) this.#memo = undefined;
    this.#firstSeq++;
    if (this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#tags = this.#tags.slice(this.#head);
      this.#head = 0;
    }
  }
}
