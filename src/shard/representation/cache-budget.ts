/**
 * The bytes that the encoding caches of all worker threads share (`encoding-cache.ts`). A thread
 * cannot remove entries of another one: a thread that finds no room announces that here, and the
 * others check it at intervals.
 */
import { ENCODING_CACHE_BYTES_MAX } from '../../limits.ts';

const TAKEN = 0;
const WANTED = 1;
const WANTED_SINCE_SECONDS = 2;

export class CacheBudget {
  readonly shared: SharedArrayBuffer;
  readonly bytesMax: number;
  readonly #cells: Int32Array;

  constructor(shared = new SharedArrayBuffer(12), bytesMax = ENCODING_CACHE_BYTES_MAX) {
    this.shared = shared;
    this.bytesMax = bytesMax;
    this.#cells = new Int32Array(shared);
  }

  /** The bytes that the caches of all threads take. */
  get taken(): number {
    return Atomics.load(this.#cells, TAKEN);
  }

  /** Takes bytes; returns false, and takes none, when there are not so many left. */
  take(bytes: number): boolean {
    if (Atomics.add(this.#cells, TAKEN, bytes) + bytes <= this.bytesMax) return true;
    this.give(bytes);
    return false;
  }

  give(bytes: number): void {
    Atomics.sub(this.#cells, TAKEN, bytes);
  }

  /**
   * Asks the other threads for room, for an entry that was requested at `sinceMs` and again now.
   * Returns false when enough is wanted already.
   */
  want(bytes: number, sinceMs: number): boolean {
    if (Atomics.load(this.#cells, WANTED) >= this.bytesMax) return false;
    Atomics.add(this.#cells, WANTED, bytes);
    Atomics.store(this.#cells, WANTED_SINCE_SECONDS, Math.floor(sinceMs / 1_000));
    return true;
  }

  /** Withdraws a wish for room: it is met, or all threads have seen it. */
  wantLess(bytes: number): void {
    Atomics.sub(this.#cells, WANTED, bytes);
  }

  /** The bytes that threads must free for those wanted; not positive when there are enough. */
  get missing(): number {
    return Math.min(Atomics.load(this.#cells, WANTED), this.bytesMax) + this.taken - this.bytesMax;
  }

  /** Entries that were last requested before this time must make room. */
  get wantedSinceMs(): number {
    return Atomics.load(this.#cells, WANTED_SINCE_SECONDS) * 1_000;
  }
}
