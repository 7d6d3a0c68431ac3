/**
 * Pages of lists and of watches that catch up: no further one in a turn that has made so many
 * bytes, however many clients read. Between two turns others are served, and what a turn sends in
 * one buffer stays small.
 */

/** Makes a page, or asks for one, and hands it over; returns its size in bytes. */
type MakePage = () => number;

export class PageTurns {
  readonly #waiting: MakePage[] = [];
  readonly #bytesPerTurn: number;
  #bytesLeft: number;
  #isScheduled = false;

  constructor(bytesPerTurn: number) {
    this.#bytesPerTurn = bytesPerTurn;
    this.#bytesLeft = bytesPerTurn;
  }

  /** Runs `makePage` now, or in a later turn, after those that came before. */
  add(makePage: MakePage): void {
    this.#waiting.push(makePage);
    this.#run();
  }

  /** Makes no more pages: the store is about to close. */
  stop(): void {
    this.#waiting.length = 0;
  }

  #run(): void {
    while (this.#bytesLeft > 0) {
      const makePage = this.#waiting.shift();
      if (makePage === undefined) break;
      this.#bytesLeft -= makePage();
    }
    if (this.#bytesLeft === this.#bytesPerTurn || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#bytesLeft = this.#bytesPerTurn;
      this.#run();
    });
  }
}
