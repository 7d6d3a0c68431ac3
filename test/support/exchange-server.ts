/** Exchanges over real sockets: a test answers the requests, and reads what clients get. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import uws from 'uWebSockets.js';
import { Exchange } from '../../src/front/exchange.ts';
import { copyHead } from '../../src/front/http.ts';
import { ANSWER_CONTEXT } from './answer-context.ts';

export class ExchangeServer {
  readonly #app = uws.App();
  #port = 0;

  static async start(answer: (exchange: Exchange) => void): Promise<ExchangeServer> {
    const server = new ExchangeServer();
    server.#app.any('/*', (response, request) => {
      answer(new Exchange(response, copyHead(request), ANSWER_CONTEXT, () => undefined));
    });
    server.#port = await new Promise((resolve, reject) => {
      server.#app.listen('127.0.0.1', 0, (socket) => {
        if (socket) resolve(uws.us_socket_local_port(socket));
        else reject(new Error('cannot listen'));
      });
    });
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** A connection on which a GET with these headers was sent; nobody reads it yet. */
  async get(headers: Record<string, string>): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.pause();
    await once(socket, 'connect');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
    return socket;
  }

  close(): void {
    this.#app.close();
  }
}

/** Resolves with all bytes so far once `isEnough` of them; rejects when the socket ends first. */
export function readUntil(socket: Socket, isEnough: (bytes: Buffer) => boolean): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isEnough(bytes)) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(bytes);
    };
    const onClose = (): void => reject(new Error(`ended after ${bytes.toString()}`));
    socket.on('data', onData);
    socket.on('close', onClose);
    socket.resume();
  });
}
