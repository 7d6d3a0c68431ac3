/**
 * A log over a WebSocket, for browsers: pieces of it as binary messages, or in base64 as text, by
 * the subprotocol. An empty message comes first, so that a client knows that there is a log.
 */
import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange.ts';
import { asksForWebSocket, handshakeRefusal } from '../websocket/handshake.ts';
import type { MessageSocket } from '../websocket/message-socket.ts';
import { refuseHandshake } from '../websocket/refuse-handshake.ts';

/** Whether messages are text in base64, by subprotocol. */
const SUBPROTOCOLS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['binary.k8s.io', false],
  ['base64.binary.k8s.io', true],
]);

/** Passes a body on. */
export type PassBody = (body: Readable) => void;

/** Undefined where no WebSocket is asked for, `refused` where one was refused. */
export function logSocket(exchange: Exchange): PassBody | 'refused' | undefined {
  const { upgrade } = exchange.head;
  if (!asksForWebSocket(upgrade)) return undefined;
  const offered = upgrade.subprotocols.length === 0 ? [''] : upgrade.subprotocols;
  const chosen = offered.find((name) => SUBPROTOCOLS.has(name));
  const refusal =
    handshakeRefusal(upgrade) ??
    (chosen === undefined ? ({ code: 403, text: '', headers: {} } as const) : undefined);
  if (refusal !== undefined || exchange.switches.openWebSocket === undefined) {
    refuseHandshake(exchange, refusal ?? { code: 400, text: '', headers: {} });
    return 'refused';
  }
  const isBase64 = SUBPROTOCOLS.get(chosen ?? '') === true;
  return (message) => passLog(exchange, message, chosen ?? '', isBase64);
}

function passLog(
  exchange: Exchange,
  message: Readable,
  subprotocol: string,
  isBase64: boolean,
): void {
  const socket: MessageSocket = exchange.acceptWebSocket(subprotocol, {
    onMessage: () => undefined,
    onDrain: () => message.resume(),
    onClose: () => message.destroy(),
  });
  const send = (piece: Buffer): boolean =>
    socket.send(isBase64 ? Buffer.from(piece.toString('base64')) : piece, isBase64);
  send(Buffer.alloc(0));
  message.on('data', (piece: Buffer) => {
    if (!send(piece)) message.pause();
  });
  message.on('close', () => socket.end(1000, ''));
  message.on('error', () => socket.close());
}
