/**
 * Which headers of a request leave this server, on every way to an agent, a pod or a service
 * (../bounds.md#headers): all but those that say who asks and those of the client's connection.
 */
import { appendAll } from '../../base/append-all.ts';
import type { SaysWhoAsks } from '../../auth/identity-headers.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { hasControls } from '../answers/header-text.ts';
import { withoutTokens } from '../websocket/handshake.ts';
import type { Header } from '../answers/header-text.ts';
import { listedIn, OF_CONNECTION } from './passed-headers.ts';

const FORWARDED_FOR = 'x-forwarded-for';
const SUBPROTOCOLS = 'sec-websocket-protocol';
/** Where a request ends, and whom it is for, is never only of one connection. */
const OF_REQUEST: ReadonlySet<string> = new Set(['host', 'content-length']);

export interface Leaving {
  /** All of them, as they came, with names in lower case. */
  readonly headers: readonly Header[];
  /** Who has sent it. */
  readonly remoteAddress: string;
  readonly saysWhoAsks: SaysWhoAsks;
}

/** With the address of who asks. Throws StatusError 400 for a header that cannot be passed on. */
export function leavingHeaders({ headers, remoteAddress, saysWhoAsks }: Leaving): Header[] {
  const listed = headers.flatMap(([name, value]) => (name === 'connection' ? listedIn(value) : []));
  const before: string[] = [];
  const leaving: Header[] = [];
  for (const [name, value] of headers) {
    if (OF_CONNECTION.has(name) || saysWhoAsks(name)) continue;
    if (listed.includes(name) && !OF_REQUEST.has(name)) continue;
    if (hasControls(value)) throw badRequest(`the header ${name} has a control character`);
    if (name === FORWARDED_FOR) before.push(value);
    else if (name !== SUBPROTOCOLS) leaving.push([name, value]);
    else appendAll(leaving, subprotocolLine(value));
  }
  return [...leaving, ['X-Forwarded-For', [...before, remoteAddress].join(', ')]];
}

/** The line without its tokens; no line when nothing is left. */
function subprotocolLine(value: string): readonly Header[] {
  const names = withoutTokens(value.split(',').map((name) => name.trim()));
  return names.length === 0 ? [] : [[SUBPROTOCOLS, names.join(', ')]];
}
