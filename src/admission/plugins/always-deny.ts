/** AlwaysDeny: refuses every write, to try out what clients do then. */
import { forbidden } from '../../semantics/status.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Proposal } from '../proposal.ts';

export const ALWAYS_DENY: AdmissionPlugin = {
  /** Throws StatusError 403. */
  admit(proposal: Proposal): void {
    throw forbidden(
      proposal.groupResource,
      proposal.shownName,
      'admission control is denying all modifications',
    );
  },
};
