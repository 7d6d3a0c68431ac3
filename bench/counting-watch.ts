/** One open watch, whose events are counted without being parsed. */
import type { Socket } from 'node:net';
import { connectTo, type Endpoint } from './endpoint.ts';
import type { EventReader } from './event-readers.ts';

// All watches read into one buffer: its bytes are used before the next read begins.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

export interface CountingWatchOptions {
  readonly endpoint: Endpoint;
  /** Copied. */
  readonly request: Buffer;
  /** Stops reading after the head of the answer. */
  readonly stalled: boolean;
  readonly reader: EventReader;
  readonly onOpen: () => void;
  readonly onEvents: (from: number, to: number) => void;
  readonly onError: (error: Error) => void;
}

export class CountingWatch {
  readonly #options: CountingWatchOptions;
  readonly #socket: Socket;
  #head: string | undefined = '';

  constructor(options: CountingWatchOptions) {
    this.#options = options;
    const request = Buffer.from(options.request);
    const callback = (byteCount: number, buffer: Uint8Array): boolean => {
      this.#onBytes(buffer as Buffer, byteCount);
      return true;
    };
    const onread = { buffer: readBuffer, callback };
    this.#socket = connectTo(options.endpoint, onread, () => this.#socket.write(request));
    this.#socket.on('error', options.onError);
    this.#socket.on('close', () => options.onError(new Error('a watch was closed by the server')));
  }

  get events(): number {
    return this.#options.reader.events;
  }

  get disorders(): number {
    return this.#options.reader.disorders;
  }

  /** Counts from 0 again. */
  reset(): void {
    this.#options.reader.reset();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Without the wait that a closed connection's port has: there are not enough ports for it. */
  close(): void {
    this.#socket.removeAllListeners('close');
    // Node resets bare connections only.
    if (this.#options.endpoint.tls === undefined) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  #onBytes(buffer: Buffer, end: number): void {
    const at = this.#head === undefined ? 0 : this.#readHead(this.#head, buffer, end);
    if (at >= end) return;
    const { reader, onEvents, onError } = this.#options;
    const before = reader.events;
    try {
      reader.read(buffer, at, end);
    } catch (error) {
      onError(error as Error);
    }
    if (reader.events > before) onEvents(before, reader.events);
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
}
