/**
 * The handshake of WebSockets, as far as it is this server's to judge: who asks for one, and what
 * is wrong with the question. Refusals and their words are those of the reference.
 */
import { AuthenticationError } from '../../auth/authenticator.ts';
import type { HttpRequest } from 'uWebSockets.js';
import { hasControls } from '../answers/header-text.ts';

/** The parts of a request that ask for another protocol. */
export interface UpgradeHead {
  /** The protocol: `websocket`, `spdy/3.1`, in lower case. */
  readonly protocol: string;
  /** The protocol as it was written. */
  readonly asked: string;
  /** The `Connection` header has `upgrade` among its members, not only somewhere. */
  readonly isListed: boolean;
  readonly key: string;
  readonly version: string;
  readonly origin: string;
  /** Subprotocols on offer, the best first; a token among them is taken out once it is used. */
  subprotocols: readonly string[];
}

const LISTED = /(^|,\s*)upgrade($|\s*,)/;

/** Requests would follow that nobody looks at: HTTP is no other protocol. */
const OF_HTTP = /(?:^|,)\s*(?:h2c|http)/i;

/** Undefined when no other protocol is asked for. */
export function upgradeHead(
  connection: string,
  request: Pick<HttpRequest, 'getHeader' | 'forEach'>,
): UpgradeHead | undefined {
  if (connection === '' || connection === 'keep-alive') return undefined;
  const members = connection.toLowerCase();
  if (!members.includes('upgrade')) return undefined;
  const asked = request.getHeader('upgrade');
  if (OF_HTTP.test(asked)) return undefined;
  return {
    protocol: asked.toLowerCase(),
    asked,
    isListed: LISTED.test(members),
    key: request.getHeader('sec-websocket-key'),
    version: request.getHeader('sec-websocket-version'),
    origin: request.getHeader('origin'),
    subprotocols: offeredSubprotocols(request),
  };
}

/** The subprotocols of all headers of the name: there may be one header for each. */
function offeredSubprotocols(request: Pick<HttpRequest, 'forEach'>): string[] {
  const names: string[] = [];
  request.forEach((header, value) => {
    // A protocol whose name cannot be sent back cannot be chosen.
    if (header !== 'sec-websocket-protocol' || value.trim() === '' || hasControls(value)) return;
    for (const name of value.split(',')) names.push(name.trim());
  });
  return names;
}

export function asksForWebSocket(upgrade: UpgradeHead | undefined): upgrade is UpgradeHead {
  return upgrade?.protocol === 'websocket' && upgrade.isListed;
}

export interface HandshakeRefusal {
  readonly code: 400 | 403;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SUPPORTED_VERSION = '13';

/** The fault of the handshake itself; undefined when there is none. */
export function handshakeRefusal({ key, version }: UpgradeHead): HandshakeRefusal | undefined {
  if (key === '') return { code: 400, text: 'mismatch challenge/response', headers: {} };
  if (version !== SUPPORTED_VERSION) {
    const headers = { 'Sec-WebSocket-Version': SUPPORTED_VERSION };
    return { code: 400, text: 'missing or bad WebSocket Version', headers };
  }
  return undefined;
}

/** Whether `Origin` is an address, or an absolute path, as the handshake of a watch demands. */
export function hasOrigin({ origin }: UpgradeHead): boolean {
  return origin.startsWith('/') || URL.canParse(origin);
}

/** By either name: subprotocols are the same in both dialects. */
const TOKEN = /^base64url\.bearer\.authorization\.(?:k8s|cluster)\.io\.(.*)$/;

/**
 * The token among the subprotocols, which is how browsers send it; '' where there is none. Another
 * subprotocol must stand beside it, to be chosen. Throws AuthenticationError where there is more
 * than one token, or what cannot be read.
 */
export function offeredToken(upgrade: UpgradeHead | undefined): string {
  if (!asksForWebSocket(upgrade)) return '';
  const tokens = upgrade.subprotocols.flatMap((name) => TOKEN.exec(name)?.[1] ?? []);
  const [encoded] = tokens;
  if (encoded === undefined) return '';
  const isAlone = tokens.length === upgrade.subprotocols.length;
  if (tokens.length > 1 || isAlone || !/^[\w-]+$/.test(encoded)) {
    throw new AuthenticationError('the token among the subprotocols cannot be read');
  }
  return Buffer.from(encoded, 'base64url').toString();
}

/** Matches all that looks like a token, even one that this server would not read. */
const LIKE_TOKEN = /^base64(?:url)?\.bearer\./i;

/** Without tokens, which are not among those to choose from, and for nobody else. */
export function withoutTokens(subprotocols: readonly string[]): readonly string[] {
  return subprotocols.filter((name) => !LIKE_TOKEN.test(name));
}
