/**
 * Worker threads that carry actors. An actor is a Piscina task that never ends by itself: it is
 * started with its init value and ports, and ends when it is told to stop. Several share a thread.
 */
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { unpackError } from './actor-error.ts';
import type { PackedError } from './actor-error.ts';
import { THREAD_STACK_MB } from './thread-stack.ts';

export interface ActorTask {
  readonly actor: string;
  /** The init of this actor alone, besides `shared` of its pool. */
  readonly init: object;
  /** Ports by the name that the actor knows them by. */
  readonly ports: Readonly<Record<string, MessagePort>>;
}

export interface ActorPoolOptions {
  /** The module whose default export runs an `ActorTask` and resolves with its `endOfActor`. */
  readonly entry: string;
  readonly threads: number;
  /** Where the short-lived objects of a thread live. */
  readonly youngGenerationMb: number;
  /** The init of all its actors; each thread gets it once, as its `sharedInit`. */
  readonly shared?: object;
  /** The environment of the threads; absent for that of the process. */
  readonly env?: NodeJS.ProcessEnv;
  /** An actor ended without being told to: the process cannot go on. */
  readonly onCrash: (actor: string, error: Error) => void;
}

const ACTORS_PER_THREAD_MAX = 65_536;

/** An actor that was started. */
export interface RunningActor {
  /** Lets the actor end from now on. */
  expectEnd(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

export class ActorPool {
  readonly #piscina: Piscina;
  readonly #options: ActorPoolOptions;
  readonly #running = new Set<Promise<void>>();
  #stopping = false;

  constructor(options: ActorPoolOptions) {
    this.#options = options;
    const { env, shared } = options;
    this.#piscina = new Piscina({
      filename: options.entry,
      minThreads: options.threads,
      maxThreads: options.threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: ACTORS_PER_THREAD_MAX,
      // With the default a worker sleeps between tasks and its ports go deaf.
      atomics: 'disabled',
      recordTiming: false,
      workerData: shared,
      ...(env !== undefined && { env }),
      resourceLimits: {
        maxYoungGenerationSizeMb: options.youngGenerationMb,
        stackSizeMb: THREAD_STACK_MB,
      },
    });
  }

  /** Starts an actor on the thread with the fewest. */
  start(name: string, task: ActorTask): RunningActor {
    let isExpected = false;
    const run = this.#piscina
      .run(task, { transferList: Object.values(task.ports) })
      .then((failure: PackedError | undefined) => {
        if (failure !== undefined) this.#options.onCrash(name, unpackError(failure, name));
        else if (!this.#stopping && !isExpected)
          this.#options.onCrash(name, new Error('it stopped by itself'));
      })
      .catch((error: unknown) => {
        const cause = error instanceof Error ? error : new Error(String(error));
        this.#options.onCrash(name, cause);
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
    return { expectEnd: () => (isExpected = true), ended: run };
  }

  /** Lets actors end from now on. */
  expectStop(): void {
    this.#stopping = true;
  }

  /** Resolves when all actors have ended and their threads are gone. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running);
    await this.#piscina.destroy();
  }
}
