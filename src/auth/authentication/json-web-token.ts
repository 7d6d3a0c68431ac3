/**
 * JSON web tokens in their compact form: read strictly, and verified with a key that is known
 * beforehand. What the token says of its key or algorithm only chooses among what the key can do.
 */
import { constants, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { JsonCursor } from '../../codec/json/json-cursor.ts';

export type JsonMembers = Readonly<Record<string, unknown>>;

export interface JsonWebToken {
  readonly algorithm: string;
  /** '' where the token names none. */
  readonly keyId: string;
  /** It asks for more to be understood than this server does: it is taken for unsigned. */
  readonly isExtended: boolean;
  /** The claims of the token, which are not to be believed before the signature is verified. */
  readonly claims: JsonMembers;
  readonly payload: string;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

interface Algorithm {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  /** The elliptic curve, as the runtime calls it. */
  readonly curve?: string;
  readonly isProbabilistic?: true;
}

/** Those of keys in pairs: whoever can verify a token cannot make one. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['RS256', { keyType: 'rsa', hash: 'sha256' }],
  ['RS384', { keyType: 'rsa', hash: 'sha384' }],
  ['RS512', { keyType: 'rsa', hash: 'sha512' }],
  ['PS256', { keyType: 'rsa', hash: 'sha256', isProbabilistic: true }],
  ['PS384', { keyType: 'rsa', hash: 'sha384', isProbabilistic: true }],
  ['PS512', { keyType: 'rsa', hash: 'sha512', isProbabilistic: true }],
  ['ES256', { keyType: 'ec', hash: 'sha256', curve: 'prime256v1' }],
  ['ES384', { keyType: 'ec', hash: 'sha384', curve: 'secp384r1' }],
  ['ES512', { keyType: 'ec', hash: 'sha512', curve: 'secp521r1' }],
]);

export const TOKEN_ALGORITHMS: readonly string[] = [...ALGORITHMS.keys()];

/** Undefined for what is no such token, or has more than one spelling. */
export function readJsonWebToken(text: string): JsonWebToken | undefined {
  const parts = text.split('.').map(decode);
  const [header, payload, signature] = parts;
  if (parts.length !== 3) return undefined;
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  const head = membersOf(header.toString());
  const claims = membersOf(payload.toString());
  if (head === undefined || claims === undefined) return undefined;
  const { alg, kid = '', crit = [] } = head;
  const isWellFormed = typeof alg === 'string' && typeof kid === 'string' && Array.isArray(crit);
  if (!isWellFormed || repeatedMember(header.toString(), 1) !== undefined) return undefined;
  return {
    algorithm: alg,
    keyId: kid,
    isExtended: crit.length > 0,
    claims,
    payload: payload.toString(),
    signed: Buffer.from(text.slice(0, text.lastIndexOf('.'))),
    signature,
  };
}

/** Whether a private key of this pair has signed the token. */
export function isSignedWith(
  { algorithm, isExtended, signed, signature }: JsonWebToken,
  key: KeyObject,
): boolean {
  const known = ALGORITHMS.get(algorithm);
  if (known === undefined || isExtended || known.keyType !== key.asymmetricKeyType) return false;
  if (known.keyType === 'ec') {
    if (known.curve !== key.asymmetricKeyDetails?.namedCurve) return false;
    return verify(known.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
  }
  const padding = known.isProbabilistic
    ? {
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_AUTO,
      }
    : {};
  return verify(known.hash, signed, { key, ...padding }, signature);
}

function membersOf(text: string): JsonMembers | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonMembers) : undefined;
  } catch {
    // It is no JSON, and so no token of anybody.
    return undefined;
  }
}

/**
 * The name of a member that an object has twice, or one that is in it up to some levels below;
 * undefined where there is none. Readers differ in which of the two they believe.
 */
export function repeatedMember(text: string, levels: number): string | undefined {
  const cursor = new JsonCursor(text);
  let repeated: string | undefined;
  const walk = (levelsLeft: number): void => {
    if (cursor.peek() !== '{' || levelsLeft === 0) return cursor.skipValue();
    const seen = new Set<string>();
    cursor.forEachMember((name) => {
      if (seen.has(name)) repeated ??= name;
      seen.add(name);
      walk(levelsLeft - 1);
    });
  };
  cursor.skipSpace();
  walk(levels);
  return repeated;
}

/** Decoding forgives much; each token is to have one spelling. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
