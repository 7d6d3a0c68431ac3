/** What `npm run bench` measures. Each scenario starts its own server on an empty folder. */
import { launchServer } from '../test/support/server-process.ts';
import type { ServerProcess } from '../test/support/server-process.ts';
import { LoadClient } from './load-client.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopJob, ClosedLoopResult } from './load-protocol.ts';
import { memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import { median } from './statistics.ts';

export interface BenchOptions {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly seed: number;
  readonly objectBytes: number;
  /** Objects of the list scenario, and those that gets and updates pick from. */
  readonly listObjects: number;
  readonly lists: number;
  /** Objects of the scenario for start and memory. */
  readonly manyObjects: number;
  readonly starts: number;
  readonly watches: number;
  readonly watchWritesPerSecond: number;
  readonly connections: readonly number[];
  readonly serverArgs: readonly string[];
  readonly serverCpuProfile: string;
}

const NAMESPACE = 'default';
const FILL_CONNECTIONS = 64;
/** So many that the fill is bounded by its number of requests. */
const FILL_SECONDS_MAX = 600;

/** A server and a load process, both ended after `body`. */
async function withServer<T>(
  options: BenchOptions,
  body: (bench: Bench) => Promise<T>,
): Promise<T> {
  const profile = options.serverCpuProfile;
  const nodeArgs = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const server = await launchServer({ nodeArgs, args: options.serverArgs });
  const load = new LoadClient(server.pid);
  try {
    const result = await body(new Bench(options, server, load));
    if (profile !== '') await server.stop();
    return result;
  } finally {
    load.stop();
    await server.dispose();
  }
}

class Bench {
  readonly server: ServerProcess;
  readonly load: LoadClient;
  readonly #options: BenchOptions;

  constructor(options: BenchOptions, server: ServerProcess, load: LoadClient) {
    this.#options = options;
    this.server = server;
    this.load = load;
  }

  target(): { port: number; token: string; namespace: string; objectBytes: number } {
    const { port, token } = this.server;
    return { port, token, namespace: NAMESPACE, objectBytes: this.#options.objectBytes };
  }

  async closedLoop(
    job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb' | 'connections'>,
  ): Promise<Measured<ClosedLoopResult>> {
    const { warmUpSeconds, seconds, seed } = this.#options;
    const defaults = { warmUpSeconds, seconds, seed, firstObject: 0, objects: 0 };
    return this.load.closedLoop({ ...this.target(), ...defaults, ...job });
  }

  /** Creates objects 0 … count - 1 (and a few more, from requests under way at the end). */
  async fill(count: number): Promise<void> {
    const connections = Math.min(FILL_CONNECTIONS, count);
    const bounds = { warmUpSeconds: 0, seconds: FILL_SECONDS_MAX, requestsMax: count };
    const { result } = await this.closedLoop({ verb: 'create', connections, ...bounds });
    expectNoFailures(result);
  }
}

function expectNoFailures({ failures }: ClosedLoopResult): void {
  if (Object.keys(failures).length === 0) return;
  throw new Error(`unexpected answers: ${JSON.stringify(failures)}`);
}

function closedLoopRow(
  scenario: string,
  measured: Measured<ClosedLoopResult>,
  server: ServerProcess,
): ResultRow {
  const { result, serverCpuMs, clientCpuMs } = measured;
  expectNoFailures(result);
  const microseconds = (milliseconds: number): number =>
    Math.round((milliseconds * 10_000) / Math.max(1, result.requests)) / 10;
  return {
    scenario,
    'rate/s': Math.round(result.requests / result.seconds),
    'p50 ms': result.p50,
    'p99 ms': result.p99,
    'server µs/req': microseconds(serverCpuMs),
    'client µs/req': microseconds(clientCpuMs),
    'RSS MB': memoryOf(server.pid).rssMb,
    'anon MB': memoryOf(server.pid).anonMb,
  };
}

async function creates(options: BenchOptions): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const connections of options.connections) {
    const row = await withServer(options, async (bench) => {
      const measured = await bench.closedLoop({ verb: 'create', connections });
      return closedLoopRow(`create, ${connections} connections`, measured, bench.server);
    });
    rows.push(row);
  }
  return rows;
}

async function getsAndUpdates(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    const objects = options.listObjects;
    await bench.fill(objects);
    const rows: ResultRow[] = [];
    for (const verb of ['get', 'update'] as const) {
      const measured = await bench.closedLoop({ verb, connections: 64, objects });
      rows.push(closedLoopRow(`${verb}, 64 connections`, measured, bench.server));
    }
    return rows;
  });
}

async function lists(options: BenchOptions): Promise<ResultRow[]> {
  return withServer(options, async (bench) => {
    await bench.fill(options.listObjects);
    const bounds = { warmUpSeconds: 0, seconds: 60 };
    await bench.closedLoop({ verb: 'list', connections: 1, ...bounds, requestsMax: 3 });
    const measured = await bench.closedLoop({
      verb: 'list',
      connections: 1,
      ...bounds,
      requestsMax: options.lists,
    });
    const { bodyBytes, requests } = measured.result;
    const row = closedLoopRow(`list of ${options.listObjects}, one by one`, measured, bench.server);
    return [{ ...row, 'body MB': bodyBytes / Math.max(1, requests) / 1e6 }];
  });
}

async function watches(options: BenchOptions): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const writesPerSecond of [options.watchWritesPerSecond, 0]) {
    const row = await withServer(options, async (bench) => {
      const objects = 100;
      await bench.fill(objects);
      const fromVersion = await newestVersion(bench);
      const { result, serverCpuMs, clientCpuMs } = await bench.load.watch({
        ...bench.target(),
        watches: options.watches,
        seconds: options.seconds,
        writesPerSecond,
        objects,
        fromVersion,
      });
      if (result.missing > 0) throw new Error(`${result.missing} events were not delivered`);
      const perEvent = (ms: number): number => Math.round((ms * 10_000) / result.events) / 10;
      const pace = writesPerSecond === 0 ? 'as many as go' : `${writesPerSecond} writes/s`;
      return {
        scenario: `${options.watches} watches, ${pace}`,
        'rate/s': Math.round(result.writes / result.seconds),
        'events/s': Math.round(result.events / result.seconds),
        ...(writesPerSecond === 0
          ? {}
          : {
              'p50 ms': result.lagP50,
              'p99 ms': result.lagP99,
              'p99 from send ms': result.sentLagP99,
            }),
        'server µs/event': perEvent(serverCpuMs),
        'client µs/event': perEvent(clientCpuMs),
        'RSS MB': memoryOf(bench.server.pid).rssMb,
        'anon MB': memoryOf(bench.server.pid).anonMb,
      };
    });
    rows.push(row);
  }
  return rows;
}

async function newestVersion(bench: Bench): Promise<string> {
  const { port, token, namespace } = bench.target();
  const url = `http://127.0.0.1:${port}/api/v1/namespaces/${namespace}/configmaps`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const list = (await response.json()) as { metadata: { resourceVersion: string } };
  return list.metadata.resourceVersion;
}

async function startEmpty(options: BenchOptions): Promise<ResultRow[]> {
  const ready: number[] = [];
  let memory = { rssMb: 0, anonMb: 0, fileMb: 0 };
  for (let start = 0; start < options.starts; start += 1) {
    const server = await launchServer({ args: options.serverArgs });
    ready.push(server.readyMilliseconds);
    memory = memoryOf(server.pid);
    await server.dispose();
  }
  return [
    {
      scenario: 'start on an empty folder',
      'ready ms': Math.round(median(ready)),
      'RSS MB': memory.rssMb,
      'anon MB': memory.anonMb,
      'file MB': memory.fileMb,
    },
  ];
}

async function startFull(options: BenchOptions): Promise<ResultRow[]> {
  const count = options.manyObjects;
  return withServer(options, async (bench) => {
    await bench.fill(count);
    const filled = memoryOf(bench.server.pid);
    await bench.server.stop();
    const ready: number[] = [];
    let memory = filled;
    for (let start = 0; start < options.starts; start += 1) {
      const { dataDirectory } = bench.server;
      const server = await launchServer({ dataDirectory, args: options.serverArgs });
      ready.push(server.readyMilliseconds);
      memory = memoryOf(server.pid);
      await server.stop();
    }
    const columns = ({ rssMb, anonMb, fileMb }: typeof memory): ResultRow => ({
      'RSS MB': rssMb,
      'anon MB': anonMb,
      'file MB': fileMb,
    });
    return [
      { scenario: `after creating ${count}`, ...columns(filled) },
      {
        scenario: `start with ${count}`,
        'ready ms': Math.round(median(ready)),
        ...columns(memory),
      },
    ];
  });
}

export const SCENARIOS = {
  create: creates,
  get: getsAndUpdates,
  list: lists,
  watch: watches,
  'start-empty': startEmpty,
  'start-full': startFull,
} as const satisfies Record<string, (options: BenchOptions) => Promise<ResultRow[]>>;
