/**
 * The handshake of WebSockets, as far as it is this server's to judge: who asks for one, and what
 * is wrong with the question. Refusals and their words are those of the reference.
 */
import { AuthenticationError } from '../../auth/authenticator.ts';
import { hasControls } from '../header-text.ts';

/** What a request says of the other protocol that it asks for. */
export interface UpgradeHead {
  /** The protocol: `websocket`, `spdy/3.1`, in lower case. */
  readonly protocol: string;
  /** The `Connection` header has `upgrade` among its members, not only somewhere. */
  readonly isListed: boolean;
  readonly key: string;
  readonly version: string;
  readonly origin: string;
  /** Subprotocols on offer, the best first; a token among them is taken out once it is used. */
  subprotocols: readonly string[];
}

const LISTED = /(^|,\s*)upgrade($|\s*,)/;

/** Undefined when no other protocol is asked for. */
export function upgradeHead(
  connection: string,
  request: { getHeader(name: string): string },
): UpgradeHead | undefined {
  if (connection === '' || connection === 'keep-alive') return undefined;
  const members = connection.toLowerCase();
  if (!members.includes('upgrade')) return undefined;
  const offered = request.getHeader('sec-websocket-protocol').trim();
  return {
    protocol: request.getHeader('upgrade').toLowerCase(),
    isListed: LISTED.test(members),
    key: request.getHeader('sec-websocket-key'),
    version: request.getHeader('sec-websocket-version'),
    origin: request.getHeader('origin'),
    // What cannot be said again cannot be chosen.
    subprotocols:
      offered === '' || hasControls(offered) ? [] : offered.split(',').map((name) => name.trim()),
  };
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

/** What is wrong with the handshake itself; undefined when nothing is. */
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

const TOKEN_PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token among the subprotocols, which is how browsers send it; '' where there is none. Another
 * subprotocol must stand beside it, to be chosen. Throws AuthenticationError where there is more
 * than one token, or what cannot be read.
 */
export function offeredToken(upgrade: UpgradeHead | undefined): string {
  if (!asksForWebSocket(upgrade)) return '';
  const tokens = upgrade.subprotocols.filter((name) => name.startsWith(TOKEN_PREFIX));
  const [token] = tokens;
  if (token === undefined) return '';
  const isAlone = tokens.length === upgrade.subprotocols.length;
  const encoded = token.slice(TOKEN_PREFIX.length);
  if (tokens.length > 1 || isAlone || !/^[\w-]+$/.test(encoded)) {
    throw new AuthenticationError('the token among the subprotocols cannot be read');
  }
  return Buffer.from(encoded, 'base64url').toString();
}

/** Takes the token out, which is not one of the subprotocols to choose from. */
export function withoutToken(upgrade: UpgradeHead): void {
  upgrade.subprotocols = upgrade.subprotocols.filter((name) => !name.startsWith(TOKEN_PREFIX));
}
