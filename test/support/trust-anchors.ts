/** Certificates, keys and requests for rows about trust bundles and certificates of pods. */
import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  Pkcs10CertificateRequestGenerator,
  X509CertificateGenerator,
} from '@peculiar/x509';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate of an authority, or of nobody, in PEM. */
export async function certificatePem(isAuthority: boolean): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=anchor',
    keys,
    signingAlgorithm: CURVE,
    extensions: [new BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  return made.toString('pem');
}

/** A request for a certificate in DER, as base64. */
export async function stubRequest(): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: '',
    keys,
    signingAlgorithm: CURVE,
  });
  return Buffer.from(made.rawData).toString('base64');
}

/** A bare key, and the signature of a text by it, as base64. */
export function provenKey(text: string): { pkixPublicKey: string; proofOfPossession: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    pkixPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    proofOfPossession: sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}
