/** An OpenID Connect issuer whose keys a test changes. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Test } from 'tap';
import { startHttpsService } from './https-service.ts';
import type { HttpsService } from './https-service.ts';

const KEYS_PATH = '/keys';

export interface IssuerKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

export interface OidcIssuer extends HttpsService {
  /** Those that it tells of, from now on. */
  keys: readonly IssuerKey[];
  /** The name that it gives itself. */
  named: string;
  /** The other pages, by path. */
  readonly pages: Map<string, string>;
  /** How often it was asked for keys. */
  keysAsked(): number;
}

export function rsaKey(keyId: string): IssuerKey {
  return { keyId, privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey };
}

/** A token with these claims; the header may say otherwise than it is. */
export function tokenOf(
  { keyId, privateKey }: IssuerKey,
  claims: object,
  header: object = {},
): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', kid: keyId, ...header })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}

export async function startOidcIssuer(t: Test): Promise<OidcIssuer> {
  const service = await startHttpsService(t, ({ path }) => {
    if (path === '/.well-known/openid-configuration') {
      return { issuer: issuer.named, jwks_uri: `${service.url}${KEYS_PATH}` };
    }
    if (path !== KEYS_PATH) return issuer.pages.get(path) ?? 404;
    const keys = issuer.keys.map(({ keyId, privateKey }) => {
      const { kty, n, e } = privateKey.export({ format: 'jwk' });
      return { kid: keyId, use: 'sig', alg: 'RS256', kty, n, e };
    });
    return { keys };
  });
  const issuer: OidcIssuer = {
    ...service,
    keys: [],
    named: service.url,
    pages: new Map(),
    keysAsked: () => service.requests.filter(({ path }) => path === KEYS_PATH).length,
  };
  return issuer;
}
