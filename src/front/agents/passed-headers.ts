/** Which headers of answers are passed on to clients. */
import type { IncomingMessage } from 'node:http';
import type { Header } from '../answers/header-text.ts';

/** Headers for one connection only, of requests and answers. */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of an answer that the HTTP library writes itself. */
const OF_LIBRARY: ReadonlySet<string> = new Set(['content-length', 'date']);

/** Which pages may read an answer is this server's to say, as in the reference. */
const OF_PAGES: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
]);

/** Headers of an answer, as they were written: a character for each byte. */
export function passedHeaders({
  rawHeaders,
  headers: { connection = '' },
}: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): Header[] {
  const listed = listedIn(connection);
  const headers: Header[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const known = name.toLowerCase();
    if (OF_CONNECTION.has(known) || OF_LIBRARY.has(known) || OF_PAGES.has(known)) continue;
    if (!listed.includes(known)) headers.push([name, rawHeaders[at + 1] ?? '']);
  }
  return headers;
}

/** The members of a `Connection` header, in lower case: headers that are for it alone. */
export function listedIn(connection: string): readonly string[] {
  if (connection === '') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}
