/**
 * Between a client's WebSocket and an agent: message by message, or bytes of a protocol that the
 * client wraps in messages. Who takes nothing holds the other side back; only a client cannot be
 * held back by the library, and is cut when too much of what it has sent waits.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SESSION_BYTES_MAX } from '../limits.ts';
import { headText } from '../answers/header-lines.ts';
import type { HeaderLines } from '../answers/header-lines.ts';
import { SWITCHING } from '../http.ts';
import type { PassedRequest } from '../operation.ts';
import { statusLine } from '../answers/status-line.ts';
import { FrameSocket } from '../websocket/frame-socket.ts';
import type { MessageSocket } from '../websocket/message-socket.ts';

/** The server stops: clients know that the session is not over by itself. */
export const GOING_AWAY = 1001;
export const NORMAL_CLOSURE = 1000;

/** An agent's connection, and what has come on it already. */
export interface Upgraded {
  readonly connection: Duplex;
  readonly head: Uint8Array;
}

export function passMessages(
  { exchange, whenStopped }: PassedRequest,
  { connection, head }: Upgraded,
  subprotocol: string,
): void {
  whenStopped(() => client.end(GOING_AWAY, 'the server is shutting down'));
  const client: MessageSocket = exchange.acceptWebSocket(subprotocol, {
    onMessage: (message, isText) => {
      agent.send(message, isText);
      if (agent.waiting > SESSION_BYTES_MAX) agent.close();
    },
    onDrain: () => agent.resume(),
    onCloseFrame: (code, reason) => agent.end(code ?? NORMAL_CLOSURE, reason),
    onClose: () => agent.close(),
  });
  const agent: FrameSocket = new FrameSocket(
    connection,
    {
      onMessage: (message, isText) => {
        if (!client.send(message, isText)) agent.pause();
      },
      onDrain: () => undefined,
      onCloseFrame: (code, reason) => client.end(code ?? NORMAL_CLOSURE, reason),
      onClose: () => client.close(),
    },
    true,
  );
  agent.begin(head);
}

/** Bytes of another protocol, in binary messages on the client's side. */
export function passTunnel(
  { exchange, whenStopped }: PassedRequest,
  { connection, head }: Upgraded,
  subprotocol: string,
): void {
  whenStopped(() => client.end(GOING_AWAY, 'the server is shutting down'));
  const client: MessageSocket = exchange.acceptWebSocket(subprotocol, {
    onMessage: (message) => {
      // A copy: the bytes are the library's, for this call only.
      connection.write(Buffer.from(message));
      if (connection.writableLength > SESSION_BYTES_MAX) connection.destroy();
    },
    onDrain: () => connection.resume(),
    onClose: () => connection.destroy(),
  });
  connection.on('data', (bytes: Buffer) => {
    if (!client.send(bytes, false)) connection.pause();
  });
  connection.on('end', () => client.end(NORMAL_CLOSURE, ''));
  connection.on('error', () => client.close());
  connection.on('close', () => client.close());
  if (head.length > 0) client.send(head, false);
}

/**
 * Between bare connections: bytes as they come, `agreement` first, which is the head of the agent's
 * answer. Either side's end is that of the other.
 */
export function passBytes(
  client: Socket,
  agreement: HeaderLines,
  { connection, head }: Upgraded,
): void {
  client.write(headText(statusLine(SWITCHING), agreement), 'latin1');
  client.write(head);
  const agent = connection as Socket;
  client.pipe(agent);
  agent.pipe(client);
  for (const [one, other] of [
    [client, agent],
    [agent, client],
  ] as const) {
    one.on('end', () => other.destroySoon());
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroySoon());
  }
}
