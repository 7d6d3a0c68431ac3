/**
 * The seats of levels where several threads serve requests, in memory that they share. What is free
 * is taken without asking anybody. Where requests wait, threads have turns: one request of each in
 * a round, and who gives seats rings the bell of the thread whose turn it is.
 */
import type { LevelSeats } from './seat-pool.ts';

/** Levels at a time, and bytes of a name: those of an object are ASCII. */
const LEVELS_MAX = 256;
const NAME_BYTES = 256;
const THREADS_MAX = 16;

/** Of each level. `demand` is followed by a cell of each thread. */
const CELLS = { users: 0, taken: 1, limit: 2, waiting: 3, turn: 4, demand: 5 } as const;
const CELLS_OF_LEVEL = CELLS.demand + THREADS_MAX;
const LOCK = 0;
/** The bell of a thread is the cell after the lock at its number. */
const BELLS = 1;
const LEVELS_AT = BELLS + THREADS_MAX;
const UNSET = -1;

export interface SharedSeatsMemory {
  readonly cells: SharedArrayBuffer;
  readonly names: SharedArrayBuffer;
}

export function sharedSeatsMemory(): SharedSeatsMemory {
  const cells = LEVELS_AT + LEVELS_MAX * CELLS_OF_LEVEL;
  return {
    cells: new SharedArrayBuffer(cells * Int32Array.BYTES_PER_ELEMENT),
    names: new SharedArrayBuffer(LEVELS_MAX * NAME_BYTES),
  };
}

/** The seats of all levels, as one thread uses them. */
export class SharedSeats {
  readonly cells: Int32Array;
  /** The number of the thread. */
  readonly thread: number;
  readonly #names: Uint8Array;
  readonly #levels = new Set<SharedLevelSeats>();
  #isListening = false;

  constructor({ cells, names }: SharedSeatsMemory, thread: number) {
    this.cells = new Int32Array(cells);
    this.#names = new Uint8Array(names);
    this.thread = thread;
  }

  /** The seats of a level; `whenFree` runs when it is this thread's turn to take some. */
  of(level: string, whenFree: () => void): LevelSeats {
    const seats = new SharedLevelSeats(this, this.#join(level), whenFree);
    this.#levels.add(seats);
    return seats;
  }

  /** Requests of this thread wait: listens to its bell as long as any do. */
  listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#listenOnce();
  }

  ring(thread: number): void {
    Atomics.add(this.cells, BELLS + thread, 1);
    Atomics.notify(this.cells, BELLS + thread);
  }

  leave(seats: SharedLevelSeats, at: number): void {
    this.#levels.delete(seats);
    this.#locked(() => void Atomics.sub(this.cells, at + CELLS.users, 1));
  }

  #listenOnce(): void {
    const rung = Atomics.load(this.cells, BELLS + this.thread);
    const { async, value } = Atomics.waitAsync(this.cells, BELLS + this.thread, rung);
    if (async) void value.then(() => this.#rung());
    else setImmediate(() => this.#rung());
  }

  #rung(): void {
    for (const level of this.#levels) level.look();
    this.#isListening = [...this.#levels].some((level) => level.isWaiting);
    if (this.#isListening) this.#listenOnce();
  }

  /** The place of the level's cells: that which others use, or a free one. */
  #join(level: string): number {
    return this.#locked(() => {
      const name = Buffer.alloc(NAME_BYTES);
      name.write(level, 'latin1');
      const places = Array.from({ length: LEVELS_MAX }, (_, index) => index);
      const isUsed = (index: number): boolean => this.#users(index) > 0;
      const known = places.find((index) => isUsed(index) && name.equals(this.#nameAt(index)));
      const index = known ?? places.find((one) => !isUsed(one));
      if (index === undefined) throw new Error(`more than ${LEVELS_MAX} priority levels`);
      const at = LEVELS_AT + index * CELLS_OF_LEVEL;
      if (known === undefined) {
        this.#nameAt(index).set(name);
        this.cells.fill(0, at, at + CELLS_OF_LEVEL);
        Atomics.store(this.cells, at + CELLS.limit, UNSET);
      }
      Atomics.add(this.cells, at + CELLS.users, 1);
      return at;
    });
  }

  #users(index: number): number {
    return Atomics.load(this.cells, LEVELS_AT + index * CELLS_OF_LEVEL + CELLS.users);
  }

  #nameAt(index: number): Uint8Array {
    return this.#names.subarray(index * NAME_BYTES, (index + 1) * NAME_BYTES);
  }

  #locked<T>(work: () => T): T {
    while (Atomics.compareExchange(this.cells, LOCK, 0, 1) !== 0)
      Atomics.wait(this.cells, LOCK, 1, 1);
    try {
      return work();
    } finally {
      Atomics.store(this.cells, LOCK, 0);
      Atomics.notify(this.cells, LOCK, 1);
    }
  }
}

class SharedLevelSeats implements LevelSeats {
  readonly #all: SharedSeats;
  readonly #cells: Int32Array;
  readonly #at: number;
  readonly #bit: number;
  readonly #whenFree: () => void;
  isWaiting = false;

  constructor(all: SharedSeats, at: number, whenFree: () => void) {
    this.#all = all;
    this.#cells = all.cells;
    this.#at = at;
    this.#bit = 1 << all.thread;
    this.#whenFree = whenFree;
  }

  get limit(): number {
    return Math.max(0, Atomics.load(this.#cells, this.#at + CELLS.limit));
  }

  /** The first thread decides. */
  set limit(seats: number) {
    const at = this.#at + CELLS.limit;
    if (this.#all.thread === 0) Atomics.store(this.#cells, at, seats);
    else Atomics.compareExchange(this.#cells, at, UNSET, seats);
    this.#passOn();
  }

  get isFull(): boolean {
    return this.#taken() >= this.limit;
  }

  take(seats: number): boolean {
    if (!this.#isOurTurn()) return false;
    for (let taken = this.#taken(); taken + seats <= this.limit; taken = this.#taken()) {
      if (this.#replace(taken, taken + seats)) return this.#took();
    }
    return false;
  }

  takeAlone(seats: number): boolean {
    return this.#isOurTurn() && this.#replace(0, seats) && this.#took();
  }

  takeAnyway(seats: number): void {
    Atomics.add(this.#cells, this.#at + CELLS.taken, seats);
  }

  give(seats: number): void {
    Atomics.sub(this.#cells, this.#at + CELLS.taken, seats);
    this.#passOn();
  }

  demandOfAll(seats: number): number {
    const at = this.#at + CELLS.demand;
    Atomics.store(this.#cells, at + this.#all.thread, seats);
    let sum = 0;
    for (let thread = 0; thread < THREADS_MAX; thread++)
      sum += Atomics.load(this.#cells, at + thread);
    return sum;
  }

  wait(isWaiting: boolean): void {
    if (isWaiting === this.isWaiting) return;
    this.isWaiting = isWaiting;
    const at = this.#at + CELLS.waiting;
    if (isWaiting) {
      Atomics.or(this.#cells, at, this.#bit);
      this.#all.listen();
    } else {
      Atomics.and(this.#cells, at, ~this.#bit);
      this.#passOn();
    }
  }

  /** The bell has rung. */
  look(): void {
    if (this.isWaiting) this.#whenFree();
  }

  close(): void {
    this.wait(false);
    this.#all.leave(this, this.#at);
  }

  #taken(): number {
    return Atomics.load(this.#cells, this.#at + CELLS.taken);
  }

  #replace(taken: number, by: number): boolean {
    return Atomics.compareExchange(this.#cells, this.#at + CELLS.taken, taken, by) === taken;
  }

  /** Nobody goes past another thread that waits and has its turn. */
  #isOurTurn(): boolean {
    const others = Atomics.load(this.#cells, this.#at + CELLS.waiting) & ~this.#bit;
    return others === 0 || (others & (1 << this.#turn())) === 0;
  }

  #turn(): number {
    return Atomics.load(this.#cells, this.#at + CELLS.turn);
  }

  /** After each of ours it is another thread's turn, where one waits. */
  #took(): true {
    const others = Atomics.load(this.#cells, this.#at + CELLS.waiting) & ~this.#bit;
    if (others !== 0) this.#giveTurn(others, this.#all.thread);
    return true;
  }

  /** There may be seats: whoever has the turn is told; where that one waits no more, the next. */
  #passOn(): void {
    const waiting = Atomics.load(this.#cells, this.#at + CELLS.waiting);
    if (waiting === 0 || this.isFull) return;
    const turn = this.#turn();
    if ((waiting & (1 << turn)) === 0) this.#giveTurn(waiting, turn);
    else if (turn !== this.#all.thread) this.#all.ring(turn);
  }

  /** Gives it to the first of those that wait after a thread. */
  #giveTurn(waiting: number, after: number): void {
    for (let step = 1; step <= THREADS_MAX; step++) {
      const thread = (after + step) % THREADS_MAX;
      if ((waiting & (1 << thread)) === 0) continue;
      Atomics.store(this.#cells, this.#at + CELLS.turn, thread);
      if (thread !== this.#all.thread) this.#all.ring(thread);
      return;
    }
  }
}
