/**
 * How far the views of all threads are, as each of them says about once a second: all groups of all
 * types up to the least of these revisions are in the view.
 */
const NEXT_CELL = 0;

export class ViewProgress {
  readonly #cells: BigInt64Array;

  /** For so many threads. */
  static shared(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer((threads + 1) * BigInt64Array.BYTES_PER_ELEMENT);
  }

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new BigInt64Array(shared);
  }

  /** Takes a cell for this thread; gives what tells how far it is. */
  join(): (revision: number) => void {
    const cell = Number(Atomics.add(this.#cells, NEXT_CELL, 1n)) + 1;
    return (revision) => void Atomics.store(this.#cells, cell, BigInt(revision));
  }

  /** 0 where a thread has not said it yet. */
  revision(): number {
    const threads = Number(Atomics.load(this.#cells, NEXT_CELL));
    let least = threads === 0 ? 0 : Infinity;
    for (let cell = 1; cell <= threads; cell++) {
      least = Math.min(least, Number(Atomics.load(this.#cells, cell)));
    }
    return least;
  }
}
