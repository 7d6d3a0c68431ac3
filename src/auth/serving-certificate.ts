/**
 * The certificate of HTTPS where none is given: an authority of the server's own, made once, signs
 * it. Clients trust the authority, which stays; the certificate is made anew when the names of the
 * server change or its end is near.
 */
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIP } from 'node:net';
import type { X509CertificateGenerator } from '@peculiar/x509';
import { parseIp } from '../semantics/ip-address.ts';
import { writePrivate } from './credentials.ts';

const DAY_MS = 86_400_000;
const AUTHORITY_MS = 3_650 * DAY_MS;
/** Some clients take no certificate of a server that is valid for longer than 825 days. */
const SERVER_MS = 730 * DAY_MS;
/** What ends sooner is made anew at a start: the server may then run for so long. */
const REMAINING_MS_MIN = 365 * DAY_MS;
/** Clocks of clients may be behind. */
const BACKDATED_MS = 3_600_000;
const SERIAL_BYTES = 16;
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };

export interface ServingCertificateOptions {
  readonly dataDir: string;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly nowMs: number;
}

export interface ServingCertificateFiles {
  /** What clients are to trust. */
  readonly authorityFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Files of an authority that cannot be used; `message` says what to do. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

type Library = typeof import('@peculiar/x509');
type Extensions = NonNullable<
  Parameters<(typeof X509CertificateGenerator)['create']>[0]['extensions']
>;

interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * `tls.crt` and `tls.key` in the data folder, signed by `ca.crt`. Only a start that makes one loads
 * the library, which takes longer than the rest of a start. Throws CertificateError.
 */
export async function servingCertificate(
  options: ServingCertificateOptions,
): Promise<ServingCertificateFiles> {
  const { dataDir, names, nowMs } = options;
  const authority = pairIn(dataDir, 'ca');
  const server = pairIn(dataDir, 'tls');
  const files = { authorityFile: authority.certFile, ...server };
  const endMs = existsSync(authority.certFile) ? endOf(authority.certFile) : 0;
  const isNew = endMs !== undefined && endMs < nowMs + REMAINING_MS_MIN;
  if (!isNew && servesNames(server, authority, names, nowMs)) return files;
  const library = await import('@peculiar/x509');
  if (isNew) await makeAuthority(library, authority, nowMs);
  await makeServer(library, server, readAuthority(authority), options);
  return files;
}

function pairIn(dataDir: string, name: string): Pair {
  return { certFile: join(dataDir, `${name}.crt`), keyFile: join(dataDir, `${name}.key`) };
}

/** When a certificate ends; undefined where there is none to be read. */
function endOf(certFile: string): number | undefined {
  const certificate = readCertificate(certFile);
  return certificate && Date.parse(certificate.validTo);
}

function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}

function ownsKey(certificate: X509Certificate, keyFile: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
  } catch {
    return false;
  }
}

/** Whether there is a certificate of the authority for exactly these names, and for long enough. */
function servesNames(
  { certFile, keyFile }: Pair,
  authority: Pair,
  names: readonly string[],
  nowMs: number,
): boolean {
  const certificate = readCertificate(certFile);
  const issuer = readCertificate(authority.certFile);
  if (certificate === undefined || issuer === undefined || certificate.ca) return false;
  const isSigned = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  if (!isSigned || !ownsKey(certificate, keyFile)) return false;
  if (Date.parse(certificate.validTo) < nowMs + REMAINING_MS_MIN) return false;
  const served = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return nameSet(served) === nameSet(names);
}

/** The same text for the same names, however addresses are spelled. */
function nameSet(names: readonly string[]): string {
  const texts = names.map((name) => {
    const ip = parseIp(name);
    return ip === undefined ? name : `${ip.family} ${ip.value}`;
  });
  return [...new Set(texts)].sort().join(', ');
}

/** Throws CertificateError: what clients have been told to trust is not replaced unasked. */
function readAuthority({ certFile, keyFile }: Pair): { certificate: string; key: KeyObject } {
  const certificate = readCertificate(certFile);
  if (certificate?.ca !== true || !ownsKey(certificate, keyFile)) {
    throw new CertificateError(
      `${keyFile} and ${certFile} are no key and certificate of an authority: restore them, or ` +
        'remove both to get a new one, which all clients must then be given',
    );
  }
  return { certificate: certificate.toString(), key: createPrivateKey(readFileSync(keyFile)) };
}

async function makeAuthority(library: Library, files: Pair, nowMs: number): Promise<void> {
  const { BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } = library;
  const keys = await newKeys();
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    // Two authorities that somebody trusts should differ in their names too.
    name: [{ CN: [`shardplane-ca@${Math.floor(nowMs / 1000)}`] }],
    ...validity(nowMs, nowMs + AUTHORITY_MS),
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(
        KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
        true,
      ),
      await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writePair(files, certificate.toString('pem'), keys);
}

async function makeServer(
  library: Library,
  files: Pair,
  authority: { readonly certificate: string; readonly key: KeyObject },
  { names, nowMs }: ServingCertificateOptions,
): Promise<void> {
  const issuer = new library.X509Certificate(authority.certificate);
  const keys = await newKeys();
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    authority.key.export({ type: 'pkcs8', format: 'der' }),
    KEY_ALGORITHM,
    false,
    ['sign'],
  );
  const endMs = Math.min(nowMs + SERVER_MS, issuer.notAfter.getTime());
  const certificate = await library.X509CertificateGenerator.create({
    subject: [{ CN: ['shardplane'] }],
    issuer: issuer.subjectName,
    ...validity(nowMs, endMs),
    publicKey: keys.publicKey,
    signingKey,
    extensions: await serverExtensions(library, issuer, keys, names),
  });
  writePair(files, certificate.toString('pem'), keys);
}

async function serverExtensions(
  library: Library,
  issuer: InstanceType<Library['X509Certificate']>,
  keys: webcrypto.CryptoKeyPair,
  names: readonly string[],
): Promise<Extensions> {
  const { KeyUsageFlags, ExtendedKeyUsage } = library;
  return [
    new library.BasicConstraintsExtension(false, undefined, true),
    new library.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new library.ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
    await library.AuthorityKeyIdentifierExtension.create(issuer),
    new library.SubjectAlternativeNameExtension(
      [...new Set(names)].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
    ),
  ];
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

/** What all certificates have in common. */
function validity(nowMs: number, endMs: number) {
  const serial = randomBytes(SERIAL_BYTES);
  // The number is positive, and has no zeros in front.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return {
    serialNumber: serial.toString('hex'),
    notBefore: new Date(nowMs - BACKDATED_MS),
    notAfter: new Date(endMs),
    signingAlgorithm: SIGNING_ALGORITHM,
  };
}

/** The certificate last: without it there is no pair. */
function writePair(
  files: Pair,
  certificate: string,
  { privateKey }: webcrypto.CryptoKeyPair,
): void {
  const pem = KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' });
  writePrivate(files.keyFile, pem.toString());
  writeFileSync(files.certFile, `${certificate.trimEnd()}\n`);
}
