/**
 * Where sessions go whose protocol the HTTP library has no connection for. Clients of SPDY up to
 * release 1.24 follow; others are told what they can do.
 */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { badRequest, serverFailure } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';
import type { SessionOrigin } from './switches.ts';

/** A name or an address, and a port or none. */
const HOST = /^([\w.-]+|\[[\da-fA-F:.]+\])(?::[0-9]*)?$/;

/** Rejects with StatusError where no port may be opened. */
export async function redirectSession(
  exchange: Exchange,
  openSessionPort: (() => Promise<SessionOrigin>) | undefined,
): Promise<void> {
  const { url, host: asked } = exchange.head;
  if (openSessionPort === undefined) {
    throw serverFailure('sessions in this protocol need a session port, and it is switched off');
  }
  const [, host] = HOST.exec(asked) ?? [];
  if (host === undefined) throw badRequest(`the Host ${quoteText(asked)} is no name or address`);
  const { scheme, port } = await openSessionPort();
  const origin = `${scheme}://${host}:${port}`;
  const text = `sessions in this protocol are served at ${origin}: use it as the server's address`;
  // The URL stays escaped as it was sent: unescaped it could hold line breaks.
  const headers = { Location: `${origin}${url}` };
  exchange.sendBytes(302, 'text/plain; charset=utf-8', Buffer.from(text), headers);
}
