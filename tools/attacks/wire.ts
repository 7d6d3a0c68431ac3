/** Connections of plain HTTP/1.1 to the server, that send what they are told to, byte for byte. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { ResponseReader } from '../soak/response-reader.ts';

// All connections read into one buffer: its bytes are only counted.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

export interface Server {
  readonly port: number;
  readonly token: string;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** As somebody who is known and has no rights. */
  readonly isOfNobody?: boolean;
}

/** The bytes of a whole request. */
export function requestBytes({ port, token }: Server, call: Call): Buffer {
  const { method = 'GET', path, accept = 'application/json' } = call;
  const { contentType = 'application/json', body, isOfNobody = false } = call;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    `Accept: ${accept}`,
  ];
  if (isOfNobody) lines.push('Impersonate-User: nobody');
  if (body !== undefined) {
    lines.push(`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** One connection with one request in flight. */
export class Wire {
  readonly #server: Server;
  readonly #socket: Socket;
  #status = 0;
  #onHead: (status: number) => void = () => undefined;
  #onEnd: (status: number) => void = () => undefined;

  constructor(server: Server) {
    this.#server = server;
    const reader = new ResponseReader({
      onHead: (status) => {
        this.#status = status;
        this.#onHead(status);
      },
      onBody: () => undefined,
      onEnd: () => this.#onEnd(this.#status),
    });
    const callback = (length: number, buffer: Uint8Array): boolean => {
      reader.feed(buffer as Buffer, 0, length);
      return true;
    };
    const onread = { buffer: readBuffer, callback };
    this.#socket = connect({ host: '127.0.0.1', port: server.port, noDelay: true, onread });
    // A connection that is refused or cut has no answer.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#onHead(0);
      this.#onEnd(0);
    });
  }

  /** Resolves with the status once the answer is here as a whole; 0 where the connection ends. */
  call(call: Call): Promise<number> {
    return new Promise((resolve) => {
      this.#onEnd = resolve;
      this.#socket.write(requestBytes(this.#server, call));
    });
  }

  /** Resolves with the status once the head of the answer is here; 0 where the connection ends. */
  open(call: Call): Promise<number> {
    return new Promise((resolve) => {
      this.#onHead = resolve;
      this.#socket.write(requestBytes(this.#server, call));
    });
  }

  /** Sends these bytes. Resolves when the system has taken them, or the connection has ended. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** 0 before the first answer. */
  get status(): number {
    return this.#status;
  }

  close(): void {
    this.#socket.destroy();
  }
}
