/**
 * Work for the end of a turn of the event loop, such as sending all messages of the turn at once.
 * In one turn the system may have thousands of connections to look at, such as when many are closed
 * together. Functions that are called for each of them call `passed`, and once the turn has taken
 * long, the waiting work is done in the midst of it. Messages from other threads would wait for the
 * end of the turn too, and are received then.
 */

/** Others notice no shorter wait, and few messages travel alone for it. */
const LONG_TURN_MS = 4;

export class TurnEnd {
  readonly #nowMs: () => number;
  readonly #later: (then: () => void) => void;
  readonly #looks = new Set<() => void>();
  #works: (() => void)[] = [];
  /** The end of this turn is waited for. */
  #isDue = false;
  #sinceMs = 0;

  constructor(
    nowMs: () => number = () => performance.now(),
    later: (then: () => void) => void = setImmediate,
  ) {
    this.#nowMs = nowMs;
    this.#later = later;
  }

  /** Does the work once, when this turn ends or has taken long. */
  add(work: () => void): void {
    this.#works.push(work);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#sinceMs = this.#nowMs();
    this.#later(() => {
      this.#isDue = false;
      this.#run();
    });
  }

  /**
   * `look` takes messages that have come, in the midst of long turns. Returns a function that ends
   * that.
   */
  lookInLongTurns(look: () => void): () => void {
    this.#looks.add(look);
    return () => this.#looks.delete(look);
  }

  /**
   * Called by functions that may run thousands of times in a turn. `isFree` tells that messages can
   * be received now, and `knownMs` is the time where the caller knows it.
   */
  passed(isFree = false, knownMs?: number): void {
    if (!this.#isDue) return;
    const nowMs = knownMs ?? this.#nowMs();
    if (nowMs - this.#sinceMs <= LONG_TURN_MS) return;
    this.#sinceMs = nowMs;
    if (isFree) for (const look of this.#looks) look();
    this.#run();
  }

  #run(): void {
    const works = this.#works;
    this.#works = [];
    for (const work of works) work();
  }
}

/** The end of turns of this thread. */
export const TURN_END = new TurnEnd();
