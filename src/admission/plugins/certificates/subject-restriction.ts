/**
 * CertificateSubjectRestriction: nobody asks for a client certificate of the group that may do
 * everything.
 */
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import { PRIVILEGED_GROUP } from '../../../auth/fixed-authorizers.ts';
import { readSigningRequest } from '../../../auth/signing-request.ts';
import { CLIENT_SIGNER } from '../../../resources/certificates/signer-names.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

export const CERTIFICATE_SUBJECT_RESTRICTION: AdmissionPlugin = {
  /** Rejects with StatusError 403. */
  validate(proposal: Proposal): void | Promise<void> {
    const { spec = {} } = proposal.object as CertificateSigningRequest;
    return spec.signerName === CLIENT_SIGNER ? check(proposal, spec.request ?? '') : undefined;
  },
};

async function check(proposal: Proposal, request: string): Promise<void> {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const organizations = await readSigningRequest(pem).then(
    (asked) => asked.organizations,
    (error: unknown) => {
      throw refused(proposal, `failed to parse CSR: ${(error as Error).message}`);
    },
  );
  if (!organizations.includes(PRIVILEGED_GROUP)) return;
  const what = `use of ${CLIENT_SIGNER} signer with ${PRIVILEGED_GROUP} group`;
  throw refused(proposal, `${what} is not allowed`);
}
