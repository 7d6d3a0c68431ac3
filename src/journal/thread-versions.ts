/**
 * Which versions are safe: all changes up to them are in etcd, whatever the type. Types commit side
 * by side, so a group says with itself how far all of them are then: below the oldest version that
 * was taken and is not committed. Each thread keeps a cell with its own oldest one for the others.
 *
 * A thread sets its cell before it takes a version. Who reads the counter first and the cells after
 * it knows of each version that the counter has: none is taken between the two and not seen.
 */
import type { VersionClock } from '../sequencer/version-clock.ts';

/** Which versions of a type are under way. */
export interface TypeVersions {
  /** The oldest one that is not committed; undefined for none. */
  oldest(): number | undefined;
  /** The oldest one that is not in the group that is being committed. */
  oldestStaged(): number | undefined;
}

const NEXT_CELL = 0;
const NOTHING = 0n;

export class ThreadVersions {
  readonly #clock: VersionClock;
  readonly #cells: BigInt64Array;
  readonly #own: number;
  readonly #types = new Set<TypeVersions>();
  #isMarked = false;
  #isLooking = false;

  /** For so many threads. */
  static shared(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer((threads + 1) * BigInt64Array.BYTES_PER_ELEMENT);
  }

  /** Takes a cell for this thread. */
  constructor(shared: SharedArrayBuffer, clock: VersionClock) {
    this.#clock = clock;
    this.#cells = new BigInt64Array(shared);
    this.#own = Number(Atomics.add(this.#cells, NEXT_CELL, 1n)) + 1;
  }

  join(type: TypeVersions): void {
    this.#types.add(type);
  }

  leave(type: TypeVersions): void {
    this.#types.delete(type);
    this.look();
  }

  /** The next version; what takes it stages it in the same turn, or never. */
  take(): number {
    if (!this.#isMarked) {
      this.#isMarked = true;
      Atomics.store(this.#cells, this.#own, BigInt(this.#clock.last() + 1));
      this.#lookLater();
    }
    return this.#clock.take();
  }

  /** Looks at what is under way: after a commit. */
  look(): void {
    let oldest = Infinity;
    for (const type of this.#types) oldest = Math.min(oldest, type.oldest() ?? Infinity);
    this.#isMarked = oldest !== Infinity;
    Atomics.store(this.#cells, this.#own, this.#isMarked ? BigInt(oldest) : NOTHING);
  }

  /** The safe version once the group of that type that is being committed is in etcd. */
  safeRv(committing?: TypeVersions): number {
    let safe = this.#clock.last();
    for (let cell = 1; cell < this.#cells.length; cell++) {
      if (cell === this.#own) continue;
      const oldest = Atomics.load(this.#cells, cell);
      if (oldest !== NOTHING) safe = Math.min(safe, Number(oldest) - 1);
    }
    for (const type of this.#types) {
      const oldest = type === committing ? type.oldestStaged() : type.oldest();
      if (oldest !== undefined) safe = Math.min(safe, oldest - 1);
    }
    return safe;
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#isLooking = false;
      this.look();
    });
  }
}
