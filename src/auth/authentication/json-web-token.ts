/**
 * JSON web tokens in their compact form: read strictly, and verified with a key that is known
 * beforehand. What the token says of its key or algorithm only chooses among what the key can do.
 */
import { constants, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { JsonCursor } from '../../codec/json-cursor.ts';

export type JsonMembers = Readonly<Record<string, unknown>>;

export interface JsonWebToken {
  readonly algorithm: string;
  /** '' where the token names none. */
  readonly keyId: string;
  /** What it says, which is not to be believed before the signature is verified. */
  readonly claims: JsonMembers;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

interface Algorithm {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  /** Of elliptic curves, as the runtime calls it. */
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
  const parts = text.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) return undefined;
  const head = membersOf(header);
  const claims = membersOf(payload);
  const signatureBytes = decode(signature);
  if (head === undefined || claims === undefined || signatureBytes === undefined) return undefined;
  const { alg, kid } = head;
  // Extensions that must be understood: there are none here.
  if (typeof alg !== 'string' || Object.hasOwn(head, 'crit')) return undefined;
  return {
    algorithm: alg,
    keyId: typeof kid === 'string' ? kid : '',
    claims,
    signed: Buffer.from(text.slice(0, text.lastIndexOf('.'))),
    signature: signatureBytes,
  };
}

/** Whether a private key of this pair has signed the token. */
export function isSignedWith(
  { algorithm, signed, signature }: JsonWebToken,
  key: KeyObject,
): boolean {
  const known = ALGORITHMS.get(algorithm);
  if (known === undefined || known.keyType !== key.asymmetricKeyType) return false;
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

function membersOf(part: string): JsonMembers | undefined {
  const bytes = decode(part);
  if (bytes === undefined) return undefined;
  const text = bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !repeatsMember(text) ? (value as JsonMembers) : undefined;
  } catch {
    // It is no JSON, and so no token of anybody.
    return undefined;
  }
}

/** Readers differ in which of two members with one name they believe. */
function repeatsMember(text: string): boolean {
  const seen = new Set<string>();
  let repeats = false;
  const cursor = new JsonCursor(text);
  cursor.skipSpace();
  cursor.forEachMember((name) => {
    repeats ||= seen.has(name);
    seen.add(name);
    cursor.skipValue();
  });
  return repeats;
}

/** Decoding forgives much; each token is to have one spelling. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined;
}
