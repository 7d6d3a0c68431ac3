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

  /** What all threads keep. */
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

  /** What was asked for again since then found no room. */
  want(bytes: number, sinceMs: number): void {
    const wanted = Math.min(Atomics.load(this.#cells, WANTED) + bytes, this.bytesMax);
    Atomics.store(this.#cells, WANTED, wanted);
    Atomics.store(this.#cells, WANTED_SINCE_SECONDS, Math.floor(sinceMs / 1_000));
  }

  /** What others want, once; whoever has something older than `sinceMs` removes so much of it. */
  takeWanted(): { readonly bytes: number; readonly sinceMs: number } {
    const bytes = Atomics.exchange(this.#cells, WANTED, 0);
    return { bytes, sinceMs: Atomics.load(this.#cells, WANTED_SINCE_SECONDS) * 1_000 };
  }
}
