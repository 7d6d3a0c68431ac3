/**
 * StorageObjectInUseProtection: volumes and claims are held by finalizers from their creation on,
 * until controllers find that nobody uses them (src/controllers/README.md#volumes-in-use).
 */
import {
  CLAIM_FINALIZER,
  VOLUME_FINALIZER,
} from '../../../resources/core/volumes/volume-protection.ts';
import type { AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

export const STORAGE_OBJECT_IN_USE_PROTECTION: AdmissionPlugin = {
  admit({ resource, object }: Proposal): void {
    if (object === undefined) return;
    const finalizer = resource === 'persistentvolumes' ? VOLUME_FINALIZER : CLAIM_FINALIZER;
    const { finalizers = [] } = object.metadata;
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
  },
};
