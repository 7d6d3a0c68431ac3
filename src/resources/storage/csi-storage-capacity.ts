/** CSIStorageCapacity (README.md#storage). */
import type { CSIStorageCapacity } from '#messages/storage.v1beta1';
import { quantitySign } from '../../codec/leaves/quantity.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  NOT_NEGATIVE,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabelSelector } from '../../semantics/metadata/label-validation.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { nodeSelectorWarnings } from '../core/nodes/node-labels.ts';
import { defineKind } from '../kind.ts';

export const CSI_STORAGE_CAPACITY = defineKind<CSIStorageCapacity>({
  group: ownGroup('storage.cluster.io'),
  version: 'v1beta1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  message: 'storage.v1beta1.CSIStorageCapacity',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  otherVersions: [{ version: 'v1alpha1' }, { version: 'v1' }],

  ...(ownRelease().has('warnedVolumes')
    ? { createWarnings: topologyWarnings, updateWarnings: topologyWarnings }
    : {}),

  validate(object) {
    const errors: FieldError[] = [];
    checkLabelSelector(object.nodeTopology, 'nodeTopology', errors);
    const { storageClassName = '', capacity } = object;
    addProblems(dnsSubdomain(storageClassName), 'storageClassName', storageClassName, errors);
    if (capacity !== undefined && quantitySign(capacity) < 0) {
      errors.push(invalid('capacity', capacity, NOT_NEGATIVE));
    }
    return errors;
  },
});

function topologyWarnings({ nodeTopology = {} }: CSIStorageCapacity): string[] {
  return nodeSelectorWarnings(nodeTopology, 'nodeTopology');
}
