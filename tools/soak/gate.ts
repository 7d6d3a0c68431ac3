/** Lets a number of tasks run at a time; the others wait in order. */
export class Gate {
  readonly #tasksMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(tasksMax: number) {
    this.#tasksMax = tasksMax;
  }

  /** Resolves when the task may run; it calls `leave` when it is done. */
  async enter(): Promise<void> {
    if (this.#running < this.#tasksMax) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
