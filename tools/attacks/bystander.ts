/**
 * A client that does no harm meanwhile: it sends one get of each path about every 10 ms, and a
 * health check about every 100 ms. It is a process of its own, so that it is not held up by whoever
 * attacks from this one.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Histogram } from '../soak/histogram.ts';
import { Wire } from './wire.ts';
import type { Server } from './wire.ts';

export interface BystanderOptions {
  readonly server: Server;
  /** The paths that it gets, by the name that their figures have. */
  readonly paths: Readonly<Record<string, string>>;
  /** A health check that takes longer has failed. */
  readonly healthMsMax: number;
}

export interface Seen {
  readonly gets: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers 429. */
  readonly refused: number;
  /** Other answers than 200 and 429, and connections that ended. */
  readonly failed: number;
}

export interface Sight {
  readonly seen: Readonly<Record<string, Seen>>;
  readonly healthChecks: number;
  readonly failedHealthChecks: number;
}

const GET_EVERY_MS = 10;
const CHECK_HEALTH_EVERY_MS = 100;

/** The argument that makes this file run as that process. */
const AS_PROCESS = 'bystander-process';

export class Bystander {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when each path has been got once. */
  static async start(options: BystanderOptions): Promise<Bystander> {
    const file = fileURLToPath(import.meta.url);
    const child = fork(file, [AS_PROCESS], { serialization: 'advanced' });
    const bystander = new Bystander(child);
    child.send(options);
    await bystander.#message();
    return bystander;
  }

  /** Ends it; resolves with what it has seen. */
  async stop(): Promise<Sight> {
    this.#child.send('stop');
    const sight = await this.#message();
    this.#child.disconnect();
    return sight as Sight;
  }

  /** Rejects when the process ends instead. */
  async #message(): Promise<unknown> {
    const wait = new AbortController();
    const { signal } = wait;
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`the bystander ended with code ${code}`);
    });
    try {
      const [message] = await Promise.race([once(this.#child, 'message', { signal }), ended]);
      return message;
    } finally {
      ended.catch(() => undefined);
      wait.abort();
    }
  }
}

class Getter {
  readonly #server: Server;
  readonly #path: string;
  readonly #everyMs: number;
  readonly #answered: (status: number, ms: number) => void;
  #wire: Wire;

  constructor(
    server: Server,
    path: string,
    everyMs: number,
    answered: (status: number, ms: number) => void,
  ) {
    this.#server = server;
    this.#path = path;
    this.#everyMs = everyMs;
    this.#answered = answered;
    this.#wire = new Wire(server);
  }

  async get(): Promise<void> {
    const startedAt = performance.now();
    const status = await this.#wire.call({ path: this.#path });
    const ms = performance.now() - startedAt;
    this.#answered(status, ms);
    if (status === 0) this.#wire = new Wire(this.#server);
    if (ms >= this.#everyMs) return;
    await new Promise((resolve) => setTimeout(resolve, this.#everyMs - ms));
  }

  close(): void {
    this.#wire.close();
  }
}

class Watched {
  readonly #latencies = new Histogram();
  #gets = 0;
  #refused = 0;
  #failed = 0;

  /** Gets that would have begun while this one was waited for count as if they had waited too. */
  add(status: number, ms: number): void {
    this.#gets++;
    if (status === 429) this.#refused++;
    else if (status !== 200) this.#failed++;
    for (let left = ms; left > 0; left -= GET_EVERY_MS) this.#latencies.add(left);
  }

  seen(): Seen {
    const latencies = this.#latencies;
    return {
      gets: this.#gets,
      p50Ms: latencies.percentile(0.5),
      p99Ms: latencies.percentile(0.99),
      maxMs: latencies.max,
      refused: this.#refused,
      failed: this.#failed,
    };
  }
}

async function watch({ server, paths, healthMsMax }: BystanderOptions): Promise<void> {
  let stopping = false;
  process.once('message', () => (stopping = true));
  let healthChecks = 0;
  let failedHealthChecks = 0;
  const health = new Getter(server, '/livez', CHECK_HEALTH_EVERY_MS, (status, ms) => {
    healthChecks++;
    if (status !== 200 || ms > healthMsMax) failedHealthChecks++;
  });
  const watched = Object.keys(paths).map((name) => [name, new Watched()] as const);
  const getters = watched.map(([name, one]) => {
    return new Getter(server, paths[name] ?? '', GET_EVERY_MS, (status, ms) => one.add(status, ms));
  });
  const all = [health, ...getters];
  await Promise.all(all.map((getter) => getter.get()));
  process.send?.('started');
  const goOn = async (getter: Getter): Promise<void> => {
    while (!stopping) await getter.get();
    getter.close();
  };
  await Promise.all(all.map(goOn));
  const seen = Object.fromEntries(watched.map(([name, one]) => [name, one.seen()]));
  process.send?.({ seen, healthChecks, failedHealthChecks } satisfies Sight);
}

if (process.argv[2] === AS_PROCESS) {
  // Whoever started it may have ended.
  process.once('disconnect', () => process.exit());
  const [options] = (await once(process, 'message')) as [BystanderOptions];
  await watch(options);
}
