/**
 * Where sessions go whose protocol the HTTP library has no connection for. Clients of SPDY up to
 * release 1.24 follow; others are told what they can do.
 */
import { serverFailure } from '../../semantics/status.ts';
import type { Exchange } from '../exchange.ts';
import type { SessionOrigin } from './switches.ts';

/** Rejects with StatusError where no port may be opened. */
export async function redirectSession(
  exchange: Exchange,
  openSessionPort: (() => Promise<SessionOrigin>) | undefined,
): Promise<void> {
  const { path, query, host: asked } = exchange.head;
  if (openSessionPort === undefined) {
    throw serverFailure('sessions in this protocol need a session port, and it is switched off');
  }
  const { scheme, port } = await openSessionPort();
  const host = asked.replace(/:[0-9]+$/, '');
  const origin = `${scheme}://${host}:${port}`;
  const location = `${origin}${path}${query === undefined ? '' : `?${query}`}`;
  const text = `sessions in this protocol are served at ${origin}: use it as the server's address`;
  exchange.sendBytes(302, 'text/plain; charset=utf-8', Buffer.from(text), { Location: location });
}
