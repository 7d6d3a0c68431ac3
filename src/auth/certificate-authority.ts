/**
 * Authorities and what they sign. The server has one of its own in its data folder, which is made
 * once; people may give it another one (README.md#certificates).
 */
import { KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ExtendedKeyUsage,
  JsonGeneralNames,
  JsonNameParams,
  PublicKey,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { isThere, writePrivate } from './own-files.ts';
import { privateKeyOf } from './private-key.ts';

const DAY_MS = 86_400_000;
const AUTHORITY_MS = 3_650 * DAY_MS;
/** Clocks of clients may be behind. */
const BACKDATED_MS = 3_600_000;
const SERIAL_BYTES = 16;
/** The prefix of the names of the server's own authorities. */
const OWN_NAME = 'shardplane-ca';
const NEW_AUTHORITY =
  'restore them, or remove both to get a new one, which all clients must then be given';
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
/** Parameters for signing with a key, by its curve as the runtime calls it. */
const CURVES: Readonly<Record<string, { namedCurve: string; hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

export type CertificateLibrary = typeof import('@peculiar/x509');
type Extension = NonNullable<
  Parameters<(typeof X509CertificateGenerator)['create']>[0]['extensions']
>[number];

/** Files (PEM). */
export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Files of an authority that cannot be used; `message` says what to do. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** An authority that can sign. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
}

/** The contents of a new certificate. */
export interface CertificateContent {
  readonly subject: JsonNameParams;
  readonly publicKey: webcrypto.CryptoKey | PublicKey;
  readonly notBeforeMs: number;
  /** The end of the authority comes first where that is sooner. */
  readonly notAfterMs: number;
  /** Flags of KeyUsageFlags; 0 for none. */
  readonly keyUsage: number;
  readonly extendedKeyUsages: readonly (ExtendedKeyUsage | string)[];
  readonly alternativeNames: JsonGeneralNames;
}

/** It takes longer to load than all the rest of a start, so that only who makes one loads it. */
export function certificateLibrary(): Promise<CertificateLibrary> {
  return import('@peculiar/x509');
}

export function pairIn(folder: string, name: string): CertificatePair {
  return { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
}

/**
 * The server's own authority, made where there is none or it ends within that time. Throws
 * CertificateError when it is damaged: what clients were told to trust is not replaced unasked.
 */
export async function ownAuthority(
  dataDir: string,
  nowMs: number,
  remainingMs = 0,
): Promise<Authority> {
  const files = pairIn(dataDir, 'ca');
  if (isMissing(files, pairIn(dataDir, 'tls'))) {
    throw new CertificateError(`${files.certFile} is missing: ${NEW_AUTHORITY}`);
  }
  const endMs = isThere(files.certFile) ? endOf(files.certFile) : 0;
  if (endMs !== undefined && endMs < nowMs + remainingMs) await makeAuthority(files, nowMs);
  if (endMs === undefined) throw noAuthority(files, NEW_AUTHORITY);
  return readAuthority(files, NEW_AUTHORITY);
}

/** Throws CertificateError where its key is another one, though nothing has to be signed now. */
export function checkOwnKey(dataDir: string): void {
  const files = pairIn(dataDir, 'ca');
  const certificate = readCertificate(files.certFile);
  const isOther = certificate !== undefined && !ownsKey(certificate, files.keyFile);
  // People may keep it elsewhere until it is needed.
  if (isOther && isThere(files.keyFile)) throw noAuthority(files, NEW_AUTHORITY);
}

/** Its key is written before it is, and what it signs is written after it. */
function isMissing({ certFile, keyFile }: CertificatePair, signed: CertificatePair): boolean {
  return !isThere(certFile) && isThere(keyFile) && isThere(signed.certFile);
}

/** The settings of the authority that signs for others than this server. */
export interface SigningSettings {
  readonly dataDir: string;
  /** Files of the authority and its key; '' for the server's own. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The longest time for which a certificate is valid. */
  readonly durationMs: number;
}

/** Reads it anew each time: its files may change while the server runs. Throws CertificateError. */
export async function signingAuthority(
  { dataDir, certFile, keyFile }: SigningSettings,
  nowMs: number,
): Promise<Authority> {
  if (certFile === '') return ownAuthority(dataDir, nowMs);
  return readAuthority({ certFile, keyFile }, 'give those of one');
}

/** When the own authority ends; undefined where it is damaged. */
function endOf(certFile: string): number | undefined {
  const certificate = readCertificate(certFile);
  return certificate && isIntact(certificate) ? Date.parse(certificate.validTo) : undefined;
}

/** Whether one that has signed itself is as it was signed. */
export function isIntact(certificate: X509Certificate): boolean {
  const { subject, issuer } = certificate;
  const isOwn = subject === issuer || [subject, issuer].some((name) => name.includes(OWN_NAME));
  return !isOwn || isSignedBy(certificate, certificate);
}

/** Whether it was signed with the key of the other one. */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    // It is no key.
    return false;
  }
}

/** Undefined where there is none to be read. */
export function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Undefined where there is none to be read. */
export function readKey(file: string): KeyObject | undefined {
  try {
    return privateKeyOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

export function ownsKey(certificate: X509Certificate, keyFile: string): boolean {
  const key = readKey(keyFile);
  return key !== undefined && certificate.checkPrivateKey(key);
}

/** Throws CertificateError, which ends with what to do about it. */
export function readAuthority(files: CertificatePair, advice: string): Authority {
  const { certFile, keyFile } = files;
  const certificate = readCertificate(certFile);
  const key = readKey(keyFile);
  const isOne = certificate?.ca === true && key !== undefined && certificate.checkPrivateKey(key);
  if (!isOne) throw noAuthority(files, advice);
  return { certificate: certificate.toString(), key };
}

function noAuthority({ certFile, keyFile }: CertificatePair, advice: string): CertificateError {
  return new CertificateError(
    `${keyFile} and ${certFile} are no key and certificate of an authority: ${advice}`,
  );
}

async function makeAuthority(files: CertificatePair, nowMs: number): Promise<void> {
  const library = await certificateLibrary();
  const { BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags: flags } = library;
  const keys = await newKeys();
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    // Two authorities that somebody trusts should differ in their names too.
    name: [{ CN: [`${OWN_NAME}@${Math.floor(nowMs / 1000)}`] }],
    serialNumber: newSerialNumber(),
    notBefore: new Date(backdated(nowMs)),
    notAfter: new Date(nowMs + AUTHORITY_MS),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(flags.digitalSignature | flags.keyCertSign | flags.cRLSign, true),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writePair(files, certificate.toString('pem'), keys);
}

/**
 * A certificate (PEM) that the authority signs, for who is no authority. Rejects with
 * CertificateError where the authority has ended.
 */
export async function signCertificate(
  authority: Authority,
  content: CertificateContent,
): Promise<string> {
  const library = await certificateLibrary();
  const issuer = new library.X509Certificate(authority.certificate);
  const endMs = issuer.notAfter.getTime();
  if (content.notBeforeMs >= endMs) {
    throw new CertificateError(`the authority has ended on ${issuer.notAfter.toISOString()}`);
  }
  const { key, algorithm } = await signingKey(authority.key);
  const certificate = await library.X509CertificateGenerator.create({
    subject: new library.Name(content.subject),
    issuer: issuer.subjectName,
    serialNumber: newSerialNumber(),
    notBefore: new Date(content.notBeforeMs),
    notAfter: new Date(Math.min(content.notAfterMs, endMs)),
    signingAlgorithm: algorithm,
    publicKey: content.publicKey,
    signingKey: key,
    extensions: await extensionsOf(library, issuer, content),
  });
  return `${certificate.toString('pem').trimEnd()}\n`;
}

async function extensionsOf(
  library: CertificateLibrary,
  issuer: InstanceType<CertificateLibrary['X509Certificate']>,
  { publicKey, keyUsage, extendedKeyUsages, alternativeNames }: CertificateContent,
): Promise<Extension[]> {
  const extensions: Extension[] = [new library.BasicConstraintsExtension(false, undefined, true)];
  if (keyUsage !== 0) extensions.push(new library.KeyUsagesExtension(keyUsage, true));
  if (extendedKeyUsages.length > 0) {
    extensions.push(new library.ExtendedKeyUsageExtension([...extendedKeyUsages]));
  }
  extensions.push(await library.SubjectKeyIdentifierExtension.create(publicKey));
  const signer = issuer.getExtension(library.SubjectKeyIdentifierExtension);
  if (signer !== null) {
    extensions.push(new library.AuthorityKeyIdentifierExtension(signer.keyId));
  }
  if (alternativeNames.length > 0) {
    extensions.push(new library.SubjectAlternativeNameExtension(alternativeNames));
  }
  return extensions;
}

async function signingKey(
  key: KeyObject,
): Promise<{ readonly key: webcrypto.CryptoKey; readonly algorithm: webcrypto.EcdsaParams }> {
  const algorithm = signingAlgorithm(key);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return {
    key: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    algorithm,
  };
}

function signingAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  const { [asymmetricKeyDetails?.namedCurve ?? '']: curve } = CURVES;
  if (curve !== undefined) return { name: 'ECDSA', ...curve };
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  throw new CertificateError(
    `a key of an authority must be RSA or on a NIST curve, and is ${asymmetricKeyType}`,
  );
}

/** The key and, last, the certificate: without it there is no pair. */
export function writePair(
  files: CertificatePair,
  certificate: string,
  { privateKey }: webcrypto.CryptoKeyPair,
): void {
  const pem = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' });
  writePrivate(files.keyFile, pem.toString());
  writePrivate(files.certFile, `${certificate.trimEnd()}\n`);
}

export function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

/** From when a certificate that is made now is valid. */
export function backdated(nowMs: number): number {
  return nowMs - BACKDATED_MS;
}

/** It is positive, and has no zeros in front. */
function newSerialNumber(): string {
  const serial = randomBytes(SERIAL_BYTES);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial.toString('hex');
}
