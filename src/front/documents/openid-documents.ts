/**
 * Documents by which others check the tokens of service accounts: the issuer and its public keys.
 */
import type { ServiceAccountTokens } from '../../auth/service-account-tokens.ts';
import { methodNotAllowed, notAcceptable } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';
export const OPENID_PATHS: readonly string[] = [CONFIGURATION, KEYS];

/** The keys change with their files alone, at a start. */
const HEADERS = { 'Cache-Control': 'public, max-age=3600' };

export interface OpenIdDocument {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * The documents by their paths; `url` is where clients reach this server. There are none where the
 * issuer is no address that others could find them at.
 */
export function openIdDocuments(
  tokens: Pick<ServiceAccountTokens, 'issuer' | 'publicKeys' | 'settings'>,
  url: string,
): ReadonlyMap<string, OpenIdDocument> {
  if (!isDiscoverable(tokens.issuer)) return new Map();
  const keys = tokens.publicKeys();
  const configuration = {
    issuer: tokens.issuer,
    jwks_uri: tokens.settings.keySetUrl || url + KEYS,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ alg }) => alg))].sort(),
  };
  return new Map([
    [CONFIGURATION, { type: 'application/json', bytes: bytesOf(configuration) }],
    [KEYS, { type: 'application/jwk-set+json', bytes: bytesOf({ keys }) }],
  ]);
}

function isDiscoverable(issuer: string): boolean {
  return /^https:\/\/[^?#]+$/i.test(issuer) && URL.canParse(issuer);
}

function bytesOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** Throws StatusError 405 or 406; there is one type for each, and no `application/*` is heard. */
export function sendOpenId(exchange: Exchange, { type, bytes }: OpenIdDocument): void {
  const { method, accept } = exchange.head;
  if (method !== 'get') throw methodNotAllowed();
  const accepted = accept.split(',').map((clause) => clause.replace(/;.*/s, '').trim());
  const isTaken = accept === '' || accepted.includes('*/*') || accepted.includes(type);
  if (!isTaken) throw notAcceptable([type]);
  exchange.sendBytes(200, type, bytes, HEADERS);
}
