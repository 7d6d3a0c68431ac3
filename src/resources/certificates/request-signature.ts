/** The key in a request for a certificate, and whether the request is signed with it. */
import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { DerError, DerReader, reworded, type DerValue } from './der.ts';

export interface Algorithm {
  readonly identifier: string;
  readonly parameters: DerValue | undefined;
}

export interface PublicKey {
  readonly algorithm: Algorithm;
  readonly bits: Buffer;
  /** With its algorithm. */
  readonly whole: Buffer;
}

export interface Signature {
  readonly algorithm: Algorithm;
  readonly bits: Buffer;
  /** The bytes that are signed. */
  readonly signed: Buffer;
}

/** Reads the next member as an algorithm identifier. */
export function readAlgorithm(holder: DerReader): Algorithm {
  const algorithm = holder.sequence('AlgorithmIdentifier');
  const identifier = algorithm.objectIdentifier();
  return { identifier, parameters: algorithm.isAtEnd ? undefined : algorithm.any() };
}

const RSA = '1.2.840.113549.1.1.1';
const ECDSA = '1.2.840.10045.2.1';
const ED25519 = '1.3.101.112';
const CURVES = new Set(['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35']);
const ED25519_BYTES = 32;
const EXPONENT_BYTES_MAX = 8;
const NULL = '0500';
const UNCOMPRESSED = 4;

/** Throws `DerError` for an invalid key; keys of rare types are not checked. */
export function checkKey(key: PublicKey): void {
  const { identifier, parameters } = key.algorithm;
  switch (identifier) {
    case RSA:
      if (parameters?.whole.toString('hex') !== NULL) {
        throw new DerError('x509: RSA key missing NULL parameters');
      }
      checkRsaKey(key.bits);
      return;
    case ECDSA:
      if (!CURVES.has(curveOf(parameters))) throw new DerError('x509: unsupported elliptic curve');
      if (key.bits[0] !== UNCOMPRESSED || readKey(key.whole) === undefined) {
        throw new DerError('x509: failed to unmarshal elliptic curve point');
      }
      return;
    case ED25519:
      if (parameters !== undefined) {
        throw new DerError('x509: Ed25519 key encoded with illegal parameters');
      }
      if (key.bits.length === ED25519_BYTES) return;
      throw new DerError('x509: wrong Ed25519 public key size');
  }
}

function checkRsaKey(bits: Buffer): void {
  const key = reworded('x509: invalid RSA public key', () => new DerReader(bits).sequence());
  const modulus = reworded('x509: invalid RSA modulus', () => key.integer(true));
  const exponentProblem = 'x509: invalid RSA public exponent';
  const exponent = reworded(exponentProblem, () => key.integer(true));
  if (exponent.length > EXPONENT_BYTES_MAX) throw new DerError(exponentProblem);
  if (!isPositive(modulus)) throw new DerError('x509: RSA modulus is not a positive number');
  if (!isPositive(exponent)) {
    throw new DerError('x509: RSA public exponent is not a positive number');
  }
}

function isPositive(integer: Buffer): boolean {
  return (integer[0] as number) < 0x80 && integer.some((byte) => byte !== 0);
}

function curveOf(parameters: DerValue | undefined): string {
  const { whole } = parameters ?? { whole: Buffer.alloc(0) };
  return reworded('x509: invalid ECDSA parameters', () => new DerReader(whole).objectIdentifier());
}

function readKey(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

interface Scheme {
  readonly type: 'RSA' | 'ECDSA' | 'Ed25519';
  readonly hash: string | null;
  /** The length of the salt, in bytes; absent for schemes without one. */
  readonly saltLength?: number;
}

const MD5_WITH_RSA = '1.2.840.113549.1.1.4';
const SALTED_RSA = '1.2.840.113549.1.1.10';
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['1.2.840.113549.1.1.5', { type: 'RSA', hash: 'sha1' }],
  ['1.3.14.3.2.29', { type: 'RSA', hash: 'sha1' }],
  ['1.2.840.113549.1.1.11', { type: 'RSA', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { type: 'RSA', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { type: 'RSA', hash: 'sha512' }],
  ['1.2.840.10045.4.1', { type: 'ECDSA', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { type: 'ECDSA', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { type: 'ECDSA', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { type: 'ECDSA', hash: 'sha512' }],
  [ED25519, { type: 'Ed25519', hash: null }],
]);
/** Schemes with a salt, by the hash that the parameters name. */
const SALTED_SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['2.16.840.1.101.3.4.2.1', { type: 'RSA', hash: 'sha256', saltLength: 32 }],
  ['2.16.840.1.101.3.4.2.2', { type: 'RSA', hash: 'sha384', saltLength: 48 }],
  ['2.16.840.1.101.3.4.2.3', { type: 'RSA', hash: 'sha512', saltLength: 64 }],
]);
/** The names that the reference has for types of keys, by algorithm. */
const KEY_TYPES: Readonly<Record<string, readonly [Scheme['type'], string]>> = {
  [RSA]: ['RSA', '*rsa.PublicKey'],
  [ECDSA]: ['ECDSA', '*ecdsa.PublicKey'],
  [ED25519]: ['Ed25519', 'ed25519.PublicKey'],
};
const VERIFICATION_ERRORS = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
} as const;
const CANNOT_VERIFY = 'x509: cannot verify signature';

/** Throws `DerError` where the signature is not one of the key. */
export function checkSignature({ algorithm, bits, signed }: Signature, key: PublicKey): void {
  if (algorithm.identifier === MD5_WITH_RSA) {
    throw new DerError(`${CANNOT_VERIFY}: insecure algorithm MD5-RSA`);
  }
  const scheme = schemeOf(algorithm);
  const keyType = KEY_TYPES[key.algorithm.identifier];
  if (scheme === undefined || keyType === undefined) {
    throw new DerError(`${CANNOT_VERIFY}: algorithm unimplemented`);
  }
  const { type, hash, saltLength } = scheme;
  if (keyType[0] !== type) {
    throw new DerError(
      `x509: signature algorithm specifies an ${type} public key, but have public key of type ` +
        keyType[1],
    );
  }
  const salt = saltLength && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  const read = readKey(key.whole);
  const isSigned = read !== undefined && verify(hash, signed, { key: read, ...salt }, bits);
  if (!isSigned) throw new DerError(VERIFICATION_ERRORS[type]);
}

function schemeOf({ identifier, parameters }: Algorithm): Scheme | undefined {
  if (identifier === ED25519 && parameters !== undefined) return undefined;
  if (identifier !== SALTED_RSA) return SCHEMES.get(identifier);
  try {
    return saltedScheme(new DerReader(parameters?.whole ?? Buffer.alloc(0)).sequence());
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

const MASK = '1.2.840.113549.1.1.8';

/** One hash for the message and the mask, and a salt that is as long. */
function saltedScheme(parameters: DerReader): Scheme | undefined {
  const hash = readAlgorithm(parameters.tagged(0));
  const mask = readAlgorithm(parameters.tagged(1));
  const [saltLength] = parameters.tagged(2).integer();
  const hashOfMask = readAlgorithm(new DerReader(mask.parameters?.whole ?? Buffer.alloc(0)));
  const isPlain = [hash, hashOfMask].every(
    ({ parameters: own }) => own === undefined || own.whole.toString('hex') === NULL,
  );
  const hasTrailer = !parameters.isAtEnd && parameters.tagged(3).integer()[0] !== 1;
  const areAlike = hashOfMask.identifier === hash.identifier && mask.identifier === MASK;
  if (!isPlain || !areAlike || hasTrailer) return undefined;
  const scheme = SALTED_SCHEMES.get(hash.identifier);
  return scheme?.saltLength === saltLength ? scheme : undefined;
}
