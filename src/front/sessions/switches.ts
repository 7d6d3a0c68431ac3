/** How the connection of a request can be given to another protocol. */
import type { Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';
import type { MessageHandlers, MessageSocket } from '../websocket/message-socket.ts';

/** What is absent cannot be done. */
export interface Switches {
  /** Opens the WebSocket that was asked for, with this subprotocol; '' for none. */
  readonly openWebSocket?: (subprotocol: string, handlers: MessageHandlers) => MessageSocket;
  /** Hands the bare connection over, unanswered. */
  readonly takeConnection?: () => Socket;
  /** Opens a port that can hand connections over; resolves with where it is. */
  readonly openSessionPort?: () => Promise<SessionOrigin>;
}

/** HTTPS as the options want it. */
export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificates for some names; without names, for those in them. */
  readonly namedPairs: readonly {
    readonly certFile: string;
    readonly keyFile: string;
    readonly names: readonly string[];
  }[];
  readonly minVersion: SecureVersion;
  /** As OpenSSL calls them, without those of TLS 1.3; undefined for those of the library. */
  readonly cipherSuites: readonly string[] | undefined;
  /** Who signs the certificates of clients, and that of the front proxy; '' for nobody. */
  readonly clientAuthorityFile: string;
  readonly proxyAuthorityFile: string;
}

export interface SessionOrigin {
  readonly scheme: 'http' | 'https';
  readonly port: number;
}

/** Of a port for sessions beside the one of HTTPS, or of HTTP. */
export function sessionOrigin(isSecure: boolean, port: number): SessionOrigin {
  return { scheme: isSecure ? 'https' : 'http', port };
}
