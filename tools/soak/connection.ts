/** One HTTP/1.1 connection, plain or TLS, cheap enough to have many thousands of them open. */
import { connect as connectPlain, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ResponseReader } from './response-reader.ts';
import type { ResponseHandlers } from './response-reader.ts';
import type { Target } from './target.ts';

// All connections read into one buffer: its bytes are used before the next read begins.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);
const CONNECT_MS_MAX = 20_000;

export interface ConnectionHandlers extends ResponseHandlers {
  /** The connection is gone: not called after `destroy`. */
  onClose(reason: string): void;
}

export class Connection {
  readonly #target: Target;
  readonly #socket: Socket;
  readonly #handlers: ConnectionHandlers;
  readonly #reader: ResponseReader;
  #closed = false;

  constructor(target: Target, handlers: ConnectionHandlers) {
    this.#target = target;
    this.#handlers = handlers;
    this.#reader = new ResponseReader({
      onHead: (status, headers) => this.#closed || handlers.onHead(status, headers),
      onBody: (buffer, from, to) => this.#closed || handlers.onBody(buffer, from, to),
      onEnd: () => this.#closed || handlers.onEnd(),
    });
    const callback = (byteCount: number, buffer: Uint8Array): boolean => {
      this.#onBytes(buffer as Buffer, byteCount);
      return true;
    };
    this.#socket = this.#connect({ buffer: readBuffer, callback });
    const socket = this.#socket;
    const timer = setTimeout(() => {
      this.#fail(`no connection within ${CONNECT_MS_MAX} ms`);
    }, CONNECT_MS_MAX);
    socket.on(target.tls === undefined ? 'connect' : 'secureConnect', () => clearTimeout(timer));
    socket.on('error', (error) => this.#fail(reasonOf(error)));
    socket.on('close', () => {
      clearTimeout(timer);
      if (this.#closed || this.#reader.close()) return;
      this.#fail('the server closed the connection');
    });
  }

  /** Sends one request; the connection carries one at a time. */
  request(method: string, path: string, body: string | undefined, contentType: string): void {
    const { basePath, commonHead } = this.#target;
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    const ofBody =
      body === undefined ? '' : `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n`;
    const accept = 'Accept: application/json\r\n';
    this.#socket.write(
      `${method} ${basePath}${path} HTTP/1.1\r\n${commonHead}${accept}${ofBody}\r\n${body ?? ''}`,
    );
  }

  /** Takes nothing from the socket until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #connect(onread: { buffer: Buffer; callback: (n: number, b: Uint8Array) => boolean }): Socket {
    const { host, port, tls } = this.#target;
    const common = { host, port, noDelay: true, onread };
    if (tls === undefined) return connectPlain(common);
    const { secureContext, rejectUnauthorized, servername } = tls;
    // An address may not be sent as the name, but it is what the certificate is checked for.
    const name = isIP(servername) === 0 ? { servername } : {};
    return connectTls({ ...common, secureContext, rejectUnauthorized, ...name });
  }

  #onBytes(buffer: Buffer, end: number): void {
    if (this.#closed) return;
    try {
      this.#reader.feed(buffer, 0, end);
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  #fail(reason: string): void {
    if (this.#closed) return;
    this.destroy();
    this.#handlers.onClose(reason);
  }
}

/** Errors of a certificate that was signed by nobody who is known. */
const UNKNOWN_SIGNERS: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (!UNKNOWN_SIGNERS.includes(code)) return message;
  return `${message}: give --certificate-authority FILE, or --kubeconfig FILE`;
}
