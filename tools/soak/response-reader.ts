/**
 * Reads the responses of one HTTP/1.1 connection out of whatever pieces they arrive in. It is as
 * strict as the strictest clients: of a chunk nothing is told before the line end that ends it.
 */

const HEAD_BYTES_MAX = 64 * 1024;
const NEWLINE = 0x0a;

export interface ResponseHandlers {
  /** `headers`: all lines of the head, in lower case. */
  onHead(status: number, headers: string): void;
  /** Part of the body, whole chunks where there are any; the buffer is used again afterwards. */
  onBody(buffer: Buffer, from: number, to: number): void;
  onEnd(): void;
}

type State = 'head' | 'sized' | 'chunkSize' | 'chunkData' | 'chunkEnd' | 'trailer' | 'untilClose';

export class ResponseReader {
  readonly #handlers: ResponseHandlers;
  #state: State = 'head';
  #head = '';
  /** The bytes of the body or the chunk that are still to come. */
  #left = 0;
  /** The pieces of a chunk that has not ended yet, copied. */
  #chunk: Buffer[] = [];
  /** The line of a chunk's size or of the trailer, as far as it is here. */
  #line = '';

  constructor(handlers: ResponseHandlers) {
    this.#handlers = handlers;
  }

  /** Reads the bytes from `from` to `to`. Throws when they are not HTTP. */
  feed(buffer: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to) {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(buffer, at, to);
          break;
        case 'chunkSize':
        case 'chunkEnd':
        case 'trailer':
          at = this.#readLine(buffer, at, to);
          break;
        case 'chunkData':
        case 'sized':
          at = this.#readData(buffer, at, to);
          break;
        case 'untilClose':
          this.#handlers.onBody(buffer, at, to);
          return;
      }
    }
  }

  /** The connection has ended. Whether the response may end so. */
  close(): boolean {
    if (this.#state !== 'untilClose') return false;
    this.#handlers.onEnd();
    return true;
  }

  #readHead(buffer: Buffer, from: number, to: number): number {
    const before = this.#head.length;
    this.#head += buffer.toString('latin1', from, to);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#head.length > HEAD_BYTES_MAX) throw new Error('the head of an answer is too long');
      return to;
    }
    const head = this.#head.slice(0, end + 2).toLowerCase();
    this.#head = '';
    const next = from + end + 4 - before;
    const status = Number(/^http\/1\.[01] ([0-9]{3})/.exec(head)?.[1]);
    if (!(status >= 100)) throw new Error('the answer is not HTTP/1.1');
    if (status < 200) return next;
    this.#handlers.onHead(status, head);
    this.#startBody(status, head);
    return next;
  }

  #startBody(status: number, head: string): void {
    const length = /\r\ncontent-length: *([0-9]+)/.exec(head)?.[1];
    if (/\r\ntransfer-encoding:[^\r]*chunked/.test(head)) {
      this.#state = 'chunkSize';
    } else if (length !== undefined || status === 204 || status === 304) {
      this.#left = Number(length ?? 0);
      this.#state = 'sized';
      if (this.#left === 0) this.#end();
    } else {
      this.#state = 'untilClose';
    }
  }

  #readData(buffer: Buffer, from: number, to: number): number {
    const end = Math.min(to, from + this.#left);
    this.#left -= end - from;
    if (this.#state === 'chunkData') {
      this.#chunk.push(Buffer.from(buffer.subarray(from, end)));
      if (this.#left === 0) this.#state = 'chunkEnd';
      return end;
    }
    this.#handlers.onBody(buffer, from, end);
    if (this.#left === 0) this.#end();
    return end;
  }

  #readLine(buffer: Buffer, from: number, to: number): number {
    let at = from;
    while (at < to && buffer[at] !== NEWLINE) at += 1;
    this.#line += buffer.toString('latin1', from, at);
    if (this.#line.length > HEAD_BYTES_MAX) throw new Error('a line of an answer is too long');
    if (at === to) return to;
    const line = this.#line.trimEnd();
    this.#line = '';
    this.#onLine(line);
    return at + 1;
  }

  #onLine(line: string): void {
    if (this.#state === 'trailer') {
      if (line === '') this.#end();
    } else if (this.#state === 'chunkEnd') {
      if (line !== '') throw new Error('a chunk is longer than it says');
      this.#state = 'chunkSize';
      const [first, ...others] = this.#chunk;
      const chunk = others.length === 0 && first !== undefined ? first : Buffer.concat(this.#chunk);
      this.#chunk = [];
      this.#handlers.onBody(chunk, 0, chunk.length);
    } else {
      this.#left = Number.parseInt(line, 16);
      if (!/^[0-9a-f]+ *(;|$)/i.test(line)) throw new Error(`"${line}" is no chunk size`);
      this.#state = this.#left === 0 ? 'trailer' : 'chunkData';
    }
  }

  #end(): void {
    this.#state = 'head';
    this.#handlers.onEnd();
  }
}
