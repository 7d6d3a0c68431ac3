/**
 * How far the views of all threads are, as each of them says: about once a second up to which
 * revision it has all groups of all its types, and with each answer of etcd how many of the objects
 * with which empty views begin it has read.
 */
const NEXT_CELL = 0;
const READ = 1;
const KNOWN = 2;
const FIRST_CELL = 3;

/** Objects with which views begin. */
export interface ObjectsRead {
  readonly read: number;
  /** How many there are, as far as etcd was asked. */
  readonly of: number;
}

/** One type that is being read. */
export interface Reading {
  /** So many more were read; there are `of` of them. */
  answered(read: number, of: number): void;
  /** It begins once more. */
  forget(): void;
}

/** What a thread tells. */
export interface ToldProgress {
  reached(revision: number): void;
  begin(): Reading;
}

export class ViewProgress {
  readonly #cells: BigInt64Array;

  /** For so many threads. */
  static shared(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer((threads + FIRST_CELL) * BigInt64Array.BYTES_PER_ELEMENT);
  }

  constructor(shared: SharedArrayBuffer) {
    this.#cells = new BigInt64Array(shared);
  }

  /** Takes a cell for this thread. */
  join(): ToldProgress {
    const cell = Number(Atomics.add(this.#cells, NEXT_CELL, 1n)) + FIRST_CELL;
    return {
      reached: (revision) => void Atomics.store(this.#cells, cell, BigInt(revision)),
      begin: () => this.begin(),
    };
  }

  /** One more type is to be read. */
  begin(): Reading {
    let own: ObjectsRead = { read: 0, of: 0 };
    const become = ({ read, of }: ObjectsRead): void => {
      Atomics.add(this.#cells, READ, BigInt(read - own.read));
      Atomics.add(this.#cells, KNOWN, BigInt(of - own.of));
      own = { read, of };
    };
    return {
      answered: (read, of) => become({ read: own.read + read, of }),
      forget: () => become({ read: 0, of: 0 }),
    };
  }

  objects(): ObjectsRead {
    const [read, of] = [READ, KNOWN].map((cell) => Number(Atomics.load(this.#cells, cell)));
    return { read: read ?? 0, of: of ?? 0 };
  }

  /** 0 where a thread has not said it yet. */
  revision(): number {
    const threads = Number(Atomics.load(this.#cells, NEXT_CELL));
    let least = threads === 0 ? 0 : Infinity;
    for (let cell = FIRST_CELL; cell < FIRST_CELL + threads; cell++) {
      least = Math.min(least, Number(Atomics.load(this.#cells, cell)));
    }
    return least;
  }
}
