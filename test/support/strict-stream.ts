/**
 * A stream as the strictest clients read it, urllib3 among them: of a chunk nothing is handed over
 * before the line end that ends it.
 */
import type { Socket } from 'node:net';
import { ResponseReader } from '../../tools/soak/response-reader.ts';
import { connectRaw } from './raw-exchange.ts';
import type { RawPort } from './raw-exchange.ts';
import { PATIENCE_MS } from './patience.ts';

export class StrictStream {
  /** The bytes that a client has been given. */
  body = Buffer.alloc(0);
  /** All bytes of the answer, with its head and the framing of its chunks. */
  raw = Buffer.alloc(0);
  ended = false;
  readonly #socket: Socket;
  #wake: () => void = () => undefined;

  /** `lines`: the headers of the request, beside Host. */
  constructor(port: RawPort, path: string, lines: readonly string[]) {
    const reader = new ResponseReader({
      onHead: () => undefined,
      onBody: (buffer, from, to) => {
        this.body = Buffer.concat([this.body, buffer.subarray(from, to)]);
      },
      onEnd: () => (this.ended = true),
    });
    const head = [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');
    this.#socket = connectRaw(port);
    this.#socket.once(port.isSecure === true ? 'secureConnect' : 'connect', () => {
      this.#socket.write(head);
    });
    this.#socket.on('data', (bytes) => {
      this.raw = Buffer.concat([this.raw, bytes]);
      reader.feed(bytes, 0, bytes.length);
      this.#wake();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#wake());
  }

  /** Waits until what the client was given satisfies `condition`. */
  async until(condition: (body: Buffer) => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!condition(this.body)) {
      const msLeft = deadline - Date.now();
      if (msLeft <= 0 || this.#socket.destroyed) {
        throw new Error(`no ${what} in ${JSON.stringify(this.raw.toString('latin1'))}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, msLeft);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
