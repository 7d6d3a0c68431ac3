/**
 * CertificateSigning: who issues a certificate, or says what has become of a request, has the right
 * to `sign` for its signer.
 */
import type { CertificateSigningRequest } from '#messages/certificates.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { checkSigner } from './signer-permission.ts';

export class CertificateSigning implements AdmissionPlugin {
  readonly #context: Pick<AdmissionContext, 'authorizer'>;

  constructor(context: Pick<AdmissionContext, 'authorizer'>) {
    this.#context = context;
  }

  /** Rejects with StatusError 403. */
  validate(proposal: Proposal): void | Promise<void> {
    const { status: stored = {} } = proposal.oldObject as CertificateSigningRequest;
    const { status = {} } = proposal.object as CertificateSigningRequest;
    const isSigned = (status.certificate ?? '') !== (stored.certificate ?? '');
    if (!isSigned && deepEqual(status.conditions, stored.conditions)) return undefined;
    return checkSigner(this.#context, proposal, 'sign');
  }
}
