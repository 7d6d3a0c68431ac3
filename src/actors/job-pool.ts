/** A thread for pure work that takes long. It comes with the first job, and goes when idle. */
import type { MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { THREAD_STACK_MB } from './thread-stack.ts';

/** Long enough that clients who send such jobs now and then need not wait for a thread. */
const IDLE_MS = 60_000;

export class JobPool {
  readonly #entry: string;
  #piscina: Promise<Piscina> | undefined;

  /** The functions of the module `entry` are the jobs. */
  constructor(entry: string) {
    this.#entry = entry;
  }

  /**
   * Runs a function by its name, after the jobs that came before. Rejects with the error that it
   * throws.
   */
  async run(name: string, input: unknown, transfer: readonly MessagePort[] = []): Promise<unknown> {
    const piscina = await (this.#piscina ??= this.#load());
    return piscina.run(input, { name, transferList: [...transfer] });
  }

  /** Ends the thread; jobs that are not done by then are rejected. */
  async stop(): Promise<void> {
    await (await this.#piscina)?.destroy();
  }

  /** Most threads never have such a job, and start without the library. */
  async #load(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: this.#entry,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      recordTiming: false,
      resourceLimits: { stackSizeMb: THREAD_STACK_MB },
    });
  }
}
