/**
 * Checks the right to approve and sign requests for certificates: a right to a signer, by its name.
 */
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { ownGroup } from '../../../semantics/dialect/own-names.ts';
import type { AdmissionContext } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

const GROUP = ownGroup('certificates.cluster.io');

/**
 * Rejects with StatusError 403 unless the user has the right to do that for the signer of the
 * request, or for all of its domain.
 */
export async function checkSigner(
  { authorizer }: Pick<AdmissionContext, 'authorizer'>,
  proposal: Proposal,
  verb: 'approve' | 'sign',
): Promise<void> {
  // The stored signer counts, so that nobody chooses another one by the request.
  const { spec } = proposal.oldObject as CertificateSigningRequest;
  const { signerName = '' } = spec ?? {};
  const [domain] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    const { verdict } = await authorizer().authorize({
      user: proposal.user,
      verb,
      isResource: true,
      namespace: '',
      group: GROUP,
      version: '*',
      resource: 'signers',
      subresource: '',
      name,
      path: '',
    });
    if (verdict === 'allow') return;
  }
  const what = `requests with signerName ${quoteText(signerName)}`;
  throw refused(proposal, `user not permitted to ${verb} ${what}`);
}
