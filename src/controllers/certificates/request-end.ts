/**
 * When a request for a certificate has served its time (src/controllers/README.md#certificates).
 */
import { X509Certificate } from 'node:crypto';
import type { CertificateSigningRequest } from '#messages/certificates.v1';

const HOUR_MS = 3_600_000;
const PENDING_MS = 24 * HOUR_MS;
const DECIDED_MS = HOUR_MS;

/** Undefined for never. */
export function requestEndMs({
  metadata,
  status: { conditions = [], certificate = '' } = {},
}: CertificateSigningRequest): number | undefined {
  const isIssued = certificate !== '';
  const ends = conditions
    .filter(({ type }) => type === 'Denied' || type === 'Failed' || (isIssued && isApproval(type)))
    .map(({ lastUpdateTime = '' }) => Date.parse(lastUpdateTime) + DECIDED_MS);
  if (conditions.length === 0) ends.push(Date.parse(metadata.creationTimestamp ?? '') + PENDING_MS);
  if (isIssued && conditions.some(({ type }) => isApproval(type))) {
    ends.push(certificateEndMs(certificate));
  }
  const known = ends.filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? undefined : Math.min(...known);
}

function isApproval(type: string | undefined): boolean {
  return type === 'Approved';
}

/** NaN for what is no certificate. */
function certificateEndMs(base64: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(base64, 'base64')).validTo);
  } catch {
    return Number.NaN;
  }
}
