/** Whether the certificate and the key of a Secret belong together, in the reference's words. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { pemBlocks, readCertificate } from '../certificates/certificate-pem.ts';

const KEY_TYPE = 'PRIVATE KEY';
/** The kinds of bytes that a key comes in. */
const KEY_FORMATS = ['pkcs1', 'pkcs8', 'sec1'] as const;

/** Finds what is wrong with the pair of PEM texts; '' for nothing. */
export function keyPairProblem(certificatePem: string, keyPem: string): string {
  const certificates = pemBlocks(certificatePem);
  const first = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (first === undefined) return noCertificate(certificates.map(({ type }) => type));
  const keys = pemBlocks(keyPem);
  const keyBlock = keys.find(({ type }) => type === KEY_TYPE || type.endsWith(` ${KEY_TYPE}`));
  if (keyBlock === undefined) return noKey(keys.map(({ type }) => type));
  const certificate = readCertificate(first.der);
  if (certificate === undefined) return 'x509: malformed certificate';
  const key = readKey(keyBlock.der);
  if (key === undefined) return 'tls: failed to parse private key';
  const { publicKey } = certificate;
  if (key.asymmetricKeyType !== publicKey.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  const isPair = createPublicKey(key).equals(publicKey);
  return isPair ? '' : 'tls: private key does not match public key';
}

function noCertificate(skipped: readonly string[]): string {
  const [only, ...more] = skipped;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (more.length === 0 && only.endsWith(KEY_TYPE)) {
    return (
      'tls: failed to find certificate PEM data in certificate input, but did find a private ' +
      'key; PEM inputs may have been switched'
    );
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input ${after(skipped)}`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return (
    `tls: failed to find PEM block with type ending in "${KEY_TYPE}" in key input ` + after(skipped)
  );
}

function after(skipped: readonly string[]): string {
  return `after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

/** Undefined where it is no key that can be read. */
function readKey(der: Buffer): KeyObject | undefined {
  for (const type of KEY_FORMATS) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // It may be of the next kind.
    }
  }
  return undefined;
}
