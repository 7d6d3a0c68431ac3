/**
 * The certificate of HTTPS where none is given: an authority of the server's own, made once, signs
 * it. Clients trust the authority, which stays; the certificate is made anew when the names of the
 * server change or its end is near.
 */
import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseIp } from '../semantics/validation/ip-address.ts';
import {
  backdated,
  certificateLibrary,
  checkOwnKey,
  isIntact,
  isSignedBy,
  newKeys,
  ownAuthority,
  ownsKey,
  pairIn,
  readCertificate,
  readKey,
  signCertificate,
  writePair,
} from './certificate-authority.ts';
import type { CertificatePair } from './certificate-authority.ts';

const DAY_MS = 86_400_000;
/** Some clients take no certificate of a server that is valid for longer than 825 days. */
const SERVER_MS = 730 * DAY_MS;
/** A certificate that ends sooner is made anew at a start: the server may then run for so long. */
const REMAINING_MS_MIN = 365 * DAY_MS;

export interface ServingCertificateOptions {
  readonly dataDir: string;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly nowMs: number;
}

export interface ServingCertificateFiles {
  /** The file of the authority that clients are to trust. */
  readonly authorityFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * `tls.crt` and `tls.key` in the data folder, signed by `ca.crt`. Throws CertificateError.
 */
export async function servingCertificate({
  dataDir,
  names,
  nowMs,
}: ServingCertificateOptions): Promise<ServingCertificateFiles> {
  const authority = pairIn(dataDir, 'ca');
  const server = pairIn(dataDir, 'tls');
  checkOwnKey(dataDir);
  if (!servesNames(server, authority, names, nowMs))
    await makeServer(server, dataDir, names, nowMs);
  return { authorityFile: authority.certFile, ...server };
}

/** Whether there is a certificate of the authority for exactly these names, and for long enough. */
function servesNames(
  { certFile, keyFile }: CertificatePair,
  authority: CertificatePair,
  names: readonly string[],
  nowMs: number,
): boolean {
  const certificate = readCertificate(certFile);
  const issuer = readCertificate(authority.certFile);
  if (certificate === undefined || issuer === undefined || certificate.ca) return false;
  if (!isIntact(issuer) || !isAsWritten(certificate, certFile, keyFile)) return false;
  const isSigned = certificate.checkIssued(issuer) && isSignedBy(certificate, issuer);
  if (!isSigned || !ownsKey(certificate, keyFile)) return false;
  if (Date.parse(certificate.validTo) < nowMs + REMAINING_MS_MIN) return false;
  const served = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return nameSet(served) === nameSet(names);
}

/** Tells whether the files are in the usual form: the HTTP library may not read other ones. */
function isAsWritten(certificate: X509Certificate, certFile: string, keyFile: string): boolean {
  const key = readKey(keyFile)?.export({ type: 'pkcs8', format: 'pem' }).toString();
  if (key === undefined) return false;
  const isSame = (file: string, pem: string): boolean =>
    readFileSync(file, 'utf8').trimEnd() === pem.trimEnd();
  return isSame(certFile, certificate.toString()) && isSame(keyFile, key);
}

/** The names as a text that is equal for the same names, however addresses are spelled. */
function nameSet(names: readonly string[]): string {
  const texts = names.map((name) => {
    const ip = parseIp(name);
    return ip === undefined ? name : `${ip.family} ${ip.value}`;
  });
  return [...new Set(texts)].sort().join(', ');
}

async function makeServer(
  files: CertificatePair,
  dataDir: string,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  const { KeyUsageFlags, ExtendedKeyUsage } = await certificateLibrary();
  const authority = await ownAuthority(dataDir, nowMs, REMAINING_MS_MIN);
  const keys = await newKeys();
  const certificate = await signCertificate(authority, {
    subject: [{ CN: ['shardplane'] }],
    publicKey: keys.publicKey,
    notBeforeMs: backdated(nowMs),
    notAfterMs: nowMs + SERVER_MS,
    keyUsage: KeyUsageFlags.digitalSignature,
    extendedKeyUsages: [ExtendedKeyUsage.serverAuth],
    alternativeNames: [...new Set(names)].map((value) => ({
      type: isIP(value) === 0 ? 'dns' : 'ip',
      value,
    })),
  });
  writePair(files, certificate, keys);
}
