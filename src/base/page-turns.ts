/**
 * Pages of lists and of watches that catch up: no further one in a turn that has made so many
 * bytes, however many clients read. Between two turns others are served, and what a turn sends in
 * one buffer stays small.
 */

import { AssertionError } from './assert.ts';

/** Makes a page, or asks for one, and hands it over; returns its size in bytes. */
type MakePage = () => number;
/** Gets what `MakePage` throws, in whatever turn; a broken invariant is thrown on. */
type Fail = (error: Error) => void;

interface Waiting {
  readonly makePage: MakePage;
  readonly fail: Fail;
}

function rethrow(error: Error): never {
  throw error;
}

export class PageTurns {
  readonly #waiting: Waiting[] = [];
  readonly #bytesPerTurn: number;
  #bytesLeft: number;
  #isScheduled = false;
  #isRunning = false;
  #isStopped = false;

  constructor(bytesPerTurn: number) {
    this.#bytesPerTurn = bytesPerTurn;
    this.#bytesLeft = bytesPerTurn;
  }

  /**
   * Runs `makePage` now, or in a later turn, after those that came before. One that is added while
   * a page is made comes after that page, whose bytes count.
   */
  add(makePage: MakePage, fail: Fail = rethrow): void {
    if (this.#isStopped) return;
    this.#waiting.push({ makePage, fail });
    if (!this.#isRunning) this.#run();
  }

  /** Makes no more pages: the store is about to close. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
  }

  #run(): void {
    this.#isRunning = true;
    try {
      while (this.#bytesLeft > 0) {
        const next = this.#waiting.shift();
        if (next === undefined) break;
        this.#make(next);
      }
    } finally {
      this.#isRunning = false;
    }
    if (this.#bytesLeft === this.#bytesPerTurn || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#bytesLeft = this.#bytesPerTurn;
      this.#run();
    });
  }

  #make({ makePage, fail }: Waiting): void {
    try {
      this.#bytesLeft -= makePage();
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      fail(error as Error);
    }
  }
}
