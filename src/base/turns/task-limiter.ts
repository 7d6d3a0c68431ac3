import { Fifo } from '../fifo.ts';

/** Begins a task, which calls `over` once when it is over. */
type Begin = (over: () => void) => void;

/** Runs at most `max` tasks at a time; the others wait in the order in which they came. */
export class TaskLimiter {
  readonly #max: number;
  readonly #later: (begin: () => void) => void;
  #running = 0;
  readonly #waiting = new Fifo<Begin>();
  #isBeginning = false;
  #isBeginDue = false;

  /** `later` begins waiting tasks when others are over: at once if it is absent. */
  constructor(max: number, later: (begin: () => void) => void = (begin) => begin()) {
    this.#max = max;
    this.#later = later;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Begins a task now or later. It must not throw. */
  begin(task: Begin): void {
    this.#waiting.push(task);
    this.#beginSome();
  }

  /** Runs a task in its turn, and settles as its promise does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.begin((over) => {
        // Whoever waits longest takes this one's place.
        new Promise<T>((begun) => begun(task())).finally(over).then(resolve, reject);
      });
    });
  }

  /** A task that is over at once has the next one begun here, not in itself. */
  #beginSome(): void {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#running < this.#max) {
      const task = this.#waiting.shift();
      if (task === undefined) break;
      this.#running++;
      task(() => {
        this.#running--;
        this.#beginLater();
      });
    }
    this.#isBeginning = false;
  }

  #beginLater(): void {
    if (this.#waiting.length === 0 || this.#isBeginDue) return;
    this.#isBeginDue = true;
    this.#later(() => {
      this.#isBeginDue = false;
      this.#beginSome();
    });
  }
}
