/** The key of a PodCertificateRequest, and the proof that the pod has it. */
import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { PodCertificateRequestSpec } from '#messages/certificates.v1beta1';
import { ownRelease } from '../../release/release.ts';
import {
  invalid,
  invalidOmitted,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { readRequest } from './certificate-request.ts';
import { DerError } from './der.ts';
import { checkSignature } from './request-signature.ts';

const REQUEST = 'spec.stubPKCS10Request';
const KEY = 'spec.pkixPublicKey';
const PROOF = 'spec.proofOfPossession';
const BYTES_MAX = 10_240;
const RSA_BITS = [3072, 4096];
/** The names of the curves, as OpenSSL and as the reference call them. */
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};
const OTHER_CURVES: Readonly<Record<string, string>> = { secp224r1: 'P-224' };

/** Adds the problems of the key: by a request, or by itself with a signature. */
export function checkPodKey(spec: PodCertificateRequestSpec, errors: FieldError[]): void {
  const request = Buffer.from(spec.stubPKCS10Request ?? '', 'base64');
  const key = Buffer.from(spec.pkixPublicKey ?? '', 'base64');
  const proof = Buffer.from(spec.proofOfPossession ?? '', 'base64');
  const takesRequests = ownRelease().has('requestsForPods');
  const hasKey = key.length > 0 && proof.length > 0;
  if (takesRequests && request.length > 0 && key.length === 0 && proof.length === 0) {
    checkStub(request, errors);
  } else if (!takesRequests || (request.length === 0 && hasKey)) {
    checkPlainKey(key, proof, spec.podUID ?? '', errors);
  } else {
    const detail =
      'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
    errors.push(invalidOmitted('spec', detail));
  }
}

function checkStub(request: Buffer, errors: FieldError[]): void {
  if (request.length > BYTES_MAX) {
    errors.push(tooLong(REQUEST, BYTES_MAX));
    return;
  }
  let read: ReturnType<typeof readRequest>;
  try {
    read = readRequest(request);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    errors.push(invalidOmitted(REQUEST, 'must be a valid PKCS#10 CSR'));
    return;
  }
  const key = readPublicKey(read.key.whole);
  const problem = keyProblem(key, REQUEST, 'P256, P384, or P521');
  if (problem !== undefined) {
    errors.push(problem);
    return;
  }
  try {
    checkSignature(read.signature, read.key);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    errors.push(invalidOmitted(REQUEST, 'invalid signature'));
  }
}

function checkPlainKey(key: Buffer, proof: Buffer, podUid: string, errors: FieldError[]): void {
  for (const [bytes, field] of [
    [key, KEY],
    [proof, PROOF],
  ] as const) {
    if (bytes.length <= BYTES_MAX) continue;
    errors.push(tooLong(field, BYTES_MAX));
    return;
  }
  const read = readPublicKey(key);
  if (read === undefined) {
    const shown = key.toString('base64');
    errors.push(invalid(KEY, shown, 'must be a valid PKIX-serialized public key'));
    return;
  }
  const problem = keyProblem(read, KEY, 'P256 or P384');
  if (problem !== undefined) errors.push(problem);
  else if (!isProof(read, proof, podUid)) {
    errors.push(invalidOmitted(PROOF, 'could not verify proof-of-possession signature'));
  }
}

/** Undefined where it cannot be read. */
export function readPublicKey(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function keyProblem(
  key: KeyObject | undefined,
  field: string,
  curves: string,
): FieldError | undefined {
  const { namedCurve = '', modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'ec': {
      if (CURVES[namedCurve] !== undefined) return undefined;
      const name = `curve ${OTHER_CURVES[namedCurve] ?? namedCurve}`;
      return invalid(field, name, `elliptic public keys must use curve ${curves}`);
    }
    case 'rsa': {
      const bits = Math.ceil(modulusLength / 8) * 8;
      if (RSA_BITS.includes(bits)) return undefined;
      const detail = 'RSA keys must have modulus size 3072 or 4096';
      return invalid(field, `${bits}-bit modulus`, detail);
    }
    default:
      return invalidOmitted(
        field,
        'unknown public key type; supported types are Ed25519, ECDSA, and RSA',
      );
  }
}

function isProof(key: KeyObject, proof: Buffer, podUid: string): boolean {
  const signed = Buffer.from(podUid);
  const isRsa = key.asymmetricKeyType === 'rsa';
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const salt = isRsa && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_AUTO,
  };
  return verify(hash, signed, { key, ...salt }, proof);
}
