/** Requests for certificates as clients make them. */
import { KeyObject, webcrypto } from 'node:crypto';
import {
  Name,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import type { JsonGeneralNames } from '@peculiar/x509';

const KEYS = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const;

export interface RequestFacts {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly names?: JsonGeneralNames;
  readonly keys?: keyof typeof KEYS;
}

export interface MadeRequest {
  /** PEM. */
  readonly request: string;
  /** PEM. */
  readonly key: string;
}

export async function madeRequest({
  user = '',
  groups = [],
  names = [],
  keys: type = 'ec',
}: RequestFacts): Promise<MadeRequest> {
  const algorithm = KEYS[type];
  const usages = ['sign', 'verify'] as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, usages);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: new Name([
      ...groups.map((utf8String) => ({ O: [{ utf8String }] })),
      ...(user === '' ? [] : [{ CN: [{ utf8String: user }] }]),
    ]),
    keys,
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { request: request.toString('pem'), key: key.toString() };
}
