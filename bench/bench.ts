/** What scenarios share: a server of their own, load processes, and the shape of their rows. */
import { parseArgs } from 'node:util';
import { dialectOf } from '../src/semantics/dialect/dialect.ts';
import { launchServer } from '../test/support/server-process.ts';
import type { ServerProcess } from '../test/support/server-process.ts';
import { LoadClient } from './load-client.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopJob, ClosedLoopResult, LoadTarget } from './load-protocol.ts';
import { memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import type { ApiDomain } from './representation-forms.ts';

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
  readonly connections: readonly number[];
  /** Watches that all get every event. */
  readonly watches: number;
  readonly watchWritesPerSecond: number;
  /** Processes that share the watches, beside the one that writes. */
  readonly watchProcesses: number;
  /** Watches that get none. */
  readonly idleWatches: number;
  /** How often two conditions are compared, and the measured time of each. */
  readonly rounds: number;
  readonly roundSeconds: number;
  /** So much makes the socket of a reader that has stopped full. */
  readonly stallBytes: number;
  /** The long list. */
  readonly longListObjects: number;
  readonly longListObjectBytes: number;
  readonly longLists: number;
  readonly slowBytesPerSecond: number;
  readonly pageLimit: number;
  /** Objects that are updated over and over, and the window after which versions are dropped. */
  readonly historyObjects: number;
  readonly historyMs: number;
  readonly serverArgs: readonly string[];
  readonly serverCpuProfile: string;
}

const NAMESPACE = 'default';
const FILL_CONNECTIONS = 64;
/** So many that the fill is bounded by its number of requests. */
const FILL_SECONDS_MAX = 600;
const JOB_REQUESTS_MAX = 10_000_000;

export interface ServerOptions {
  /** Flags of this scenario; those of the user come after them. */
  readonly args?: readonly string[];
  /** The folder of an earlier server. */
  readonly dataDirectory?: string;
  /** Of this scenario, whatever the user asked for. */
  readonly domain?: ApiDomain;
}

/** A server and its load processes, all ended after `body`. */
export async function withServer<T>(
  options: BenchOptions,
  body: (bench: Bench) => Promise<T>,
  { args = [], dataDirectory, domain }: ServerOptions = {},
): Promise<T> {
  const profile = options.serverCpuProfile;
  const nodeArgs = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const domainArgs = domain === undefined ? [] : ['--api-domain', domain];
  const server = await launchServer({
    nodeArgs,
    args: [...args, ...options.serverArgs, ...domainArgs],
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
  const bench = new Bench(options, server, domain ?? domainIn(options.serverArgs));
  try {
    const result = await body(bench);
    if (profile !== '') await server.stop();
    return result;
  } finally {
    bench.stopLoad();
    await server.dispose();
  }
}

/** Which names a server with these flags speaks. */
function domainIn(serverArgs: readonly string[]): ApiDomain {
  const { values } = parseArgs({
    args: [...serverArgs],
    options: { 'api-domain': { type: 'string', default: 'cluster.io' } },
    strict: false,
  });
  const dialect = dialectOf(String(values['api-domain']));
  if (dialect === undefined) throw new Error(`there is no domain ${values['api-domain']}`);
  return dialect.domain;
}

export class Bench {
  static #jobs = 0;
  readonly server: ServerProcess;
  /** The one that writes, gets and lists. */
  readonly load: LoadClient;
  readonly domain: ApiDomain;
  readonly #options: BenchOptions;
  readonly #loads: LoadClient[] = [];

  constructor(options: BenchOptions, server: ServerProcess, domain: ApiDomain) {
    this.#options = options;
    this.server = server;
    this.domain = domain;
    this.load = this.newLoad();
  }

  /** A further process, for load that must not wait for other load. */
  newLoad(): LoadClient {
    const load = new LoadClient(this.server.pid);
    this.#loads.push(load);
    return load;
  }

  /**
   * Of one job: contents count on from it. An update to the content that an object already has,
   * maybe from an earlier server on the same folder, would make no new version and no event.
   */
  nextSeed(): number {
    Bench.#jobs += 1;
    return this.#options.seed + Bench.#jobs * JOB_REQUESTS_MAX;
  }

  stopLoad(): void {
    for (const load of this.#loads) load.stop();
  }

  target(): LoadTarget {
    const { port, token } = this.server;
    const { objectBytes } = this.#options;
    return { port, token, namespace: NAMESPACE, objectBytes, domain: this.domain };
  }

  async closedLoop(
    job: Partial<ClosedLoopJob> & Pick<ClosedLoopJob, 'verb' | 'connections'>,
  ): Promise<Measured<ClosedLoopResult>> {
    const { warmUpSeconds, seconds } = this.#options;
    const seed = this.nextSeed();
    const defaults = { warmUpSeconds, seconds, seed, firstObject: 0, objects: 0 };
    const whole = { ...this.target(), ...defaults, ...job };
    const measured = await this.load.measure('closedLoop', whole);
    expectNoFailures(measured.result);
    return measured;
  }

  /** Creates objects 0 … count - 1 (and a few more, from requests under way at the end). */
  async fill(count: number, more: Partial<ClosedLoopJob> = {}): Promise<void> {
    const connections = Math.min(FILL_CONNECTIONS, count);
    const bounds = { warmUpSeconds: 0, seconds: FILL_SECONDS_MAX, requestsMax: count };
    await this.closedLoop({ verb: 'create', connections, ...bounds, ...more });
  }

  async createNamespace(namespace: string): Promise<void> {
    const body = JSON.stringify({ metadata: { name: namespace } });
    await this.expectStatus(201, '/api/v1/namespaces', { method: 'POST', body });
  }

  /** The version of the collection now. */
  async newestVersion(): Promise<string> {
    const path = `/api/v1/namespaces/${NAMESPACE}/configmaps?fieldSelector=metadata.name%3Dnone`;
    const response = await this.fetch(path);
    const list = (await response.json()) as { metadata: { resourceVersion: string } };
    return list.metadata.resourceVersion;
  }

  /** One request with the admin's token; a body is JSON unless `request` says what it is. */
  async fetch(path: string, request: RequestInit = {}): Promise<Response> {
    const { port, token } = this.server;
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const [name, value] of new Headers(request.headers)) headers.set(name, value);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers });
  }

  /** The same for one that must be answered with this status; gives the document. */
  async expectStatus(status: number, path: string, request: RequestInit = {}): Promise<unknown> {
    const response = await this.fetch(path, request);
    const text = await response.text();
    if (response.status === status) return JSON.parse(text);
    throw new Error(`${request.method ?? 'GET'} ${path}: ${text.slice(0, 300)}`);
  }
}

function expectNoFailures({ failures }: ClosedLoopResult): void {
  if (Object.keys(failures).length === 0) return;
  throw new Error(`unexpected answers: ${JSON.stringify(failures)}`);
}

export function closedLoopRow(
  scenario: string,
  { result, serverCpuMs, clientCpuMs }: Measured<ClosedLoopResult>,
  server: ServerProcess,
): ResultRow {
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

/** Throws when a benchmark did not do its work: its figures would mean nothing. */
export function expectEqual(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

export async function pause(seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
