/** One request and its answer: status lines, common headers, documents, streams. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from 'uWebSockets.js';
import { JsonIndenter } from '../codec/json-indent.ts';
import { stringifyGo } from '../codec/go-json.ts';
import type { StatusError } from '../semantics/status.ts';
import type { RequestHead } from './http.ts';
import { wantsPretty } from './negotiate.ts';
import { Query } from './query.ts';
import { warningValues } from './warning.ts';

const STATUS_LINES = new Map<number, string>();

function statusLine(code: number): string {
  let line = STATUS_LINES.get(code);
  if (line === undefined) {
    line = `${code} ${STATUS_CODES[code] ?? 'Unknown'}`;
    STATUS_LINES.set(code, line);
  }
  return line;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Well below what the smallest socket buffer has free when it says that it takes data again. */
const PROBE_BYTES = 4 * 1024;

export class Exchange {
  readonly head: RequestHead;
  readonly query: Query;
  readonly #response: HttpResponse;
  readonly #onEnd: () => void;
  /** Texts of `Warning` headers that the answer is to carry. */
  #warnings: readonly string[] | undefined;
  /** Headers besides the common ones, or in the place of them. */
  #headers: Readonly<Record<string, string>> | undefined;
  #open = true;
  #closes = false;
  #onAborted: (() => void) | undefined;
  #indenter: JsonIndenter | undefined;
  /** The socket did not take the last part whole. */
  #wasFull = false;
  /** What has not been given to the library yet, a copy. */
  #held: Uint8Array | undefined;

  /** `onEnd` runs once, when the answer is complete or the client is gone. */
  constructor(response: HttpResponse, head: RequestHead, onEnd: () => void) {
    this.head = head;
    this.query = new Query(head.query);
    this.#response = response;
    this.#onEnd = onEnd;
    response.onAborted(() => {
      if (!this.#open) return;
      this.#open = false;
      this.#onAborted?.();
      onEnd();
    });
  }

  /** False once the answer is complete or the client is gone: nothing can be sent then. */
  get open(): boolean {
    return this.#open;
  }

  /** Runs `then` if the client goes away before the answer is complete. */
  onAborted(then: () => void): void {
    this.#onAborted = then;
  }

  /** Adds texts for people to the head of the answer (API-FACTS 12.3). */
  warn(texts: readonly string[]): void {
    this.#warnings = [...(this.#warnings ?? []), ...texts];
  }

  /** Sends a whole JSON document, which ends with a newline; indented for people. */
  sendDocument(code: number, document: Uint8Array): void {
    if (!this.#open) return;
    const body = this.#pretty() ? new JsonIndenter().push(document) : document;
    this.#finish(code, 'application/json', body);
  }

  sendStatus({ status, code }: StatusError): void {
    const retryAfter = status.details?.retryAfterSeconds ?? 0;
    const document = Buffer.from(`${stringifyGo(status)}\n`);
    const body = this.#pretty() ? new JsonIndenter().push(document) : document;
    this.#finish(code, 'application/json', body, retryAfter);
  }

  /** The same, as the last answer on the connection. */
  sendLastStatus(error: StatusError): void {
    this.#closes = true;
    this.sendStatus(error);
  }

  /** Sends plain text, as the reference does where it has no Status. */
  sendText(code: number, text: string, retryAfterSeconds = 0): void {
    const type = 'text/plain; charset=utf-8';
    this.#finish(code, type, text, retryAfterSeconds);
  }

  /** Sends bytes of any type as they are, with headers besides the common ones. */
  sendBytes(
    code: number,
    type: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.#headers = headers;
    this.#finish(code, type, body);
  }

  sendJson(code: number, value: unknown): void {
    this.#finish(code, 'application/json', `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /** Begins an answer of unknown length. `pretty` allows it to be indented for people. */
  beginStream(pretty: boolean): void {
    if (!this.#open) return;
    if (pretty && this.#pretty()) this.#indenter = new JsonIndenter();
    this.#response.cork(() => this.#writeHead(200, 'application/json', 0));
  }

  /** Sends a part of a stream; false when the client should be waited for with `onWritable`. */
  write(chunk: Uint8Array): boolean {
    if (!this.#open) return true;
    const part = this.#indenter === undefined ? chunk : this.#indenter.push(chunk);
    if (part.length === 0) return true;
    if (this.#held === undefined) return this.#send(part);
    this.#held = Buffer.concat([this.#held, part]);
    return false;
  }

  /** Calls `then` each time the socket takes data again after `write` returned false. */
  onWritable(then: () => void): void {
    if (!this.#open) return;
    this.#response.onWritable(() => {
      // The library keeps what a socket does not take, and sends it with the next write only.
      this.#response.cork(() => undefined);
      const held = this.#held;
      this.#held = undefined;
      if (held === undefined || this.#send(held)) then();
      return true;
    });
  }

  endStream(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#response.cork(() => {
      if (this.#held !== undefined) this.#response.write(this.#held);
      this.#response.end();
    });
    this.#onEnd();
  }

  /**
   * Whether a socket that was full takes data again is only told by a write. A small one comes
   * first: less than it has made room for, so that what the library keeps does not grow.
   */
  #send(part: Uint8Array): boolean {
    const response = this.#response;
    const first = this.#wasFull ? part.subarray(0, PROBE_BYTES) : part;
    response.cork(() => {
      this.#wasFull = !response.write(first);
      if (first.length === part.length) return;
      if (this.#wasFull) this.#held = part.slice(PROBE_BYTES);
      else this.#wasFull = !response.write(part.subarray(PROBE_BYTES));
    });
    return !this.#wasFull;
  }

  /** Cuts the connection: the client must not take what it has for the whole. */
  abort(): void {
    if (!this.#open) return;
    this.#response.close();
  }

  #pretty(): boolean {
    const parameter = this.query.has('pretty') ? this.query.text('pretty') : undefined;
    return wantsPretty(parameter, this.head.userAgent);
  }

  #finish(code: number, type: string, body: Uint8Array | string, retryAfterSeconds = 0): void {
    if (!this.#open) return;
    this.#open = false;
    const response = this.#response;
    response.cork(() => {
      this.#writeHead(code, type, retryAfterSeconds);
      // After such an answer the library takes no further request on the connection.
      if (this.head.method === 'head') response.endWithoutBody(body.length, true);
      else response.end(body, this.#closes);
    });
    this.#onEnd();
  }

  #writeHead(code: number, type: string, retryAfterSeconds: number): void {
    const response = this.#response;
    response
      .writeStatus(statusLine(code))
      .writeHeader('Audit-Id', this.head.auditId === '' ? randomUUID() : this.head.auditId)
      .writeHeader('Cache-Control', this.#headers?.['Cache-Control'] ?? 'no-cache, private')
      .writeHeader('Content-Type', type);
    if (type !== 'application/json') response.writeHeader('X-Content-Type-Options', 'nosniff');
    if (retryAfterSeconds > 0) response.writeHeader('Retry-After', String(retryAfterSeconds));
    for (const [name, value] of Object.entries(this.#headers ?? NO_HEADERS)) {
      if (name !== 'Cache-Control') response.writeHeader(name, value);
    }
    if (this.#warnings === undefined) return;
    for (const value of warningValues(this.#warnings)) response.writeHeader('Warning', value);
  }
}
