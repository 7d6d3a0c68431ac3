/**
 * Requests that Node's own HTTP server takes, seen as those of uWebSockets.js: the front serves
 * both alike. Only the members are there that it uses. Node has a character for each byte of a
 * head, where the other library reads UTF-8.
 */
import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { chosenClock } from '../../base/time/server-clock.ts';
import { asText } from '../answers/header-text.ts';
import type { ClientRequest, ClientResponse } from '../http.ts';

export class NodeRequest implements ClientRequest {
  readonly isExact = true;
  readonly #message: IncomingMessage;
  readonly #path: string;
  readonly #query: string | undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    const url = asText(message.url ?? '/');
    const at = url.indexOf('?');
    this.#path = at === -1 ? url : url.slice(0, at);
    this.#query = at === -1 ? undefined : url.slice(at + 1);
  }

  getMethod(): string {
    return (this.#message.method ?? 'GET').toLowerCase();
  }

  getUrl(): string {
    return this.#path;
  }

  getQuery(): string {
    return this.#query as string;
  }

  getHeader(name: string): string {
    const value = this.#message.headers[name];
    return asText(Array.isArray(value) ? value.join(', ') : (value ?? ''));
  }

  forEach(each: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#message;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      each((rawHeaders[at] ?? '').toLowerCase(), asText(rawHeaders[at + 1] ?? ''));
    }
  }
}

export class NodeResponse implements ClientResponse {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #hasEnded = false;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
    const clock = chosenClock();
    if (clock !== undefined) response.setHeader('Date', new Date(clock.nowMs()).toUTCString());
    // `close` follows, and ends the session.
    response.on('error', () => undefined);
  }

  onAborted(then: () => void): this {
    this.#response.on('close', () => {
      if (!this.#hasEnded) then();
    });
    return this;
  }

  onData(then: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#message.on('data', (chunk: Buffer) => {
      const { buffer, byteOffset, length } = chunk;
      then(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer, false);
    });
    this.#message.on('end', () => then(new ArrayBuffer(0), true));
    return this;
  }

  pause(): void {
    this.#message.pause();
  }

  resume(): void {
    this.#message.resume();
  }

  /** Corks the socket: a corked response forgets to say when its socket takes more. */
  cork(work: () => void): this {
    const { socket } = this.#response;
    socket?.cork();
    work();
    socket?.uncork();
    return this;
  }

  writeStatus(status: string): this {
    this.#response.statusCode = Number(status.slice(0, 3));
    this.#response.statusMessage = status.slice(4);
    return this;
  }

  writeHeader(name: string, value: string | Uint8Array): this {
    const bytes = typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
    this.#response.appendHeader(name, bytes);
    return this;
  }

  write(chunk: Uint8Array): boolean {
    // A copy: the bytes may be of a buffer that is used again.
    return this.#response.write(Buffer.from(chunk));
  }

  end(body?: Uint8Array | string, closes = false): this {
    this.#hasEnded = true;
    if (closes) this.#response.shouldKeepAlive = false;
    const bytes = typeof body === 'object' ? Buffer.from(body) : body;
    if (bytes === undefined) this.#response.end();
    else this.#response.end(bytes);
    return this;
  }

  endWithoutBody(length?: number, closes = false): this {
    if (length !== undefined) this.#response.setHeader('Content-Length', length);
    return this.end(undefined, closes);
  }

  onWritable(then: (offset: number) => boolean): this {
    this.#response.on('drain', () => then(0));
    return this;
  }

  close(): this {
    this.#response.destroy();
    return this;
  }

  getRemoteAddressAsText(): ArrayBuffer {
    const { remoteAddress = '' } = this.#message.socket;
    return new TextEncoder().encode(remoteAddress).buffer as ArrayBuffer;
  }
}

/** An answer on a connection that asked for another protocol, as long as it is not handed over. */
export function responseOn(message: IncomingMessage, connection: Socket): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(connection);
  response.on('finish', () => connection.destroySoon());
  return response;
}
