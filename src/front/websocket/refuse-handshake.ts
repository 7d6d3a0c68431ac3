/** The answer to a handshake that cannot be had: a text, as the last on the connection. */
import type { Exchange } from '../exchange.ts';
import type { HandshakeRefusal } from './handshake.ts';

export function refuseHandshake(exchange: Exchange, refusal: HandshakeRefusal): void {
  const { code, text, headers } = refusal;
  exchange.closeAfterwards();
  exchange.sendBytes(code, 'text/plain; charset=utf-8', Buffer.from(text), headers);
}
