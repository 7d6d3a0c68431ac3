/** DefaultStorageClass: a claim that names no class gets the one that is marked as the default. */
import type { PersistentVolumeClaim } from '#messages/core.v1';
import { hasStorageClass } from '../../../resources/core/volumes/claim-class.ts';
import { DEFAULT_CLASS_MARKS } from '../../../resources/storage/storage-class.ts';
import type { FollowedType } from '../../../replicas/follow-type.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';
import { DefaultClasses } from './default-classes.ts';

export class DefaultStorageClass implements AdmissionPlugin {
  readonly knows: readonly FollowedType[];
  readonly #classes: DefaultClasses;

  constructor({ follow }: Pick<AdmissionContext, 'follow'>) {
    this.#classes = new DefaultClasses(
      follow,
      'storageclasses.storage.cluster.io',
      DEFAULT_CLASS_MARKS,
    );
    this.knows = [this.#classes.followed];
  }

  /** Throws StatusError 403 where several are marked. */
  admit(proposal: Proposal): void {
    const claim = proposal.object as PersistentVolumeClaim;
    if (hasStorageClass(claim)) return;
    const { count, only } = this.#classes;
    if (count > 1) {
      const why = `Internal error occurred: ${count} default StorageClasses were found`;
      throw refused(proposal, why);
    }
    if (only !== undefined) claim.spec = { ...claim.spec, storageClassName: only };
  }
}
