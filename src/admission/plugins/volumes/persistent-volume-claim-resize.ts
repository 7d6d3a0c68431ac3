/** PersistentVolumeClaimResize: a claim may grow where its class says that volumes can. */
import type { PersistentVolumeClaim } from '#messages/core.v1';
import type { StorageClass } from '#messages/storage.v1';
import { compareQuantities } from '../../../codec/leaves/quantity.ts';
import { storageClassOf } from '../../../resources/core/volumes/claim-class.ts';
import type { FollowedType, TypeIndex } from '../../../replicas/follow-type.ts';
import type { AdmissionContext, AdmissionPlugin } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { refused } from '../../refused.ts';

const NOT_BOUND = 'Only bound persistent volume claims can be expanded';
const NOT_RESIZABLE =
  'only dynamically provisioned pvc can be resized and ' +
  'the storageclass that provisions the pvc must support resize';

export class PersistentVolumeClaimResize implements AdmissionPlugin, TypeIndex {
  readonly knows: readonly FollowedType[];
  readonly #growing = new Set<string>();

  constructor({ follow }: Pick<AdmissionContext, 'follow'>) {
    this.knows = [follow('storageclasses.storage.cluster.io', this)];
  }

  put({ metadata: { name = '' }, allowVolumeExpansion }: StorageClass): void {
    if (allowVolumeExpansion === true) this.#growing.add(name);
    else this.#growing.delete(name);
  }

  remove({ metadata: { name = '' } }: StorageClass): void {
    this.#growing.delete(name);
  }

  /** Throws StatusError 403. */
  validate(proposal: Proposal): void {
    const claim = proposal.object as PersistentVolumeClaim;
    const stored = proposal.oldObject as PersistentVolumeClaim;
    if (compareQuantities(sizeOf(claim), sizeOf(stored)) <= 0) return;
    if (stored.status?.phase !== 'Bound') throw refused(proposal, NOT_BOUND);
    const name = storageClassOf(claim);
    const isGrowing = name === storageClassOf(stored) && this.#growing.has(name);
    if (!isGrowing) throw refused(proposal, NOT_RESIZABLE);
  }
}

function sizeOf({ spec }: PersistentVolumeClaim): string {
  return spec?.resources?.requests?.['storage'] ?? '0';
}
