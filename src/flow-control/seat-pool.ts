/** The seats of a priority level. */
export interface SeatPool {
  /** So many may be taken. */
  readonly limit: number;
  readonly isFull: boolean;
  /** Takes so many where there are so many; false else. */
  take(seats: number): boolean;
  /** Takes more than there are, where nobody has any. */
  takeAlone(seats: number): boolean;
  takeAnyway(seats: number): void;
  give(seats: number): void;
  /** Whether requests wait here: then whoever waits is to look again once seats are free. */
  wait(isWaiting: boolean): void;
}

/** One whose limit may change. */
export interface LevelSeats extends SeatPool {
  limit: number;
  /** What all threads together could use, where this one could use so many. */
  demandOfAll(seats: number): number;
  /** The level is gone. */
  close(): void;
}

/** Seats of one thread alone: its queues look again whenever they give some. */
export class OwnSeats implements LevelSeats {
  limit = 0;
  #taken = 0;

  get isFull(): boolean {
    return this.#taken >= this.limit;
  }

  take(seats: number): boolean {
    if (this.#taken + seats > this.limit) return false;
    this.#taken += seats;
    return true;
  }

  takeAlone(seats: number): boolean {
    if (this.#taken > 0) return false;
    this.#taken = seats;
    return true;
  }

  takeAnyway(seats: number): void {
    this.#taken += seats;
  }

  give(seats: number): void {
    this.#taken -= seats;
  }

  demandOfAll(seats: number): number {
    return seats;
  }

  wait(): void {}

  close(): void {}
}
