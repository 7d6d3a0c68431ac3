/**
 * What is to be done at the end of a turn of the event loop, such as sending all messages of the
 * turn at once. The system may have thousands of connections to look at in one turn, when many
 * are closed together, say: whoever is called for each of them says so, and what waits for the end
 * of a turn that has taken long is done in the midst of it. Messages from other threads would wait
 * for that end too: they are looked for then.
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

  /** `look` takes messages that have come, in the midst of long turns. Returns what ends that. */
  lookInLongTurns(look: () => void): () => void {
    this.#looks.add(look);
    return () => this.#looks.delete(look);
  }

  /**
   * To be called by what may happen thousands of times in a turn; `isFree` where it is not in the
   * midst of something, so that messages can be taken, and `knownMs` where somebody has looked at
   * the clock.
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

/** That of this thread. */
export const TURN_END = new TurnEnd();
