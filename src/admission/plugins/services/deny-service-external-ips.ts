/** DenyServiceExternalIPs: a service keeps the external addresses that it has, and gets no more. */
import type { Service } from '#messages/core.v1';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

export const DENY_SERVICE_EXTERNAL_IPS: AdmissionPlugin = {
  /** Throws StatusError 403. */
  validate(proposal: Proposal): void {
    const { externalIPs = [] } = (proposal.object as Service).spec ?? {};
    const { externalIPs: stored = [] } = (proposal.oldObject as Service | undefined)?.spec ?? {};
    if (externalIPs.every((ip) => stored.includes(ip))) return;
    throw refused(proposal, 'Use of external IPs is denied by admission control');
  },
};
