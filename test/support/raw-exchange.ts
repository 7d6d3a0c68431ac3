/** Bytes that no HTTP client would send, and what comes back. */
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PATIENCE_MS } from './patience.ts';

/** Long enough to see that there is no answer, where none is expected: no test fails by it. */
const SILENCE_MS = 1_000;

export interface RawPort {
  readonly port: number;
  /** The bytes go through TLS. */
  readonly isSecure?: boolean;
  /** The certificate that is shown there, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** A connection to the port; it can be written to at once. */
export function connectRaw({ port, isSecure = false, certificate }: RawPort): Socket {
  const host = '127.0.0.1';
  return isSecure
    ? connectTls({ port, host, rejectUnauthorized: false, ...certificate })
    : connectPlain(port, host);
}

/**
 * Sends bytes and gives what comes back, until the server closes or what is expected is there.
 * Where nothing is expected, that is what came within a second.
 */
export async function exchangeRaw(
  port: RawPort,
  bytes: string | Uint8Array,
  expected?: RegExp,
): Promise<string> {
  const socket = connectRaw(port);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (expected?.test(text) === true) socket.destroy();
  });
  // Who is cut off has an answer too: what came before.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const waitMs = expected === undefined ? SILENCE_MS : PATIENCE_MS;
  let timer: NodeJS.Timeout | undefined;
  socket.once(port.isSecure === true ? 'secureConnect' : 'connect', () => {
    socket.write(bytes);
    timer = setTimeout(() => socket.destroy(), waitMs);
  });
  await closed;
  clearTimeout(timer);
  return text;
}
