/**
 * Shares work that many clients ask for at once, such as pages of lists. Once a turn has done a
 * given amount, no piece is begun in it, whoever wants more. Between two turns others are served,
 * and the bytes that a turn sends in one buffer stay few.
 */

import { AssertionError } from '../assert.ts';
import { Fifo } from '../fifo.ts';

/** Does a piece, or has it done elsewhere; returns how much it was, such as its bytes. */
type Work = () => number;
/** Gets the error that `Work` throws, in whatever turn; a broken invariant is thrown on. */
type Fail = (error: Error) => void;

interface Waiting {
  readonly work: Work;
  readonly fail: Fail;
}

function rethrow(error: Error): never {
  throw error;
}

export class BoundedTurns {
  readonly #waiting = new Fifo<Waiting>();
  readonly #perTurn: number;
  #left: number;
  #isScheduled = false;
  #isRunning = false;
  #isStopped = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
    this.#left = perTurn;
  }

  /**
   * Runs `work` now, or in a later turn, after those that came before. One that is added while
   * another one runs comes after that, which counts by then.
   */
  add(work: Work, fail: Fail = rethrow): void {
    if (this.#isStopped) return;
    this.#waiting.push({ work, fail });
    if (!this.#isRunning) this.#run();
  }

  /** Runs nothing more: the store is about to close. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
  }

  #run(): void {
    this.#isRunning = true;
    try {
      while (this.#left > 0) {
        const next = this.#waiting.shift();
        if (next === undefined) break;
        this.#do(next);
      }
    } finally {
      this.#isRunning = false;
    }
    if (this.#left === this.#perTurn || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.#perTurn;
      this.#run();
    });
  }

  #do({ work, fail }: Waiting): void {
    try {
      this.#left -= work();
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      fail(error as Error);
    }
  }
}
