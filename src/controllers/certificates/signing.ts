/** Signs approved requests for certificates (src/controllers/README.md#certificates). */
import type { CertificateSigningRequestStatus } from '#messages/certificates.v1';
import { signRequest } from '../../auth/signing-request.ts';
import type { SigningRequest } from '../../auth/signing-request.ts';
import { signingAuthority } from '../../auth/certificate-authority.ts';
import type { SigningSettings } from '../../auth/certificate-authority.ts';
import type { Ports } from '../run-controller.ts';
import { handleOpenRequests, type ParsedRequest } from './open-requests.ts';
import { SIGNER_RULES } from './signers.ts';

const DURATION_MS_MIN = 600_000;

export interface SigningOptions {
  readonly signing: SigningSettings;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/**
 * Resolves when it was told to stop. Rejects with CertificateError where there is no authority in
 * the files that were given.
 */
export async function signApprovedRequests(ports: Ports, options: SigningOptions): Promise<void> {
  const { signing, nowMs, logError } = options;
  // The own one is made when it is needed.
  if (signing.certFile !== '') await signingAuthority(signing, nowMs());
  await handleOpenRequests(ports, {
    isOpen: isToBeSigned,
    handle: async (request, asked, client) => {
      const { name = '' } = request.metadata;
      const status = await signedStatus(request, asked, options);
      await client.update({ namespace: '', name }, { ...request, status }, 'status');
    },
    logError,
  });
}

function isToBeSigned({ spec = {}, status = {} }: ParsedRequest): boolean {
  const has = (wanted: string): boolean =>
    status.conditions?.some(({ type }) => type === wanted) === true;
  return SIGNER_RULES.has(spec.signerName ?? '') && has('Approved') && !has('Failed');
}

/** With the certificate, or why there is none. */
async function signedStatus(
  { spec = {}, status = {} }: ParsedRequest,
  asked: SigningRequest,
  { signing, nowMs }: SigningOptions,
): Promise<CertificateSigningRequestStatus> {
  const { signerName = '', usages = [], expirationSeconds } = spec;
  const problem = SIGNER_RULES.get(signerName)?.(asked, usages) ?? '';
  if (problem !== '') {
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure' };
    return {
      ...status,
      conditions: [...(status.conditions ?? []), { ...failed, message: problem }],
    };
  }
  const durationMs = durationOf(expirationSeconds, signing.durationMs);
  const authority = await signingAuthority(signing, nowMs());
  const pem = await signRequest(authority, asked, { usages, durationMs, nowMs: nowMs() });
  return { ...status, certificate: Buffer.from(pem).toString('base64') };
}

function durationOf(seconds: number | undefined, durationMs: number): number {
  if (seconds === undefined) return durationMs;
  return Math.min(Math.max(seconds * 1000, DURATION_MS_MIN), durationMs);
}
