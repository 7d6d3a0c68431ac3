/** Keys that sign and verify tokens of service accounts, as files hold them (PEM). */
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { privateKeyOf } from '../../private-key.ts';

/** A key that cannot be used; `message` says why. */
export class TokenKeyError extends Error {
  override readonly name = 'TokenKeyError';
}

/** A public key, with what tokens that are signed with its private one say of it. */
export interface TokenKey {
  readonly publicKey: KeyObject;
  readonly keyId: string;
  /** That it signs with. Others of the same kind of keys are verified too. */
  readonly algorithm: string;
}

export interface SigningKey extends TokenKey {
  readonly privateKey: KeyObject;
  readonly hash: string;
}

/** A public key as others check tokens with it. */
export interface PublicKeyJwk extends JsonWebKey {
  readonly use: 'sig';
  readonly kid: string;
  readonly alg: string;
}

const CURVE_ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
/** Blocks that stand beside keys in files, and say nothing of their own. */
const NOT_A_KEY = 'EC PARAMETERS';

/** A new private key on the curve P-256, as PEM. */
export function newTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The first private key of a file. Throws TokenKeyError. */
export function signingKeyOf(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = privateKeyOf(keyBlocks(pem)[0] ?? pem);
  } catch (error) {
    throw new TokenKeyError(`it has no private key that can be read (${(error as Error).message})`);
  }
  const key = tokenKeyOf(createPublicKey(privateKey));
  return { ...key, privateKey, hash: `sha${key.algorithm.slice(2)}` };
}

/** All keys of a file, of certificates and private keys too. Throws TokenKeyError. */
export function verifyingKeysOf(pem: string): readonly TokenKey[] {
  const blocks = keyBlocks(pem);
  if (blocks.length === 0) throw new TokenKeyError('it has no keys');
  return blocks.map((block) => {
    try {
      return tokenKeyOf(createPublicKey(block));
    } catch (error) {
      if (error instanceof TokenKeyError) throw error;
      throw new TokenKeyError(`it has a key that cannot be read (${(error as Error).message})`);
    }
  });
}

export function publicKeyJwk({ publicKey, keyId, algorithm }: TokenKey): PublicKeyJwk {
  const { kty = '', crv, ...numbers } = publicKey.export({ format: 'jwk' });
  const curve = crv === undefined ? {} : { crv };
  return { use: 'sig', kty, kid: keyId, ...curve, alg: algorithm, ...numbers };
}

function keyBlocks(pem: string): readonly string[] {
  return [...pem.matchAll(BLOCK)].filter(([, label]) => label !== NOT_A_KEY).map(([text]) => text);
}

function tokenKeyOf(publicKey: KeyObject): TokenKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha256').update(der).digest('base64url');
  return { publicKey, keyId, algorithm: algorithmOf(publicKey) };
}

function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  const algorithm = CURVE_ALGORITHMS.get(curve);
  if (algorithm === undefined) {
    const what = curve === '' ? key.asymmetricKeyType : `on the curve ${curve}`;
    throw new TokenKeyError(`a key is ${what}: give RSA keys, or keys on P-256, P-384 or P-521`);
  }
  return algorithm;
}
