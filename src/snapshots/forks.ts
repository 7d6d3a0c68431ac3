/** Servers that begin with a state of this one, and end with it (src/laboratory/README.md). */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  ENDS_WITH_PARENT,
  goOn,
  ServerOutput,
  spawnWaiting,
  twoFreePorts,
} from '../base/child-server.ts';
import { internalError, StatusError } from '../semantics/errors/status.ts';
import { SERVER_ID_SETTING } from '../storage/store.ts';
import type { ForkJob } from './fork-job.ts';

/** Under which a server keeps what snapshots it has. */
export const SNAPSHOTS_SETTING = 'snapshots';
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

/** How a fork is wanted. */
export interface ForkRequest {
  /** That of HTTP; 0 for a free one. */
  readonly port: number;
  /** So many more are kept started, for who asks next; undefined: as many as before. */
  readonly ahead: number | undefined;
}

/** Forks of a snapshot that nobody has asked for yet. */
interface Ahead {
  wanted: number;
  /** Undefined for one that could not be started: who asks next is told why. */
  readonly started: Promise<Running | undefined>[];
}

export class Forks {
  readonly #options: ForksOptions;
  readonly #running = new Map<string, Running>();
  /** By the names of snapshots. */
  readonly #ahead = new Map<string, Ahead>();
  /** Of forks that start, wait or run. */
  readonly #names = new Set<string>();

  constructor(options: ForksOptions) {
    this.#options = options;
  }

  list(): object {
    return { items: [...this.#running.values()].map(({ shown }) => shown) };
  }

  /** Rejects with StatusError. */
  async start(snapshot: string, at: number, { port, ahead }: ForkRequest): Promise<object> {
    const others = this.#ahead.get(snapshot) ?? { wanted: 0, started: [] };
    this.#ahead.set(snapshot, others);
    others.wanted = ahead ?? others.wanted;
    const started = port === 0 ? await others.started.shift() : undefined;
    const isThere = started !== undefined && !hasEnded(started.process);
    const running = isThere ? started : await this.#begin(snapshot, at, port);
    this.#running.set(running.shown.name, running);
    await this.#keepAhead(snapshot, at);
    return running.shown;
  }

  /** Starts those that are missing, one after the other, and ends those that are too many. */
  async #keepAhead(snapshot: string, at: number): Promise<void> {
    const ahead = this.#ahead.get(snapshot);
    if (ahead === undefined) return;
    const { wanted, started } = ahead;
    const begin = async (): Promise<Running | undefined> => {
      if (this.#ahead.get(snapshot) !== ahead) return undefined;
      return this.#begin(snapshot, at, 0).catch(() => undefined);
    };
    while (started.length < wanted) {
      started.push((started.at(-1) ?? Promise.resolve()).then(begin));
    }
    await this.#endAll(started.splice(wanted));
  }

  /** A snapshot is gone: nobody asks for forks of it. */
  async forget(snapshot: string): Promise<void> {
    const { started = [] } = this.#ahead.get(snapshot) ?? {};
    this.#ahead.delete(snapshot);
    await this.#endAll(started);
  }

  async #endAll(started: readonly Promise<Running | undefined>[]): Promise<void> {
    for (const running of await Promise.all(started)) {
      if (running !== undefined) await this.#end(running);
    }
  }

  async #begin(snapshot: string, at: number, port: number): Promise<Running> {
    const name = this.#freeName(snapshot);
    const dataDir = join(this.#options.dataDir, 'forks', name);
    this.#names.add(name);
    try {
      rmSync(dataDir, { recursive: true, force: true });
      // It loads its program while its folder is made.
      return await this.#run(name, snapshot, dataDir, port, () => this.#make(at, dataDir));
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      this.#names.delete(name);
      if (error instanceof StatusError) throw error;
      throw internalError(`the fork did not start: ${(error as Error).message}`);
    }
  }

  async #make(at: number, dataDir: string): Promise<void> {
    const { place, facts, state, makeFolder } = this.#options;
    const { version } = await state();
    const settings = { [SERVER_ID_SETTING]: randomUUID(), [SNAPSHOTS_SETTING]: '[]' };
    await makeFolder({ place, version, at, facts: facts(), settings, dataDir });
  }

  #freeName(snapshot: string): string {
    for (let number = 1; ; number++) {
      const name = `${snapshot}-${number}`;
      if (!this.#names.has(name)) return name;
    }
  }

  async #run(
    name: string,
    snapshot: string,
    dataDir: string,
    port: number,
    makeFolder: () => Promise<void>,
  ): Promise<Running> {
    const [free, securePort] = await twoFreePorts();
    const httpPort = port === 0 ? free : port;
    const { program, flags } = this.#options;
    const child = spawnWaiting([
      ...process.execArgv,
      ENDS_WITH_PARENT,
      program,
      ...flags,
      `--data-dir=${dataDir}`,
      `--port=${httpPort}`,
      `--secure-port=${securePort}`,
    ]);
    try {
      const output = new ServerOutput(child, LOG_LENGTH_MAX);
      await makeFolder();
      goOn(child);
      await output.ready(READY_MS_MAX);
    } catch (error) {
      await ended(child);
      throw error;
    }
    const url = `http://127.0.0.1:${httpPort}`;
    const shown = { name, snapshot, url, kubeconfig: join(dataDir, 'admin.kubeconfig') };
    const running = { shown, dataDir, process: child };
    child.once('exit', () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
      this.#names.delete(name);
    });
    return running;
  }

  /** Ends it and removes its folder. Rejects with StatusError where there is none. */
  async end(name: string): Promise<object> {
    const running = this.#running.get(name);
    if (running === undefined) {
      throw new StatusError(404, 'NotFound', `there is no fork "${name}"`);
    }
    await this.#end(running);
    return running.shown;
  }

  async #end({ process, dataDir }: Running): Promise<void> {
    await ended(process);
    rmSync(dataDir, { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    const snapshots = [...this.#ahead.keys()].map((snapshot) => this.forget(snapshot));
    const running = [...this.#running.keys()].map((name) => this.end(name));
    await Promise.all([...snapshots, ...running]);
    const folder = join(this.#options.dataDir, 'forks');
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
