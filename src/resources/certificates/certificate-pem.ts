/** PEM texts of requests and certificates, as base64 (README.md#certificates). */
import { X509Certificate } from 'node:crypto';
import { checkRequest } from './certificate-request.ts';
import { DerError } from './der.ts';

const BLOCK = /-----BEGIN ([^\n-]*)-----\r?\n([^-]*)-----END \1-----/g;

interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

/** '' or what is wrong with the text of a request. */
export function requestProblem(base64: string): string {
  const [block] = blocksOf(base64);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return 'PEM block type must be CERTIFICATE REQUEST';
  }
  try {
    checkRequest(block.der);
    return '';
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

/** '' or what is wrong with an issued certificate; none is fine. */
export function certificateProblem(base64: string): string {
  if (base64 === '') return '';
  const blocks = blocksOf(base64);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    }
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (der.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (!isCertificate(der)) return 'x509: malformed certificate';
  }
  return '';
}

function blocksOf(base64: string): PemBlock[] {
  return pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
}

/** The blocks of a text, which may hold more; those with headers are not decoded. */
export function pemBlocks(pem: string): PemBlock[] {
  return [...pem.matchAll(BLOCK)].map(([, type = '', body = '']) => {
    const hasHeaders = body.includes(':');
    return { type, hasHeaders, der: Buffer.from(hasHeaders ? '' : body, 'base64') };
  });
}

function isCertificate(der: Buffer): boolean {
  return readCertificate(der) !== undefined;
}

/** Undefined where it cannot be read. */
export function readCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}
