/** An ordered set of string keys with a value each, for scans over a shard's objects. */
import { appendAll } from '../../base/append-all.ts';

/** A chunk is split when it grows over this; inserts move at most so many entries. */
const CHUNK_LENGTH_MAX = 512;
/** The length of chunks after a bulk load, so that the next inserts do not split every one. */
const CHUNK_LENGTH_LOADED = 384;
/** A chunk that shrinks below this is joined with a neighbour, if both fit well into one. */
const CHUNK_LENGTH_MIN = 128;

interface Chunk<V> {
  readonly keys: string[];
  readonly values: V[];
}

/** Called with each entry of a scan, in order; `false` ends the scan. */
export type ScanVisitor<V> = (key: string, value: V) => boolean | void;

/** The first index whose key is not below `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Sorted chunks of keys, ordered by code unit. It answers ranges only: who needs the value of one
 * key keeps a Map beside it. Two plain arrays per chunk cost two references per entry.
 */
export class SortedKeys<V> {
  /** Never an empty chunk. */
  #chunks: Chunk<V>[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Replaces all content; entries come in any order. */
  load(values: ReadonlyMap<string, V>): void {
    // The default order of sort is by code unit, and much faster than one with a comparator.
    const keys = [...values.keys()].sort();
    this.#chunks = [];
    this.#size = keys.length;
    for (let start = 0; start < keys.length; start += CHUNK_LENGTH_LOADED) {
      const chunkKeys = keys.slice(start, start + CHUNK_LENGTH_LOADED);
      this.#chunks.push({ keys: chunkKeys, values: chunkKeys.map((key) => values.get(key)!) });
    }
  }

  /** Adds the key, or replaces its value. */
  set(key: string, value: V): void {
    const chunkIndex = Math.min(this.#chunkAt(key), this.#chunks.length - 1);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) {
      this.#chunks.push({ keys: [key], values: [value] });
      this.#size = 1;
      return;
    }
    const index = lowerBound(chunk.keys, key);
    if (chunk.keys[index] === key) {
      chunk.values[index] = value;
      return;
    }
    this.#size++;
    if (index === chunk.keys.length) {
      chunk.keys.push(key);
      chunk.values.push(value);
    } else {
      chunk.keys.splice(index, 0, key);
      chunk.values.splice(index, 0, value);
    }
    if (chunk.keys.length > CHUNK_LENGTH_MAX) this.#split(chunkIndex, index);
  }

  /** Removes the key; false if it was not there. */
  delete(key: string): boolean {
    const chunkIndex = this.#chunkAt(key);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return false;
    const index = lowerBound(chunk.keys, key);
    if (chunk.keys[index] !== key) return false;
    chunk.keys.splice(index, 1);
    chunk.values.splice(index, 1);
    this.#size--;
    if (chunk.keys.length < CHUNK_LENGTH_MIN) this.#join(chunkIndex);
    return true;
  }

  /**
   * Visits the entries from `fromKey` on, below `toKey` (undefined: to the end), in order. The set
   * must not be changed by the visitor. Returns false if the visitor ended the scan.
   */
  scan(fromKey: string, toKey: string | undefined, visit: ScanVisitor<V>): boolean {
    let chunkIndex = this.#chunkAt(fromKey);
    const firstChunk = this.#chunks[chunkIndex];
    let index = firstChunk === undefined ? 0 : lowerBound(firstChunk.keys, fromKey);
    for (; chunkIndex < this.#chunks.length; chunkIndex++) {
      const { keys, values } = this.#chunks[chunkIndex]!;
      const whole = toKey === undefined || keys[keys.length - 1]! < toKey;
      const end = whole ? keys.length : lowerBound(keys, toKey);
      for (; index < end; index++) {
        if (visit(keys[index]!, values[index]!) === false) return false;
      }
      if (!whole) return true;
      index = 0;
    }
    return true;
  }

  /** Counts the keys that `scan` of this range would visit; costs a step per chunk, not per key. */
  countRange(fromKey: string, toKey: string | undefined): number {
    const from = this.#chunkAt(fromKey);
    const firstChunk = this.#chunks[from];
    if (firstChunk === undefined || (toKey !== undefined && toKey <= fromKey)) return 0;
    let count = -lowerBound(firstChunk.keys, fromKey);
    const to = toKey === undefined ? this.#chunks.length : this.#chunkAt(toKey);
    for (let chunkIndex = from; chunkIndex < to; chunkIndex++) {
      count += this.#chunks[chunkIndex]!.keys.length;
    }
    const lastChunk = this.#chunks[to];
    if (toKey !== undefined && lastChunk !== undefined) count += lowerBound(lastChunk.keys, toKey);
    return count;
  }

  /** The first chunk whose last key is not below `key`; the number of chunks if there is none. */
  #chunkAt(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { keys } = this.#chunks[middle]!;
      if (keys[keys.length - 1]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #split(chunkIndex: number, insertedAt: number): void {
    const chunk = this.#chunks[chunkIndex]!;
    const appended = insertedAt === chunk.keys.length - 1;
    // Keys that only grow would leave every chunk half empty if it were cut in the middle.
    const cut = appended ? CHUNK_LENGTH_MAX : chunk.keys.length >>> 1;
    const right = { keys: chunk.keys.splice(cut), values: chunk.values.splice(cut) };
    this.#chunks.splice(chunkIndex + 1, 0, right);
  }

  #join(chunkIndex: number): void {
    const chunk = this.#chunks[chunkIndex]!;
    if (chunk.keys.length === 0) {
      this.#chunks.splice(chunkIndex, 1);
      return;
    }
    const leftIndex = chunkIndex > 0 ? chunkIndex - 1 : 0;
    const left = this.#chunks[leftIndex]!;
    const right = this.#chunks[leftIndex + 1];
    if (right === undefined || left.keys.length + right.keys.length > CHUNK_LENGTH_LOADED) return;
    appendAll(left.keys, right.keys);
    appendAll(left.values, right.values);
    this.#chunks.splice(leftIndex + 1, 1);
  }
}
