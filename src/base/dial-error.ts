/** Texts for connections that could not be made, in the words of the reference. */

/** Texts of failed connections, by the code of the error. */
const CONNECT_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** `dial tcp 10.0.0.1:80: connect: connection refused`, or the error's own text. */
export function dialErrorText(
  { code = '', message }: NodeJS.ErrnoException,
  host: string,
  port: number,
): string {
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  const known = CONNECT_ERRORS[code];
  return known === undefined ? message : `dial tcp ${joinHostPort(host, port)}: connect: ${known}`;
}

/** `10.0.0.1:80`, `[::1]:80`. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
