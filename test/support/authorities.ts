/** Authorities that a test makes, and certificates that they sign. */
import { KeyObject, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Extension, JsonName, X509Certificate } from '@peculiar/x509';

const DAY_MS = 86_400_000;
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };
const USAGES = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1' };

/** Both in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWishes {
  readonly subject: JsonName;
  /** DNS names. */
  readonly names?: readonly string[];
  /** Every one where none is given. */
  readonly usage?: keyof typeof USAGES;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

export interface Authority extends Pair {
  /** A certificate that it signs. */
  sign(wishes: CertificateWishes): Promise<Pair>;
  /** Another authority, below it; `pathLength` of them may follow that. */
  below(name: string, pathLength?: number): Promise<Authority>;
}

export function makeAuthority(name: string): Promise<Authority> {
  return authority(name, undefined, undefined);
}

/** Writes the two files of a pair; gives their names. */
export function writePair(
  folder: string,
  name: string,
  { cert, key }: Pair,
): { certFile: string; keyFile: string } {
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.keyFile, key);
  writeFileSync(files.certFile, cert);
  return files;
}

interface Signer {
  readonly certificate: X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

async function authority(
  name: string,
  issuer: Signer | undefined,
  pathLength: number | undefined,
): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await signed({ subject: [{ CN: [name] }] }, keys, issuer, [
    new BasicConstraintsExtension(true, pathLength, true),
  ]);
  const signer = { certificate, key: keys.privateKey };
  return {
    ...pairOf(certificate, keys),
    below: (other, length) => authority(other, signer, length),
    sign: async (wishes) => {
      const own = await newKeys();
      const { usage, names = [] } = wishes;
      const extensions = [
        new BasicConstraintsExtension(false),
        ...(usage === undefined ? [] : [new ExtendedKeyUsageExtension([USAGES[usage]])]),
        ...(names.length === 0
          ? []
          : [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))]),
      ];
      return pairOf(await signed(wishes, own, signer, extensions), own);
    },
  };
}

function signed(
  { subject, fromMs, untilMs }: CertificateWishes,
  keys: webcrypto.CryptoKeyPair,
  issuer: Signer | undefined,
  extensions: Extension[],
): Promise<X509Certificate> {
  return X509CertificateGenerator.create({
    subject,
    issuer: issuer?.certificate.subjectName ?? subject,
    notBefore: new Date(fromMs ?? Date.now() - DAY_MS),
    notAfter: new Date(untilMs ?? Date.now() + DAY_MS),
    publicKey: keys.publicKey,
    signingKey: issuer?.key ?? keys.privateKey,
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions,
  });
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

function pairOf(certificate: X509Certificate, { privateKey }: webcrypto.CryptoKeyPair): Pair {
  const key = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: `${certificate.toString('pem')}\n`, key };
}
