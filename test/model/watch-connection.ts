/** One watch as a client holds it, which can also stop reading its socket for a while. */
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { newGate } from '../support/gate.ts';
import type { TestObject } from '../support/kinds.ts';
import type { Server } from '../support/server.ts';

export interface StreamedEvent {
  readonly type: string;
  readonly object: TestObject;
}

const NEWLINE = 10;

/** A whole line that is no JSON must not pass for a stream that broke. */
function parsed(line: string): StreamedEvent {
  try {
    return JSON.parse(line) as StreamedEvent;
  } catch {
    return { type: 'MALFORMED', object: {} };
  }
}

export class WatchConnection {
  readonly status: number;
  readonly ended: Promise<void>;
  isEnded = false;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  readonly #onLine: (line: string) => void;
  #chunks: Buffer[] = [];

  constructor(request: ClientRequest, response: IncomingMessage, onLine: (line: string) => void) {
    const gate = newGate();
    this.#request = request;
    this.#response = response;
    this.#onLine = onLine;
    this.status = response.statusCode ?? 0;
    this.ended = gate.promise;
    const end = (): void => {
      this.isEnded = true;
      gate.open();
    };
    response.on('data', (chunk: Buffer) => this.#onData(chunk));
    response.on('error', end);
    response.on('close', end);
  }

  #onData(chunk: Buffer): void {
    if (this.status !== 200) return;
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#chunks.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      start = end + 1;
      this.#onLine(line);
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
  }

  /** Reads no more: what is sent piles up in the sockets, then in the server. */
  stall(): void {
    this.#response.pause();
  }

  goOn(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }
}

/** Opens a watch; rejects when the connection breaks before the head of the answer. */
export async function openWatch(
  server: Server,
  path: string,
  onEvent: (event: StreamedEvent) => void,
): Promise<WatchConnection> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const { names, port } = server;
    const asked = names.request({ method: 'GET', path, headers });
    const options = { ...asked, host: '127.0.0.1', port, agent: false as const };
    const onLine = (line: string): void => onEvent(parsed(names.event(line)));
    const request = httpRequest(options, (response) =>
      resolve(new WatchConnection(request, response, onLine)),
    );
    // After the head this says once more what the response says.
    request.on('error', reject);
    request.end();
  });
}
