/** Servers that begin with a state of this one, and end with it (src/laboratory/README.md). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENDS_WITH_PARENT, ServerOutput, twoFreePorts } from '../base/child-server.ts';
import { internalError, StatusError } from '../semantics/errors/status.ts';
import type { ForkJob } from './fork-job.ts';

const READY_MS_MAX = 60_000;
const LOG_LENGTH_MAX = 4_096;

export interface ForksOptions {
  readonly dataDir: string;
  /** The program of a server, and its options but for folder and ports. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly place: ForkJob['place'];
  readonly facts: () => ForkJob['facts'];
  /** A version up to which all types have all changes. */
  readonly state: () => Promise<{ readonly version: number }>;
  /** Runs the job in a thread of its own. */
  readonly makeFolder: (job: ForkJob) => Promise<void>;
}

interface Fork {
  readonly name: string;
  readonly snapshot: string;
  readonly url: string;
  readonly kubeconfig: string;
}

interface Running {
  readonly shown: Fork;
  readonly dataDir: string;
  readonly process: ChildProcess;
}

export class Forks {
  readonly #options: ForksOptions;
  readonly #running = new Map<string, Running>();
  readonly #starting = new Set<string>();

  constructor(options: ForksOptions) {
    this.#options = options;
  }

  list(): object {
    return { items: [...this.#running.values()].map(({ shown }) => shown) };
  }

  /** `port` is that of HTTP; 0 for a free one. Rejects with StatusError. */
  async start(snapshot: string, at: number, port: number): Promise<object> {
    const name = this.#freeName(snapshot);
    const dataDir = join(this.#options.dataDir, 'forks', name);
    this.#starting.add(name);
    try {
      rmSync(dataDir, { recursive: true, force: true });
      const { place, facts, state, makeFolder } = this.#options;
      const { version } = await state();
      await makeFolder({ place, version, at, facts: facts(), dataDir });
      const running = await this.#run(name, snapshot, dataDir, port);
      this.#running.set(name, running);
      return running.shown;
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      if (error instanceof StatusError) throw error;
      throw internalError(`the fork did not start: ${(error as Error).message}`);
    } finally {
      this.#starting.delete(name);
    }
  }

  #freeName(snapshot: string): string {
    const isTaken = (name: string): boolean => this.#running.has(name) || this.#starting.has(name);
    for (let number = 1; ; number++) {
      const name = `${snapshot}-${number}`;
      if (!isTaken(name)) return name;
    }
  }

  async #run(name: string, snapshot: string, dataDir: string, port: number): Promise<Running> {
    const [free, securePort] = await twoFreePorts();
    const httpPort = port === 0 ? free : port;
    const { program, flags } = this.#options;
    const child = spawn(
      process.execPath,
      [
        ...process.execArgv,
        ENDS_WITH_PARENT,
        program,
        ...flags,
        `--data-dir=${dataDir}`,
        `--port=${httpPort}`,
        `--secure-port=${securePort}`,
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    try {
      await new ServerOutput(child, LOG_LENGTH_MAX).ready(READY_MS_MAX);
    } catch (error) {
      await ended(child);
      throw error;
    }
    const url = `http://127.0.0.1:${httpPort}`;
    const shown = { name, snapshot, url, kubeconfig: join(dataDir, 'admin.kubeconfig') };
    const running = { shown, dataDir, process: child };
    child.once('exit', () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    });
    return running;
  }

  /** Ends it and removes its folder. Rejects with StatusError where there is none. */
  async end(name: string): Promise<object> {
    const running = this.#running.get(name);
    if (running === undefined) {
      throw new StatusError(404, 'NotFound', `there is no fork "${name}"`);
    }
    await ended(running.process);
    rmSync(running.dataDir, { recursive: true, force: true });
    return running.shown;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.end(name)));
    const folder = join(this.#options.dataDir, 'forks');
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
