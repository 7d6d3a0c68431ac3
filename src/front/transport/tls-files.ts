/**
 * The files that HTTPS is made from: read and checked as a whole, and again when they change
 * (../README.md#https).
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { certificatesIn } from '../../auth/client-authorities.ts';
import type { TrustedAuthorities } from '../../auth/client-authorities.ts';
import { privateKeyOf } from '../../auth/private-key.ts';
import { parseIp } from '../../semantics/validation/ip-address.ts';
import type { Tls } from './tls.ts';

/** A certificate and its key, or authorities, cannot be used; `message` names the file. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
}

/** Both in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The contents of the files. */
export interface TlsMaterial {
  readonly pair: KeyPair;
  /** By names in lower case, the first label of which may be `*`. */
  readonly pairsByName: ReadonlyMap<string, KeyPair>;
  readonly trusted: TrustedAuthorities;
}

/** Looked for by name, so that links which are turned elsewhere count too. */
const LOOK_MS = 1_000;
const DNS_NAME = /^(?:\*|(?:\*\.)?[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)$/;

/** Throws TlsFileError. */
export function readTls(tls: Tls): TlsMaterial {
  return {
    pair: readPair(tls),
    pairsByName: readNamedPairs(tls),
    trusted: {
      clients: readAuthorities(tls.clientAuthorityFile),
      frontProxy: readAuthorities(tls.proxyAuthorityFile),
    },
  };
}

/**
 * Calls `onChange` with what the files say whenever that has changed, and `onError` with one line
 * where it cannot be used. Returns what ends it.
 */
export function watchTls(
  tls: Tls,
  onChange: (material: TlsMaterial) => void,
  onError: (text: string) => void,
): () => void {
  const files = filesOf(tls);
  const look = (): void => {
    try {
      onChange(readTls(tls));
    } catch (error) {
      onError(`HTTPS goes on as it was: ${(error as Error).message}`);
    }
  };
  for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  return () => {
    for (const file of files) unwatchFile(file, look);
  };
}

function filesOf(tls: Tls): readonly string[] {
  const { clientAuthorityFile, proxyAuthorityFile } = tls;
  const pairs = [tls, ...tls.namedPairs].flatMap(({ certFile, keyFile }) => [certFile, keyFile]);
  const files = [...pairs, clientAuthorityFile, proxyAuthorityFile];
  return [...new Set(files)].filter((file) => file !== '');
}

function readPair({ certFile, keyFile }: { certFile: string; keyFile: string }): KeyPair {
  const cert = readFile(certFile, 'the certificate');
  const key = readFile(keyFile, 'the private key');
  const certificate = check(() => firstOf(cert), `${certFile} is no certificate`);
  const privateKey = check(() => privateKeyOf(key), `${keyFile} is no private key`);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TlsFileError(`${keyFile} is not the private key of ${certFile}`);
  }
  return { cert, key };
}

/** The certificate itself; what follows in the file must be certificates too. */
function firstOf(pem: string): X509Certificate {
  certificatesIn(pem);
  return new X509Certificate(pem);
}

/** Names that are given win over those of certificates, and the first pair over later ones. */
function readNamedPairs({ namedPairs }: Tls): ReadonlyMap<string, KeyPair> {
  const given = new Map<string, KeyPair>();
  const found = new Map<string, KeyPair>();
  for (const { names, ...files } of namedPairs.toReversed()) {
    const pair = readPair(files);
    for (const name of names) given.set(name.toLowerCase(), pair);
    if (names.length > 0) continue;
    for (const name of namesOf(new X509Certificate(pair.cert))) found.set(name, pair);
  }
  return new Map([...found, ...given]);
}

/** The common name, where it can be a name of DNS, and those that the certificate is for. */
function namesOf(certificate: X509Certificate): readonly string[] {
  const { subject, subjectaltname = '' } = certificate.toLegacyObject();
  const common = [subject.CN ?? []].flat().filter((name) => parseIp(name) === undefined);
  const names = subjectaltname.split(', ').filter((name) => name.startsWith('DNS:'));
  return [...common, ...names.map((name) => name.slice('DNS:'.length))]
    .map((name) => name.toLowerCase())
    .filter((name) => DNS_NAME.test(name));
}

function readAuthorities(file: string): readonly X509Certificate[] {
  if (file === '') return [];
  const pem = readFile(file, 'the authorities of clients');
  const found = check(() => certificatesIn(pem), `${file} has what is no certificate`);
  if (found.length === 0) throw new TlsFileError(`${file} has no certificate (PEM)`);
  return found;
}

function readFile(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TlsFileError(`cannot read ${what} ${file}: ${(error as Error).message}`);
  }
}

function check<T>(parse: () => T, problem: string): T {
  try {
    return parse();
  } catch (error) {
    throw new TlsFileError(`${problem} (PEM): ${(error as Error).message}`);
  }
}
