/** A running server as flow tests use it: requests, watches, crashes and restarts. */
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { Test } from 'tap';
import { NEUTRAL } from '../../src/semantics/dialect/dialect.ts';
import { launchServer } from './server-process.ts';
import type { Exit, ServerProcess, ServerProcessOptions } from './server-process.ts';
import { WatchStream } from './watch-stream.ts';
import { AS_THEY_ARE, SERVER_DIALECT, type WireNames, type WireRequest } from './wire-names.ts';

/** The server closes connections after ten idle seconds: a request must not meet that. */
export const IDLE_MS_MAX = 4_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into documents of every kind
  readonly json: any;
  readonly milliseconds: number;
}

export type RequestHeaders = Record<string, string | undefined>;

export interface ServerOptions extends ServerProcessOptions {
  /** The test that the server belongs to: its end ends the server. */
  readonly test?: Test;
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, timeout: IDLE_MS_MAX });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyBytes(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** Gives the other flags of a server, and its names. One that is given a dialect keeps it. */
async function wireNames(
  args: readonly string[] = [],
): Promise<{ readonly args: readonly string[]; readonly names: WireNames }> {
  const isNeutral = SERVER_DIALECT === NEUTRAL;
  if (isNeutral || args.includes('--api-domain')) return { args, names: AS_THEY_ARE };
  // Loaded only here: it takes the codecs of all kinds.
  const { CLIENT_NAMES } = await import('./client-names.ts');
  return { args: [...args, '--api-domain', SERVER_DIALECT.domain], names: CLIENT_NAMES };
}

export class Server {
  readonly #options: ServerOptions;
  /** How it spells what tests, which are in the neutral names, send and get. */
  #names: WireNames;
  #process: ServerProcess;
  #agent = newAgent();

  constructor(process: ServerProcess, options: ServerOptions, names: WireNames) {
    this.#process = process;
    this.#options = options;
    this.#names = names;
  }

  get names(): WireNames {
    return this.#names;
  }

  get process(): ServerProcess {
    return this.#process;
  }

  get port(): number {
    return this.#process.port;
  }

  get dataDirectory(): string {
    return this.#process.dataDirectory;
  }

  get token(): string {
    return this.#process.token;
  }

  #asked(
    method: string,
    path: string,
    headers: RequestHeaders,
    body: string | Buffer | undefined,
  ): WireRequest {
    const merged: RequestHeaders = {
      authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const asked = this.#names.request({ method, path, headers: merged, body });
    const length = asked.body === undefined ? undefined : String(Buffer.byteLength(asked.body));
    const given = Object.entries({ 'content-length': length, ...asked.headers });
    const sent = given.filter(([, value]) => value !== undefined);
    return { ...asked, headers: Object.fromEntries(sent) };
  }

  /**
   * One request with the admin's token. Strings and Buffers go as they are, anything else as
   * JSON; a header set to undefined is left out. Rejects when the connection breaks.
   */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: RequestHeaders = {},
  ): Promise<Answer> {
    const asked = this.#asked(method, path, headers, bodyBytes(body));
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const options = { ...asked, host: '127.0.0.1', port: this.port, agent: this.#agent };
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const milliseconds = performance.now() - startedAt;
          const { statusCode = 0, headers: sent } = response;
          const bytes = Buffer.concat(chunks);
          const answer = this.#names.answer({ status: statusCode, headers: sent, bytes });
          const { status, headers } = answer;
          const text = answer.bytes.toString('utf8');
          resolve({ status, headers, text, json: parsed(text), milliseconds });
        });
      });
      request.on('error', reject);
      request.end(asked.body);
    });
  }

  async get(path: string, headers?: RequestHeaders): Promise<Answer> {
    return this.request('GET', path, undefined, headers);
  }

  async post(path: string, body: unknown, headers?: RequestHeaders): Promise<Answer> {
    return this.request('POST', path, body, headers);
  }

  async put(path: string, body: unknown, headers?: RequestHeaders): Promise<Answer> {
    return this.request('PUT', path, body, headers);
  }

  async delete(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer> {
    return this.request('DELETE', path, body, headers);
  }

  /**
   * Opens a watch; resolves once it is known whether it is refused. `path` says `watch=true`
   * itself.
   */
  async watch(path: string, headers: RequestHeaders = {}): Promise<WatchStream> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked('GET', path, headers, undefined);
      const options = { ...asked, host: '127.0.0.1', port: this.port, agent: false as const };
      const request = httpRequest(options, (response) => {
        const stream = new WatchStream(request, response, this.#names);
        if (this.#names.refusal === undefined) resolve(stream);
        else void stream.begun.then(() => resolve(stream));
      });
      request.on('error', reject);
      request.end();
    });
  }

  async stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<Exit> {
    return this.#process.stop(signal);
  }

  async kill(): Promise<Exit> {
    return this.#process.kill();
  }

  /**
   * Starts it again on the same data folder (and a new port), after `stop` or `kill`; with other
   * options if given.
   */
  async restart(options: ServerProcessOptions = this.#options): Promise<void> {
    this.#agent.destroy();
    this.#agent = newAgent();
    const dataDirectory = this.dataDirectory;
    const { args, names } = await wireNames(options.args);
    this.#process = await launchServer({ ...options, args, dataDirectory });
    this.#names = names;
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  closeConnections(): void {
    this.#agent.destroy();
  }
}

/** Starts a server for one test; when that test ends so does the server, and its folder goes. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const { args, names } = await wireNames(options.args);
  const first = await launchServer({ ...options, args });
  const server = new Server(first, options, names);
  options.test?.teardown(async () => {
    server.closeConnections();
    await server.process.dispose();
    await first.dispose();
    if (options.test?.passing() === false) options.test.comment(server.stderr);
  });
  return server;
}
