/** What scenarios share: a server of their own, load processes, and the shape of their rows. */
import { parseArgs } from 'node:util';
import { K8S, NEUTRAL } from '../src/semantics/dialect/dialect.ts';
import { freePort, launchServer } from '../test/support/server-process.ts';
import type { ServerProcess } from '../test/support/server-process.ts';
import { BenchTarget, type LoadOptions, type Subject } from './bench-target.ts';
import type { Measured } from './load-client.ts';
import type { ClosedLoopResult } from './load-protocol.ts';
import { memoryOf } from './process-usage.ts';
import type { ResultRow } from './report.ts';
import type { ApiDomain } from './representation-forms.ts';

export interface BenchOptions extends LoadOptions {
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
  /** Objects of the list that a peer is compared at in pages, and watches of it. */
  readonly peerPageObjects: number;
  readonly peerWatches: number;
  /** Objects that are updated over and over, and the window after which versions are dropped. */
  readonly historyObjects: number;
  readonly historyMs: number;
  /** How many types are defined. */
  readonly definitions: number;
  readonly serverArgs: readonly string[];
  readonly serverCpuProfile: string;
}

export interface ServerOptions {
  /** Flags of this scenario; those of the user come after them. */
  readonly args?: readonly string[];
  /** The folder of an earlier server. */
  readonly dataDirectory?: string;
  /** Of this scenario, whatever the user asked for. */
  readonly domain?: ApiDomain;
  /** Spoken to over TLS. */
  readonly secure?: boolean;
}

/** A server and its load processes, all ended after `body`. */
export async function withServer<T>(
  options: BenchOptions,
  body: (bench: Bench) => Promise<T>,
  { args = [], dataDirectory, domain, secure = false }: ServerOptions = {},
): Promise<T> {
  const profile = options.serverCpuProfile;
  const nodeArgs = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const domainArgs = domain === undefined ? [] : ['--api-domain', domain];
  const securePort = secure ? await freePort() : 0;
  const server = await launchServer({
    nodeArgs,
    args: [...args, ...options.serverArgs, ...domainArgs, '--secure-port', String(securePort)],
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
  const { port, token, pid } = server;
  const bench = new Bench(options, server, {
    // The certificate is its own.
    endpoint: secure ? { port: securePort, tls: 'unchecked' } : { port },
    token,
    domain: domain ?? domainIn(options.serverArgs),
    pids: [pid],
  });
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
export function domainIn(serverArgs: readonly string[]): ApiDomain {
  const { values } = parseArgs({
    args: [...serverArgs],
    options: { 'api-domain': { type: 'string', default: 'cluster.io' } },
    strict: false,
  });
  const domain = String(values['api-domain']);
  if (domain !== K8S.domain && domain !== NEUTRAL.domain) throw new Error(`no domain ${domain}`);
  return domain;
}

/** A server of its own under load. */
export class Bench extends BenchTarget {
  readonly server: ServerProcess;

  constructor(options: BenchOptions, server: ServerProcess, subject: Subject) {
    super(options, subject);
    this.server = server;
  }
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
