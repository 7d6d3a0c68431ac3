/**
 * PodGroupProtection: groups of pods are held by a finalizer from their creation on, until a
 * controller finds that no pod is of them (src/controllers/README.md#groups-in-use).
 */
import { GROUP_FINALIZER } from '../../../resources/scheduling/group-protection.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

export const POD_GROUP_PROTECTION: AdmissionPlugin = {
  admit({ object }: Proposal): void {
    if (object === undefined) return;
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(GROUP_FINALIZER)) return;
    object.metadata.finalizers = [...finalizers, GROUP_FINALIZER];
  },
};
