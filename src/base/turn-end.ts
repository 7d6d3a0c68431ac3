/**
 * What is to be done at the end of a turn of the event loop, such as sending all messages of the
 * turn at once. The system may have thousands of connections to look at in one turn, when many
 * are closed together, say: whoever is called for each of them says so, and what waits for the end
 * of a turn that has taken long is done in the midst of it.
 */

/** Others notice no shorter wait, and few messages travel alone for it. */
const LONG_TURN_MS = 4;

export class TurnEnd {
  readonly #nowMs: () => number;
  readonly #later: (then: () => void) => void;
  #works: (() => void)[] = [];
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
    if (this.#works.length > 1) return;
    this.#sinceMs = this.#nowMs();
    this.#later(() => this.#run());
  }

  /** To be called by what may happen thousands of times in a turn. */
  passed(): void {
    if (this.#works.length > 0 && this.#nowMs() - this.#sinceMs > LONG_TURN_MS) this.#run();
  }

  #run(): void {
    const works = this.#works;
    this.#works = [];
    for (const work of works) work();
  }
}

/** That of this thread. */
export const TURN_END = new TurnEnd();
