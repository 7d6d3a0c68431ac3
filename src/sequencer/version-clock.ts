/**
 * The one counter of all resourceVersions, shared by every thread
 * (src/shard/README.md#resource-versions). Taking a number is one atomic add; whether it may be
 * shown to clients is decided by the leased limit beside it.
 */
const COUNTER = 0;
const LEASED = 1;

/** The versions of one type, as its shard takes and shows them. */
export type Clock = Pick<VersionClock, 'take' | 'current' | 'leased'>;

export class VersionClock {
  readonly shared: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.shared = shared;
    this.#cells = new BigInt64Array(shared);
  }

  /** The next version: above every other taken before, on any thread. */
  take(): number {
    return Number(Atomics.add(this.#cells, COUNTER, 1n)) + 1;
  }

  /** The newest version that clients may see as the version of a list. */
  current(): number {
    return Math.min(Number(Atomics.load(this.#cells, COUNTER)), this.leased());
  }

  /** Versions up to this one are covered by the durable high-water mark. */
  leased(): number {
    return Number(Atomics.load(this.#cells, LEASED));
  }

  /** Called by the sequencer alone, before the first version of this run is taken. */
  start(counter: number): void {
    Atomics.store(this.#cells, COUNTER, BigInt(counter));
  }

  /** Called by the sequencer alone: the high-water mark is durable up to `limit`. */
  extend(limit: number): void {
    Atomics.store(this.#cells, LEASED, BigInt(limit));
  }

  /** The last version that was taken: by the sequencer at the end, nobody takes any more. */
  last(): number {
    return Number(Atomics.load(this.#cells, COUNTER));
  }
}
