/** One open watch: counts events by the end of their lines, without parsing them. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const VERSION = /"resourceVersion":"(\d+)"/g;
/** A version with its name is shorter. */
const VERSION_CHARACTERS_MAX = 48;
// All watches read into one buffer: its bytes are used before the next read begins.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

export interface CountingWatchOptions {
  readonly port: number;
  /** Copied. */
  readonly request: Buffer;
  /** Stops reading after the head of the answer. */
  readonly stalled: boolean;
  /** Reads the version of each event. */
  readonly sampled: boolean;
  readonly onOpen: () => void;
  readonly onEvents: (from: number, to: number) => void;
  readonly onError: (error: Error) => void;
}

export class CountingWatch {
  events = 0;
  /** Events whose version is not above that of the one before. */
  disorders = 0;
  readonly #options: CountingWatchOptions;
  readonly #socket: Socket;
  #head: string | undefined = '';
  #lastByte = 0;
  #tail = '';
  #lastVersion = 0;
  #versions = 0;

  constructor(options: CountingWatchOptions) {
    this.#options = options;
    const request = Buffer.from(options.request);
    const callback = (byteCount: number, buffer: Uint8Array): boolean => {
      this.#onBytes(buffer as Buffer, byteCount);
      return true;
    };
    this.#socket = connect({
      port: options.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback },
    });
    this.#socket.on('connect', () => this.#socket.write(request));
    this.#socket.on('error', options.onError);
    this.#socket.on('close', () => options.onError(new Error('a watch was closed by the server')));
  }

  /** Counts from 0 again. */
  reset(): void {
    this.events = 0;
    this.disorders = 0;
    this.#versions = 0;
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Without the wait that a closed connection's port has: there are not enough ports for it. */
  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.resetAndDestroy();
  }

  #onBytes(buffer: Buffer, end: number): void {
    const at = this.#head === undefined ? 0 : this.#readHead(this.#head, buffer, end);
    if (at >= end) return;
    const before = this.events;
    this.#count(buffer, at, end);
    if (this.#options.sampled) this.#checkVersions(buffer.toString('latin1', at, end));
    if (this.events > before) this.#options.onEvents(before, this.events);
  }

  /** Returns where the body starts, or the end of what was read. */
  #readHead(before: string, buffer: Buffer, end: number): number {
    const head = before + buffer.toString('latin1', 0, end);
    const headEnd = head.indexOf('\r\n\r\n');
    if (headEnd < 0) {
      this.#head = head;
      return end;
    }
    this.#head = undefined;
    if (!head.startsWith('HTTP/1.1 200')) this.#options.onError(new Error(head));
    if (this.#options.stalled) this.#socket.pause();
    this.#options.onOpen();
    return end - (head.length - headEnd - 4);
  }

  /** An event ends with `}` and a newline; the chunk framing's newlines follow `\r`. */
  #count(buffer: Buffer, from: number, to: number): void {
    for (let at = buffer.indexOf(NEWLINE, from); at >= 0 && at < to;) {
      const before = at === from ? this.#lastByte : buffer[at - 1];
      if (before === CLOSING_BRACE) this.events += 1;
      at = buffer.indexOf(NEWLINE, at + 1);
    }
    this.#lastByte = buffer[to - 1] ?? 0;
  }

  #checkVersions(text: string): void {
    const whole = this.#tail + text;
    let used = 0;
    for (const match of whole.matchAll(VERSION)) {
      const version = Number(match[1]);
      if (version <= this.#lastVersion) this.disorders += 1;
      this.#lastVersion = version;
      this.#versions += 1;
      used = match.index + match[0].length;
    }
    this.#tail = whole.slice(Math.max(used, whole.length - VERSION_CHARACTERS_MAX));
    // An event is counted at its end, and its version stands before that.
    if (this.#versions < this.events) this.disorders += 1;
  }
}
