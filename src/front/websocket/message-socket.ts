/** A WebSocket once it is open, whatever carries it. */
import type { WebSocket, WebSocketBehavior } from 'uWebSockets.js';
import { SOCKET_MESSAGE_BYTES_MAX } from '../limits.ts';

export interface MessageSocket {
  /** Sends one message; false when the peer should be waited for, with `onDrain`. */
  send(message: Uint8Array, isText: boolean): boolean;
  /** Sends what `work` sends with fewer writes. */
  batch(work: () => void): void;
  /** Sends a close frame after all else, then closes. */
  end(code: number, reason: string): void;
  /** Cuts the connection. */
  close(): void;
}

/** Who opens a socket says what comes of it. */
export interface MessageHandlers {
  /** The bytes are the library's, for this call only. */
  onMessage(message: Uint8Array, isText: boolean): void;
  /** The peer ends it in order, with a code and a reason; `onClose` follows. */
  onCloseFrame?(code: number | undefined, reason: string): void;
  /** All that was sent has been taken. */
  onDrain(): void;
  /** The connection is over, whoever ended it. Runs once. */
  onClose(): void;
}

/** The library's code for a connection that ended without a close frame. */
const NO_CLOSE_FRAME = 1006;

/** The data that the library keeps with each WebSocket: a copy, whose members do not change. */
export interface SocketData {
  readonly handlers: MessageHandlers;
  readonly socket: UwsSocket;
}

export class UwsSocket implements MessageSocket {
  /** Undefined before it is open, and once it is closed: the library's object throws then. */
  #socket: WebSocket<SocketData> | undefined;

  opened(socket: WebSocket<SocketData>): void {
    this.#socket = socket;
  }

  send(message: Uint8Array, isText: boolean): boolean {
    if (this.#socket === undefined) return true;
    this.#socket.send(message, !isText);
    // A message that the socket did not take whole is kept by the library.
    return this.#socket.getBufferedAmount() === 0;
  }

  batch(work: () => void): void {
    if (this.#socket === undefined) work();
    else this.#socket.cork(work);
  }

  end(code: number, reason: string): void {
    this.#socket?.end(code, reason);
  }

  close(): void {
    this.#socket?.close();
  }

  /** Keeps what is between the peers from forgetting a quiet connection, and finds dead ones. */
  ping(): void {
    this.#socket?.ping();
  }

  get isDrained(): boolean {
    return this.#socket?.getBufferedAmount() === 0;
  }

  closed(): void {
    this.#socket = undefined;
  }
}

/**
 * The library's settings for all WebSockets. It cuts none for being slow or quiet: who uses a
 * socket sends no more than one portion to a peer that takes nothing.
 */
export function socketBehavior(open: Set<UwsSocket>): WebSocketBehavior<SocketData> {
  return {
    maxPayloadLength: SOCKET_MESSAGE_BYTES_MAX,
    maxBackpressure: 0,
    idleTimeout: 0,
    sendPingsAutomatically: false,
    open: (socket) => {
      const { socket: opened } = socket.getUserData();
      opened.opened(socket);
      open.add(opened);
    },
    message: (socket, message, isBinary) => {
      socket.getUserData().handlers.onMessage(new Uint8Array(message), !isBinary);
    },
    drain: (socket) => {
      const { handlers, socket: drained } = socket.getUserData();
      if (drained.isDrained) handlers.onDrain();
    },
    close: (socket, code, reason) => {
      const { handlers, socket: closed } = socket.getUserData();
      if (code !== NO_CLOSE_FRAME) handlers.onCloseFrame?.(code, Buffer.from(reason).toString());
      closed.closed();
      open.delete(closed);
      handlers.onClose();
    },
  };
}
