/** AlwaysDeny: refuses every write, to try out what clients do then. */
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

export const ALWAYS_DENY: AdmissionPlugin = {
  /** Throws StatusError 403. */
  admit(proposal: Proposal): void {
    throw refused(proposal, 'admission control is denying all modifications');
  },
};
