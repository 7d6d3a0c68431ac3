/**
 * One keep-alive HTTP/1.1 connection with one request in flight, as cheap as Node allows: the
 * load generator must not be what a benchmark measures. Requests are complete byte buffers.
 */
import type { Socket } from 'node:net';
import { ChunkReader } from './chunk-reader.ts';
import { connectTo, type Endpoint } from './endpoint.ts';

// All connections read into one buffer: its bytes are used before the next read begins.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);
const HEAD_END = '\r\n\r\n';
const CHUNKED_END = '0\r\n\r\n';

/**
 * `bodyBytes` is the number of body bytes (chunk framing included); `body` only when kept, and
 * valid until the next request is sent.
 */
export type OnAnswer = (status: number, bodyBytes: number, body: Buffer | undefined) => void;

export interface ConnectionOptions {
  readonly endpoint: Endpoint;
  /** Keeps the bytes of the body, without chunk framing, for `onAnswer`. */
  readonly keepBody?: boolean;
  /** Sees the body's bytes, from `at` to `end`, chunk framing included, before `onAnswer`. */
  readonly onBody?: (buffer: Buffer, at: number, end: number) => void;
  readonly onAnswer: OnAnswer;
  readonly onError: (error: Error) => void;
}

export class HttpConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #chunks = new ChunkReader();
  /** Bytes of a head that has not ended yet. */
  #headStart: Buffer | undefined;
  #status = 0;
  /** Bytes of the body still to come; -1 while the head is read, -2 when chunked. */
  #left = -1;
  #bodyBytes = 0;
  #tail = '';
  #kept = Buffer.alloc(0);
  #keptBytes = 0;

  constructor(options: ConnectionOptions, onConnect: () => void) {
    this.#options = options;
    const callback = (byteCount: number, buffer: Uint8Array): boolean => {
      this.#onBytes(buffer as Buffer, byteCount);
      return true;
    };
    this.#socket = connectTo(options.endpoint, { buffer: readBuffer, callback }, onConnect);
    this.#socket.on('error', options.onError);
    this.#socket.on('close', () => options.onError(new Error('connection closed by the server')));
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #onBytes(buffer: Buffer, end: number): void {
    let at = 0;
    if (this.#left === -1) {
      at = this.#readHead(buffer, end);
      if (at < 0) return;
    }
    if (this.#left === -2) this.#readChunked(buffer, at, end);
    else this.#readSized(buffer, at, end);
  }

  /** Returns where the body starts, or -1 when the head goes on in the next read. */
  #readHead(read: Buffer, readEnd: number): number {
    const before = this.#headStart?.length ?? 0;
    let head = read.subarray(0, readEnd);
    if (this.#headStart !== undefined) head = Buffer.concat([this.#headStart, head]);
    const headEnd = head.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#headStart = Buffer.from(head);
      return -1;
    }
    this.#headStart = undefined;
    const text = head.toString('latin1', 0, headEnd + 2);
    this.#status = Number(text.slice(9, 12));
    this.#left = bodyLength(text);
    this.#bodyBytes = 0;
    this.#tail = '';
    return headEnd + HEAD_END.length - before;
  }

  #readSized(buffer: Buffer, at: number, end: number): void {
    const length = end - at;
    if (length > 0) this.#take(buffer, at, end);
    this.#left -= length;
    if (this.#left === 0) this.#finish();
    else if (this.#left < 0) this.#options.onError(new Error('more body than announced'));
  }

  #readChunked(buffer: Buffer, at: number, end: number): void {
    if (end > at) this.#take(buffer, at, end);
    // With one request in flight nothing follows the last chunk, so its end is the end.
    const tailLength = CHUNKED_END.length + 2;
    const start = Math.max(at, end - tailLength);
    this.#tail = (this.#tail + buffer.toString('latin1', start, end)).slice(-tailLength);
    if (this.#tail === `\r\n${CHUNKED_END}`) this.#finish();
  }

  #take(buffer: Buffer, at: number, end: number): void {
    this.#bodyBytes += end - at;
    this.#options.onBody?.(buffer, at, end);
    if (this.#options.keepBody !== true) return;
    const keep = (from: number, to: number): void => {
      const length = this.#keptBytes + to - from;
      // Copying is all that a long body costs: room that was made once is used again.
      if (length > this.#kept.length) {
        const grown = Buffer.allocUnsafeSlow(2 * length);
        this.#kept.copy(grown, 0, 0, this.#keptBytes);
        this.#kept = grown;
      }
      buffer.copy(this.#kept, this.#keptBytes, from, to);
      this.#keptBytes = length;
    };
    if (this.#left === -2) this.#chunks.read(buffer, at, end, keep);
    else keep(at, end);
  }

  #finish(): void {
    this.#left = -1;
    const keep = this.#options.keepBody === true;
    const body = keep ? this.#kept.subarray(0, this.#keptBytes) : undefined;
    this.#keptBytes = 0;
    this.#options.onAnswer(this.#status, this.#bodyBytes, body);
  }
}

/** From a head with all its line ends: the announced length, or -2 for chunks. */
function bodyLength(head: string): number {
  const lower = head.toLowerCase();
  const at = lower.indexOf('\r\ncontent-length:');
  if (at >= 0) return Number(lower.slice(at + 17, lower.indexOf('\r\n', at + 17)));
  if (lower.includes('\r\ntransfer-encoding: chunked\r\n')) return -2;
  return 0;
}
