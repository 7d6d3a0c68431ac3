/** The test API of the package: a server of its own for a test, on free ports. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerOutput, twoFreePorts } from '../../src/base/child-server.ts';

/** What a test may want otherwise. */
export interface StartServerOptions {
  /** The release to behave like, such as `1.37`; absent: that of `shardplane --help`. */
  readonly release?: string;
  /** `k8s.io`, as public clients expect the names, or `cluster.io`; absent: `k8s.io`. */
  readonly apiDomain?: 'k8s.io' | 'cluster.io';
  /** Where objects stay after `stop`; absent: a temporary folder, which `stop` removes. */
  readonly dataDir?: string;
  /** With the laboratory: see `lab`. */
  readonly laboratory?: boolean;
  /** More options of the server, such as `['--controllers=-garbage-collector']`. */
  readonly args?: readonly string[];
  /** Milliseconds until it must be ready; absent: 60,000. */
  readonly timeoutMs?: number;
}

/** A server that is ready. */
export interface StartedServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `https://127.0.0.1:PORT`, with the certificate of `certificateAuthority`. */
  readonly secureUrl: string;
  /** The bearer token of the administrator. */
  readonly token: string;
  /** The path of a kubeconfig of the administrator, for HTTPS. */
  readonly kubeconfig: string;
  /** What clients of `secureUrl` are to trust, as PEM. */
  readonly certificateAuthority: string;
  /** The laboratory, where it was asked for. */
  readonly lab: Laboratory;
  /** What the server has said on standard error until now. */
  log(): string;
  /** Ends the server; resolves when it is gone. May be called again. */
  stop(): Promise<void>;
  /** `await using server = await startServer()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The laboratory of a server (src/laboratory/README.md). Each call is one request, and rejects with
 * what it is refused with.
 */
export interface Laboratory {
  /** Keeps this moment of all types. */
  snapshot(name: string): Promise<object>;
  /** Goes back to it. */
  restore(snapshot: string): Promise<object>;
  /**
   * Starts a server of its own with that state: `{name, url, kubeconfig}`. `{ahead: N}` keeps so
   * many more started for the next ones, which then come at once.
   */
  fork(snapshot: string, how?: object): Promise<object>;
  /** Has requests go wrong: `{name, who, what, when, then}`. */
  fault(rule: object): Promise<object>;
  /** Lets go what a fault holds. */
  release(fault: string): Promise<object>;
  /** What a fault has decided, in order. */
  journal(fault: string): Promise<readonly object[]>;
  /** Has clients see the past: `{name, who, what, at}`. */
  view(rule: object): Promise<object>;
  /** Moves a view: `{to}`, `{by}` or `{events}`. */
  advance(view: string, how: object): Promise<object>;
  /** Moves the time, such as by `1h`; needs `args: ['--clock=laboratory']`. */
  advanceClock(duration: string): Promise<object>;
  /** Ends `faults/NAME`, `views/NAME`, …. */
  remove(what: string): Promise<object>;
  /** Any endpoint, below `/shardplane/lab/v1/`. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<object>;
}

const PROGRAM = new URL('owned-server.ts', import.meta.url);
const READY_MS_MAX = 60_000;
const END_MS_MAX = 30_000;
/** Other programs may take a free port before the server does. */
const ATTEMPTS_MAX = 3;
const PORT_IS_TAKEN = /is already in use|EADDRINUSE/;

/**
 * Starts a server and resolves when it is ready. It ends with `stop`, or with this process, however
 * that ends; it does not keep this process alive. Rejects with what the server says where it cannot
 * start, or is not ready in time.
 */
export async function startServer(options: StartServerOptions = {}): Promise<StartedServer> {
  for (let attempt = 1; ; attempt += 1) {
    const temporary = options.dataDir === undefined;
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'shardplane-'));
    const server = new OwnedServer(dataDir, temporary, await twoFreePorts(), options);
    try {
      await server.ready(options.timeoutMs ?? READY_MS_MAX);
      return server;
    } catch (error) {
      await server.stop();
      const isTaken = PORT_IS_TAKEN.test((error as Error).message);
      if (!isTaken || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

class OwnedServer implements StartedServer {
  readonly url: string;
  readonly secureUrl: string;
  readonly kubeconfig: string;
  readonly #dataDir: string;
  readonly #isTemporary: boolean;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #output: ServerOutput;

  constructor(
    dataDir: string,
    isTemporary: boolean,
    [port, securePort]: readonly [number, number],
    { release, apiDomain = 'k8s.io', laboratory = false, args = [] }: StartServerOptions,
  ) {
    this.#dataDir = dataDir;
    this.#isTemporary = isTemporary;
    this.url = `http://127.0.0.1:${port}`;
    this.secureUrl = `https://127.0.0.1:${securePort}`;
    this.kubeconfig = join(dataDir, 'admin.kubeconfig');
    const flags = [
      `--data-dir=${dataDir}`,
      `--port=${port}`,
      `--secure-port=${securePort}`,
      `--api-domain=${apiDomain}`,
      ...(release === undefined ? [] : [`--release=${release}`]),
      ...(isTemporary ? ['--durability=relaxed'] : []),
      ...(laboratory ? ['--laboratory'] : []),
      ...args,
    ];
    const program = [fileURLToPath(PROGRAM), isTemporary ? dataDir : '', ...flags];
    this.#process = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#ended = once(this.#process, 'exit');
    const { stdin, stdout, stderr } = this.#process;
    this.#output = new ServerOutput(this.#process, Infinity);
    this.#process.unref();
    for (const stream of [stdin, stdout, stderr]) (stream as Socket).unref();
  }

  get token(): string {
    return readFileSync(join(this.#dataDir, 'admin.token'), 'utf8').trim();
  }

  get certificateAuthority(): string {
    return readFileSync(join(this.#dataDir, 'ca.crt'), 'utf8');
  }

  get lab(): Laboratory {
    const call = (method: string, path: string, body?: object): Promise<object> =>
      this.#askLab(method, path, body);
    return {
      call,
      snapshot: (name) => call('POST', 'snapshots', { name }),
      restore: (snapshot) => call('POST', `snapshots/${snapshot}/restore`),
      fork: (snapshot, how = {}) => call('POST', `snapshots/${snapshot}/fork`, how),
      fault: (rule) => call('POST', 'faults', rule),
      release: (fault) => call('POST', `faults/${fault}/release`, {}),
      journal: async (fault) => {
        const { items } = (await call('GET', `faults/${fault}/journal`)) as { items: object[] };
        return items;
      },
      view: (rule) => call('POST', 'views', rule),
      advance: (view, how) => call('POST', `views/${view}/advance`, how),
      advanceClock: (duration) => call('POST', 'clock', { advance: duration }),
      remove: (what) => call('DELETE', what),
    };
  }

  async #askLab(method: string, path: string, body: object | undefined): Promise<object> {
    const response = await fetch(`${this.url}/shardplane/lab/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { readonly message?: string };
    if (response.ok) return answer;
    throw new Error(`${method} ${path}: ${answer.message ?? response.status}`);
  }

  log(): string {
    return this.#output.log;
  }

  ready(milliseconds: number): Promise<void> {
    return this.#output.ready(milliseconds);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX);
      child.ref();
      await this.#ended;
      clearTimeout(timer);
    }
    if (this.#isTemporary && existsSync(this.#dataDir)) {
      rmSync(this.#dataDir, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
