/** A running server as flow tests use it: requests, watches, crashes and restarts. */
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { Test } from 'tap';
import { launchServer } from './server-process.ts';
import type { Exit, ServerProcess, ServerProcessOptions } from './server-process.ts';
import { WatchStream } from './watch-stream.ts';

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

export class Server {
  readonly #options: ServerOptions;
  #process: ServerProcess;
  #agent = new Agent({ keepAlive: true });

  constructor(process: ServerProcess, options: ServerOptions) {
    this.#process = process;
    this.#options = options;
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

  #headers(body: string | Buffer | undefined, headers: RequestHeaders): Record<string, string> {
    const merged: RequestHeaders = {
      authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    };
    const entries = Object.entries(merged).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as Record<string, string>;
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
    const bytes = bodyBytes(body);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        headers: this.#headers(bytes, headers),
        agent: this.#agent,
      };
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const milliseconds = performance.now() - startedAt;
          const status = response.statusCode ?? 0;
          resolve({ status, headers: response.headers, text, json: parsed(text), milliseconds });
        });
      });
      request.on('error', reject);
      request.end(bytes);
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

  /** Opens a watch; resolves once the answer's head is here. `path` says `watch=true` itself. */
  async watch(path: string, headers: RequestHeaders = {}): Promise<WatchStream> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.port,
        path,
        headers: this.#headers(undefined, headers),
        agent: false as const,
      };
      const request = httpRequest(options, (response) =>
        resolve(new WatchStream(request, response)),
      );
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
    this.#agent = new Agent({ keepAlive: true });
    const dataDirectory = this.dataDirectory;
    this.#process = await launchServer({ ...options, dataDirectory });
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
  const first = await launchServer(options);
  const server = new Server(first, options);
  options.test?.teardown(async () => {
    server.closeConnections();
    await server.process.dispose();
    await first.dispose();
    if (options.test?.passing() === false) options.test.comment(server.stderr);
  });
  return server;
}
