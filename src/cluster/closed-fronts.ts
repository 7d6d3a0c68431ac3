/** Counts closed fronts, for a process that ends and can wait for nothing but a cell. */
export class ClosedFronts {
  readonly shared: SharedArrayBuffer;
  readonly #cells: Int32Array;

  /** `shared` is what another thread has made. */
  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  get #count(): number {
    return Atomics.load(this.#cells, 0);
  }

  add(): void {
    Atomics.add(this.#cells, 0, 1);
    Atomics.notify(this.#cells, 0);
  }

  /** Blocks the thread until so many have closed, or for so long. */
  wait(count: number, milliseconds: number): void {
    const lateMs = performance.now() + milliseconds;
    for (let closed = this.#count; closed < count; closed = this.#count) {
      const leftMs = lateMs - performance.now();
      if (leftMs <= 0 || Atomics.wait(this.#cells, 0, closed, leftMs) === 'timed-out') return;
    }
  }
}
