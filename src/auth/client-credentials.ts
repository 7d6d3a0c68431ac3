/** Certificates by which people and programs say who they are (README.md#certificates). */
import { KeyObject, X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  backdated,
  certificateLibrary,
  newKeys,
  ownAuthority,
  pairIn,
  signCertificate,
  signingAuthority,
} from './certificate-authority.ts';
import type { SigningSettings } from './certificate-authority.ts';
import { kubeconfigText } from './credentials.ts';
import { writePrivate } from './own-files.ts';

const FOLDER = 'clients';
const PRIVATE_FOLDER = 0o700;

export interface ClientName {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ClientCredentialsOptions extends ClientName {
  readonly signing: SigningSettings;
  /** Where clients reach the server: `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The certificate that they are to trust; '' for the server's own authority. */
  readonly authorityFile: string;
  readonly nowMs: number;
}

export interface ClientFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** With the certificate and the key in it: it can be given away alone. */
  readonly kubeconfig: string;
  /** The authority that the server has to know. */
  readonly signerFile: string;
  readonly validToMs: number;
}

/**
 * Makes a key, and a certificate for a user in groups. Throws CertificateError when the authority
 * cannot sign.
 */
export async function writeClientCredentials(
  options: ClientCredentialsOptions,
): Promise<ClientFiles> {
  const { user, groups, signing, nowMs } = options;
  const folder = join(signing.dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const { KeyUsageFlags, ExtendedKeyUsage } = await certificateLibrary();
  const keys = await newKeys();
  const signer = await signingAuthority(signing, nowMs);
  const certificate = await signCertificate(signer, {
    // As objects: plain texts are read as a notation, in which `#` and `\` mean something.
    subject: [
      ...groups.map((utf8String) => ({ O: [{ utf8String }] })),
      { CN: [{ utf8String: user }] },
    ],
    publicKey: keys.publicKey,
    notBeforeMs: backdated(nowMs),
    notAfterMs: nowMs + signing.durationMs,
    keyUsage: KeyUsageFlags.digitalSignature,
    extendedKeyUsages: [ExtendedKeyUsage.clientAuth],
    alternativeNames: [],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  const { certFile, keyFile } = pairIn(folder, fileName(user));
  const kubeconfig = join(folder, `${fileName(user)}.kubeconfig`);
  writePrivate(keyFile, key);
  writePrivate(certFile, certificate);
  const authorityFile = options.authorityFile || (await ownAuthorityFile(signing.dataDir, nowMs));
  const server = { server: options.server, authorityFile };
  writePrivate(
    kubeconfig,
    kubeconfigText(server, user, {
      'client-certificate-data': base64(certificate),
      'client-key-data': base64(key),
    }),
  );
  const validToMs = Date.parse(new X509Certificate(certificate).validTo);
  const { certFile: signerFile } =
    signing.certFile === '' ? pairIn(signing.dataDir, 'ca') : signing;
  return { certFile, keyFile, kubeconfig, signerFile, validToMs };
}

/** A name that no two users share, and that stays in its folder. */
function fileName(user: string): string {
  return encodeURIComponent(user).replaceAll('%3A', ':').replaceAll('%40', '@');
}

async function ownAuthorityFile(dataDir: string, nowMs: number): Promise<string> {
  await ownAuthority(dataDir, nowMs);
  return pairIn(dataDir, 'ca').certFile;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
