import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const selector = (requirement: Change): Change => ({
  nodeTopology: { matchExpressions: [requirement] },
});

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSIStorageCapacity',
  minimal: { storageClassName: 'fast' },
  minimalStored: { storageClassName: 'fast' },
  full: {
    nodeTopology: {
      matchLabels: { 'example.com/zone': 'a' },
      matchExpressions: [
        { key: 'rack', operator: 'In', values: ['r1', 'r2'] },
        { key: 'tainted', operator: 'DoesNotExist' },
      ],
    },
    storageClassName: 'fast.example.com',
    capacity: '1536Gi',
    maximumVolumeSize: '1Ti',
  },
  invalid: [
    [
      'CSIStorageCapacity: the name "must be a DNS subdomain"',
      { metadata: { name: 'Csisc_1' } },
      [`metadata.name: Invalid value: "Csisc_1": ${SUBDOMAIN_HINT}`],
    ],
    [
      'CSIStorageCapacity, Limits: the name has "at most 253 characters"',
      { metadata: { name: 'a'.repeat(254) } },
      [
        `metadata.name: Invalid value: "${'a'.repeat(254)}": ` +
          'must be no more than 253 characters',
      ],
    ],
    [
      'CSIStorageCapacity: the recommended names are names',
      { metadata: { name: 'csisc-2c5b1a3e.disk.csi.example.com' } },
      [],
    ],
    [
      'CSIStorageCapacity: storageClassName is required',
      { storageClassName: undefined },
      [
        `storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'CSIStorageCapacity: storageClassName is "Non-empty"',
      { storageClassName: '' },
      [
        `storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'CSIStorageCapacity: storageClassName is a "DNS subdomain"',
      { storageClassName: 'Fast' },
      [`storageClassName: Invalid value: "Fast": ${SUBDOMAIN_HINT}`],
    ],
    ['CSIStorageCapacity: capacity may be zero', { capacity: '0' }, []],
    [
      '14.2: capacity ≥ 0',
      { capacity: '-1Gi' },
      ['capacity: Invalid value: "-1Gi": must be greater than or equal to 0'],
    ],
    ['maximumVolumeSize is not checked', { maximumVolumeSize: '-1' }, []],
    ['CSIStorageCapacity: an empty selector is a selector', { nodeTopology: {} }, []],
    [
      '14.2: nodeTopology is a valid selector: operators',
      selector({ key: 'a', operator: 'Gt', values: ['1'] }),
      [
        'nodeTopology.matchExpressions[0].operator: Invalid value: "Gt": ' +
          'not a valid selector operator',
      ],
    ],
    [
      '14.2: nodeTopology is a valid selector: values of In',
      selector({ key: 'a', operator: 'In' }),
      [
        'nodeTopology.matchExpressions[0].values: Required value: ' +
          "must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    [
      '14.2: nodeTopology is a valid selector: no values of Exists',
      selector({ key: 'a', operator: 'Exists', values: ['b'] }),
      [
        'nodeTopology.matchExpressions[0].values: Forbidden: ' +
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
  ],
  updates: [
    [
      'CSIStorageCapacity: capacity may change, and become unset',
      { capacity: '1Gi' },
      { capacity: undefined, maximumVolumeSize: '5Gi' },
      [],
    ],
    [
      'CSIStorageCapacity: storageClassName is "Immutable"',
      {},
      { storageClassName: 'slow' },
      ['storageClassName: Invalid value: "slow": field is immutable'],
    ],
    [
      'CSIStorageCapacity: nodeTopology is "Immutable"',
      { nodeTopology: { matchLabels: { zone: 'a' } } },
      { nodeTopology: { matchLabels: { zone: 'b' } } },
      ['nodeTopology: Invalid value: {"matchLabels":{"zone":"b"}}: field is immutable'],
    ],
    [
      'CSIStorageCapacity: "Unset" is not an "Empty selector"',
      {},
      { nodeTopology: {} },
      ['nodeTopology: Invalid value: {}: field is immutable'],
    ],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
    ],
  ],
};
