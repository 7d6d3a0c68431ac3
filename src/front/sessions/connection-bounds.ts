/**
 * Bounds of connections that Node's HTTP serves: those that the HTTP library has on the other ports
 * (../README.md#slow-connections). Node has some of its own, but not for connections that it has
 * not accepted by itself, and none that holds for an answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LATE_TEXT } from '../transport/connections.ts';
import { BODY_BYTES_PER_SECOND_MIN, IDLE_MS_MAX, SOCKET_PING_MS } from '../limits.ts';

const SECOND_MS = 1_000;
const WINDOW_BYTES_MIN = (BODY_BYTES_PER_SECOND_MIN * IDLE_MS_MAX) / SECOND_MS;
/** The bytes that TLS itself may need while a client waits for its answer. */
const IDLE_BYTES_MAX = 1024;

/** A request that is under way. */
interface UnderWay {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface Bounded {
  /** Undefined while the head of a request is waited for. */
  request: UnderWay | undefined;
  /** Since when that is waited for, or for so many bytes of a body. */
  sinceMs: number;
  /** The bytes that had been read by then. */
  bytesRead: number;
  /** The body is here: its client has nothing to say any more. */
  isReceived: boolean;
}

export class ConnectionBounds {
  readonly #connections = new Map<Socket, Bounded>();
  readonly #onLate: () => void;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;

  /** `onLate` hears of heads that have not come in time. */
  constructor(onLate: () => void, nowMs: () => number = () => performance.now()) {
    this.#onLate = onLate;
    this.#nowMs = nowMs;
    this.#timer = setInterval(() => this.#check(), SECOND_MS).unref();
  }

  /** Cuts the connection when it is too slow, until it is let go or closes. */
  hold(socket: Socket): void {
    const now = { sinceMs: this.#nowMs(), bytesRead: socket.bytesRead };
    this.#connections.set(socket, { request: undefined, isReceived: false, ...now });
    socket.on('close', () => this.#connections.delete(socket));
    // It is put off by whatever is read or taken.
    socket.setTimeout(IDLE_MS_MAX, () => this.#isQuiet(socket));
  }

  /** Another protocol has it, which may be quiet for as long as its peer is there. */
  letGo(socket: Socket): void {
    this.#connections.delete(socket);
    socket.setTimeout(0);
    socket.setKeepAlive(true, SOCKET_PING_MS);
  }

  /** A head is there. False where the last request has no answer yet: the connection is cut. */
  began(socket: Socket, request: UnderWay): boolean {
    const bounded = this.#connections.get(socket);
    if (bounded === undefined) return false;
    if (bounded.request?.response.writableEnded === false) {
      socket.destroy();
      return false;
    }
    bounded.request = request;
    bounded.isReceived = false;
    this.#mark(socket, bounded);
    request.response.on('finish', () => {
      if (bounded.request !== request) return;
      bounded.request = undefined;
      this.#mark(socket, bounded);
    });
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #mark(socket: Socket, bounded: Bounded): void {
    bounded.sinceMs = this.#nowMs();
    bounded.bytesRead = socket.bytesRead;
  }

  /** A client that takes nothing of what there is for it is cut; a quiet watch is none. */
  #isQuiet(socket: Socket): void {
    if (socket.writableLength > 0) socket.destroy();
  }

  #check(): void {
    for (const [socket, bounded] of this.#connections) {
      if (this.#isInTime(socket, bounded)) continue;
      if (bounded.request === undefined) this.#tellLate(socket, bounded);
      socket.destroySoon();
    }
  }

  #tellLate(socket: Socket, bounded: Bounded): void {
    this.#connections.delete(socket);
    this.#onLate();
    if (socket.bytesRead > bounded.bytesRead) socket.write(LATE_TEXT, 'latin1');
  }

  #isInTime(socket: Socket, bounded: Bounded): boolean {
    const { request } = bounded;
    if (request === undefined) return this.#nowMs() - bounded.sinceMs < IDLE_MS_MAX;
    const read = socket.bytesRead - bounded.bytesRead;
    if (bounded.isReceived) return read <= IDLE_BYTES_MAX;
    const { message } = request;
    bounded.isReceived = message.complete;
    // While nobody takes what it sends, the client is not the slow one.
    if (message.complete || message.readableFlowing !== true || read >= WINDOW_BYTES_MIN) {
      this.#mark(socket, bounded);
    }
    return this.#nowMs() - bounded.sinceMs < IDLE_MS_MAX;
  }
}
