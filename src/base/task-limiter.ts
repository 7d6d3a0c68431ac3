/** Runs so many tasks at a time; the others wait in the order in which they came. */
export class TaskLimiter {
  readonly #max: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Settles as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running === this.#max) await new Promise<void>((next) => this.#waiting.push(next));
    else this.#running++;
    try {
      return await task();
    } finally {
      // Whoever waits longest takes this one's place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
