/** The servers and load processes of scenarios, and the shape of their rows. */
import { parseArgs } from 'node:util';
import { K8S, NEUTRAL } from '../src/semantics/dialect/dialect.ts';
import { freePort, launchServer } from '../test/support/server-process.ts';
import type { ServerProcess } from '../test/support/server-process.ts';
import { BenchTarget, DEFAULT_NAMESPACE, type LoadOptions, type Subject } from './bench-target.ts';
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
  /** Requests of a loop in which one step alone is measured. */
  readonly stageRequests: number;
  /** How many types are defined. */
  readonly definitions: number;
  /** Scenarios use the same servers, where only that they run is checked. */
  readonly sharesServers: boolean;
  readonly serverArgs: readonly string[];
  /** Servers are spoken to over TLS, whatever the scenario. */
  readonly secure: boolean;
  readonly serverCpuProfile: string;
}

export interface ServerOptions {
  /** Flags of this scenario; those of the user come after them. */
  readonly args?: readonly string[];
  /** This scenario has it, whatever the user asked for. */
  readonly domain?: ApiDomain;
  /** Spoken to over TLS. */
  readonly secure?: boolean;
}

interface OwnServerOptions extends ServerOptions {
  /** The folder of an earlier server. */
  readonly dataDirectory?: string;
}

/** The server that scenarios share, by its flags; the end of this process ends it. */
const shared = new Map<string, Promise<ServerProcess>>();
let sharers = 0;

/**
 * A server and its load processes, all ended after `body`: one that has done nothing yet, or one of
 * those that scenarios share, with a namespace of its own.
 */
export async function withServer<T>(
  options: BenchOptions,
  body: (bench: Bench) => Promise<T>,
  of: ServerOptions = {},
): Promise<T> {
  if (!options.sharesServers || options.secure) return withOwnServer(options, body, of);
  const args = argsOf(options, of);
  const key = args.join(' ');
  const started = shared.get(key) ?? launchServer({ args });
  shared.set(key, started);
  const server = await started;
  server.unref();
  const namespace = `bench-${(sharers += 1)}`;
  const subject = { ...subjectOf(options, of, server), namespace };
  const bench = new Bench(options, server, subject);
  try {
    await bench.createNamespace(namespace);
    return await body(bench);
  } finally {
    bench.stopLoad();
  }
}

/** Runs `body` with a server that nobody else uses, so that it may stop it. */
export async function withOwnServer<T>(
  options: BenchOptions,
  body: (bench: Bench) => Promise<T>,
  of: OwnServerOptions = {},
): Promise<T> {
  const profile = options.serverCpuProfile;
  const nodeArgs = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const isSecure = options.secure || of.secure === true;
  const securePort = isSecure ? await freePort() : 0;
  const { dataDirectory } = of;
  const server = await launchServer({
    nodeArgs,
    args: [...argsOf(options, of), '--secure-port', String(securePort)],
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
  const subject = subjectOf(options, of, server);
  // The certificate is its own.
  const endpoint = { port: securePort, tls: 'unchecked' } as const;
  const bench = new Bench(options, server, isSecure ? { ...subject, endpoint } : subject);
  try {
    const result = await body(bench);
    if (profile !== '') await server.stop();
    return result;
  } finally {
    bench.stopLoad();
    await server.dispose();
  }
}

/**
 * Stops the server of `filled`, and runs `body` with one newly started on its folder: a server that
 * has just been filled has free memory that would hide what is measured. Where servers are shared
 * it is the one that was filled.
 */
export async function withStartedAgain<T>(
  options: BenchOptions,
  filled: Bench,
  body: (bench: Bench) => Promise<T>,
  of: ServerOptions = {},
): Promise<T> {
  if (options.sharesServers) return body(filled);
  const { server } = filled;
  await server.stop();
  return withOwnServer(options, body, { ...of, dataDirectory: server.dataDirectory });
}

function argsOf({ serverArgs }: BenchOptions, { args = [], domain }: ServerOptions): string[] {
  const isAsked = domain === undefined || domain === domainIn(serverArgs);
  return [...args, ...serverArgs, ...(isAsked ? [] : ['--api-domain', domain])];
}

function subjectOf(
  options: BenchOptions,
  of: ServerOptions,
  { port, token, pid }: ServerProcess,
): Subject {
  const domain = of.domain ?? domainIn(options.serverArgs);
  return { endpoint: { port }, token, domain, pids: [pid], namespace: DEFAULT_NAMESPACE };
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
