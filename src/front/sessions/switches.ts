/** The ways to give the connection of a request to another protocol. */
import type { Socket } from 'node:net';
import type { MessageHandlers, MessageSocket } from '../websocket/message-socket.ts';

/** The switches of a connection; an absent one cannot be done. */
export interface Switches {
  /** Opens the WebSocket that was asked for, with this subprotocol; '' for none. */
  readonly openWebSocket?: (subprotocol: string, handlers: MessageHandlers) => MessageSocket;
  /** Hands the bare connection over, unanswered. */
  readonly takeConnection?: () => Socket;
  /** Opens a port that can hand connections over; resolves with where it is. */
  readonly openSessionPort?: () => Promise<SessionOrigin>;
}

export interface SessionOrigin {
  readonly scheme: 'http' | 'https';
  readonly port: number;
}

/** The origin of a port for sessions beside the one of HTTPS, or of HTTP. */
export function sessionOrigin(isSecure: boolean, port: number): SessionOrigin {
  return { scheme: isSecure ? 'https' : 'http', port };
}
