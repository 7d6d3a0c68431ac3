import type { KindCases } from '../../support/kind-cases.ts';

const CLASS = { provisioner: 'csi.example.com' };
const STORED = { ...CLASS, reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'StorageClass',
  minimal: CLASS,
  minimalStored: STORED,
  full: STORED,
  invalid: [],
  updates: [
    [
      'class: stays as it is',
      {},
      { provisioner: 'other.example.com', parameters: { a: 'b' }, reclaimPolicy: 'Retain' },
      [
        'parameters: Invalid value: {"a":"b"}: field is immutable',
        'provisioner: Invalid value: "other.example.com": field is immutable',
        'reclaimPolicy: Invalid value: "Retain": field is immutable',
      ],
    ],
  ],
};
