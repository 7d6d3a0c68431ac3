/** A thread for pure work that takes long. It comes with the first job, and goes when idle. */
import { Piscina } from 'piscina';

/** Long enough that clients who send such jobs now and then need not wait for a thread. */
const IDLE_MS = 60_000;

export class JobPool {
  readonly #piscina: Piscina;

  /** The functions of the module `entry` are the jobs. */
  constructor(entry: string) {
    this.#piscina = new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      recordTiming: false,
    });
  }

  /** Runs a function by its name, after the jobs that came before. Rejects with what it throws. */
  run(name: string, input: unknown): Promise<unknown> {
    return this.#piscina.run(input, { name });
  }

  /** Ends the thread; what has not been done by then is rejected. */
  stop(): Promise<void> {
    return this.#piscina.destroy();
  }
}
