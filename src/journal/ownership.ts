/**
 * Whether this server owns all types, as its threads see it: the revision in which it became the
 * owner, which each transaction compares (the fence), until when its lease is safe, and how far it
 * has seen. Times are
 * those of a clock that no one can set and that counts while the process is stopped.
 */
const FENCE = 0;
const LEASED_UNTIL = 1;
const SEEN = 2;

export class Ownership {
  readonly shared: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(24)) {
    this.shared = shared;
    this.#cells = new BigInt64Array(shared);
  }

  /** 0 where the server is not the owner. */
  get fence(): number {
    return Number(Atomics.load(this.#cells, FENCE));
  }

  /** Whether nobody else can own, as of now. */
  get isSure(): boolean {
    return this.fence !== 0 && steadyMs() < Number(Atomics.load(this.#cells, LEASED_UNTIL));
  }

  /** The lease is safe until `untilMs` of `steadyMs`. */
  renew(untilMs: number): void {
    Atomics.store(this.#cells, LEASED_UNTIL, BigInt(Math.floor(untilMs)));
  }

  /** The newest revision of which some type of this server knows that it has seen all. */
  get seen(): number {
    return Number(Atomics.load(this.#cells, SEEN));
  }

  see(revision: number): void {
    if (revision > this.seen) Atomics.store(this.#cells, SEEN, BigInt(revision));
  }

  take(fence: number): void {
    Atomics.store(this.#cells, FENCE, BigInt(fence));
  }

  lose(): void {
    Atomics.store(this.#cells, FENCE, 0n);
  }
}

/** Milliseconds of a clock that all threads have in common. */
export function steadyMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
