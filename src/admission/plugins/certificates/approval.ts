/** CertificateApproval: who approves or denies a request has the right to `approve` its signer. */
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { checkSigner } from './signer-permission.ts';

export class CertificateApproval implements AdmissionPlugin {
  readonly #context: Pick<AdmissionContext, 'authorizer'>;

  constructor(context: Pick<AdmissionContext, 'authorizer'>) {
    this.#context = context;
  }

  /** Rejects with StatusError 403. */
  async validate(proposal: Proposal): Promise<void> {
    await checkSigner(this.#context, proposal, 'approve');
  }
}
