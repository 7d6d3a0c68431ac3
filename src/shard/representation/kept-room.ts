/**
 * The room that all worker threads share for what they keep of encodings
 * (`encoding-cache.ts`). What one thread keeps another cannot remove: one that finds no room says
 * so here, and the others look at it now and then.
 */
import { ENCODING_CACHE_BYTES_MAX } from '../../limits.ts';

const TAKEN = 0;
const WANTED = 1;
const WANTED_SINCE_SECONDS = 2;

export class KeptRoom {
  readonly shared: SharedArrayBuffer;
  readonly bytesMax: number;
  readonly #cells: Int32Array;

  constructor(shared = new SharedArrayBuffer(12), bytesMax = ENCODING_CACHE_BYTES_MAX) {
    this.shared = shared;
    this.bytesMax = bytesMax;
    this.#cells = new Int32Array(shared);
  }

  /** The bytes that all threads keep. */
  get taken(): number {
    return Atomics.load(this.#cells, TAKEN);
  }

  /** False, and nothing is taken, when there is not so much left. */
  take(bytes: number): boolean {
    if (Atomics.add(this.#cells, TAKEN, bytes) + bytes <= this.bytesMax) return true;
    this.give(bytes);
    return false;
  }

  give(bytes: number): void {
    Atomics.sub(this.#cells, TAKEN, bytes);
  }

  /**
   * Asks for room for an entry that was asked for again since then. False when enough is wanted
   * already.
   */
  want(bytes: number, sinceMs: number): boolean {
    if (Atomics.load(this.#cells, WANTED) >= this.bytesMax) return false;
    Atomics.add(this.#cells, WANTED, bytes);
    Atomics.store(this.#cells, WANTED_SINCE_SECONDS, Math.floor(sinceMs / 1_000));
    return true;
  }

  /** So much is wanted no longer, or has been known for long enough. */
  wantLess(bytes: number): void {
    Atomics.sub(this.#cells, WANTED, bytes);
  }

  /** The bytes that are missing for those wanted; not positive when there are enough. */
  get missing(): number {
    return Math.min(Atomics.load(this.#cells, WANTED), this.bytesMax) + this.taken - this.bytesMax;
  }

  /** Whoever keeps what was last asked for before this is to make that room. */
  get wantedSinceMs(): number {
    return Atomics.load(this.#cells, WANTED_SINCE_SECONDS) * 1_000;
  }
}
