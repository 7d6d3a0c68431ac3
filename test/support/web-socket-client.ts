/** The client's side of a WebSocket over a bare connection: frames as they come. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { PATIENCE_MS } from './patience.ts';

export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PONG = 10;

export interface Frame {
  readonly opcode: number;
  readonly bytes: Buffer;
}

export interface HandshakeOptions {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
}

const HANDSHAKE = {
  host: 'localhost',
  connection: 'Upgrade',
  upgrade: 'websocket',
  origin: 'http://localhost',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export class WebSocketClient {
  readonly socket: Socket;
  status = 0;
  /** Names in lower case. */
  readonly headers = new Map<string, string>();
  /** The body that came in the place of frames where the handshake was refused. */
  body = '';
  ended = false;
  #bytes: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  /** Resolves with the answer to the handshake, whatever it is. */
  static async open(options: HandshakeOptions): Promise<WebSocketClient> {
    const client = new WebSocketClient(options);
    await client.#until(() => client.#bytes.includes('\r\n\r\n'), 'head');
    client.#readHead();
    return client;
  }

  constructor({ port, path, headers = {}, method = 'GET' }: HandshakeOptions) {
    this.socket = connect(port, '127.0.0.1');
    const lines = Object.entries({ ...HANDSHAKE, ...headers })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    this.socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    const end = (): void => {
      this.ended = true;
      this.#wake();
    };
    this.socket.on('close', end).on('end', end).on('error', end);
  }

  #readHead(): void {
    const end = this.#bytes.indexOf('\r\n\r\n');
    const [first = '', ...lines] = this.#bytes.subarray(0, end).toString().split('\r\n');
    this.status = Number(first.split(' ')[1]);
    for (const line of lines) {
      const [name = '', ...value] = line.split(': ');
      this.headers.set(name.toLowerCase(), value.join(': '));
    }
    this.#bytes = this.#bytes.subarray(end + 4);
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!condition() && !this.ended) {
      if (Date.now() > deadline) throw new Error(`no ${what} within ${PATIENCE_MS} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 250);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The body of an answer that is no upgrade. */
  async text(): Promise<string> {
    const length = Number(this.headers.get('content-length'));
    await this.#until(() => this.#bytes.length >= length, 'body');
    return this.#bytes.subarray(0, length).toString();
  }

  /** The next frame; undefined when the connection ends without one. */
  async next(): Promise<Frame | undefined> {
    let frame: Frame | undefined;
    await this.#until(() => (frame = this.#takeFrame()) !== undefined, 'frame');
    return frame ?? this.#takeFrame();
  }

  #takeFrame(): Frame | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const short = bytes.readUInt8(1) & 0x7f;
    const start = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < start) return undefined;
    let length = short;
    if (short === 126) length = bytes.readUInt16BE(2);
    if (short === 127) length = Number(bytes.readBigUInt64BE(2));
    if (bytes.length < start + length) return undefined;
    this.#bytes = bytes.subarray(start + length);
    return { opcode: bytes.readUInt8(0) & 0x0f, bytes: bytes.subarray(start, start + length) };
  }

  /** The object in the next message; it must be text. */
  // oxlint-disable-next-line no-explicit-any -- tests look into documents of every kind
  async event(): Promise<any> {
    const frame = await this.next();
    if (frame?.opcode !== TEXT) throw new Error(`no text but ${JSON.stringify(frame)}`);
    return JSON.parse(frame.bytes.toString());
  }

  send(opcode: number, bytes: Uint8Array): void {
    const { length } = bytes;
    const mask = Buffer.from([1, 2, 3, 4]);
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head.writeUInt8(0x80 | opcode, 0);
    if (length < 126) head.writeUInt8(0x80 | length, 1);
    else if (length < 65_536) {
      head.writeUInt8(0x80 | 126, 1);
      head.writeUInt16BE(length, 2);
    } else {
      head.writeUInt8(0x80 | 127, 1);
      head.writeBigUInt64BE(BigInt(length), 2);
    }
    const masked = Buffer.from(bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
    this.socket.write(Buffer.concat([head, mask, masked]));
  }

  close(): void {
    this.socket.destroy();
  }
}
