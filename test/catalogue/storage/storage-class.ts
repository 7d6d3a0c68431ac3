import type { Change, KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const ZONE = { key: 'zone', values: ['a', 'b'] };
const topologies = (...terms: Change[][]): Change => ({
  allowedTopologies: terms.map((matchLabelExpressions) => ({ matchLabelExpressions })),
});
const AT = 'allowedTopologies[0].matchLabelExpressions[0]';

export const CASES: KindCases = {
  apiVersion: 'storage.cluster.io/v1',
  kind: 'StorageClass',
  minimal: { provisioner: 'disk.csi.example.com' },
  minimalStored: {
    provisioner: 'disk.csi.example.com',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  },
  full: {
    provisioner: 'example.com/disk',
    parameters: { fsType: 'ext4', type: 'ssd' },
    reclaimPolicy: 'Retain',
    mountOptions: ['discard', 'no such option'],
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    ...topologies([ZONE, { key: 'example.com/rack', values: ['r1'] }], [ZONE]),
  },
  invalid: [
    ['an empty policy is one', { reclaimPolicy: '' }, []],
    [
      'an empty term, compared with as many as there are terms',
      { allowedTopologies: [{}] },
      ['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
    ],
    [
      'StorageClass: "The name is the class name"',
      { metadata: { name: 'Fast' } },
      [`metadata.name: Invalid value: "Fast": ${SUBDOMAIN_HINT}`],
    ],
    [
      'StorageClass: provisioner is required',
      { provisioner: undefined },
      ['provisioner: Required value'],
    ],
    [
      '14.2: provisioner is a qualified name',
      { provisioner: 'a b' },
      [`provisioner: Invalid value: "a b": ${NAME_PART_HINT}`],
    ],
    ['14.2: it is compared lower-cased', { provisioner: 'Example.com/NFS' }, []],
    ['StorageClass: "An empty list means no restriction"', { allowedTopologies: [] }, []],
    [
      'StorageClass: key is required in a topology term',
      topologies([{ values: ['a'] }]),
      [
        'allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "": name part must be non-empty',
        `allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    [
      'StorageClass: values are required in a topology term',
      topologies([{ key: 'zone' }]),
      [`${AT}.values: Required value`],
    ],
    [
      '14.2: duplicate topology terms, whatever their order',
      topologies([ZONE], [{ key: 'zone', values: ['b', 'a'] }]),
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
    [
      '14.2: duplicate values',
      topologies([{ key: 'zone', values: ['a', 'a'] }]),
      [`${AT}.values[1]: Duplicate value: "a"`],
    ],
    [
      '14.2: duplicate keys',
      topologies([ZONE, { key: 'zone', values: ['c'] }]),
      ['allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"'],
    ],
    [
      'StorageClass: mountOptions are "not validated"',
      { mountOptions: ['', 'no such option'] },
      [],
    ],
    [
      '14.1: at most 512 parameters',
      { parameters: Object.fromEntries([...Array(513).keys()].map((key) => [`k${key}`, ''])) },
      ['parameters: Too long: must have at most 512 bytes'],
    ],
    [
      '14.1: exactly 262144 bytes of parameters are accepted',
      { parameters: { type: 'x'.repeat(262_140) } },
      [],
    ],
    [
      '14.1: at most 262144 bytes of parameters',
      { parameters: { type: 'x'.repeat(262_141) } },
      ['parameters: Too long: must have at most 262144 bytes'],
    ],
    [
      '14.1: no empty key of a parameter',
      { parameters: { '': 'x' } },
      ['parameters: Invalid value: "": field can not be empty.'],
    ],
    [
      '13.4: reclaimPolicy of a class is Delete or Retain',
      { reclaimPolicy: 'Recycle' },
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      '13.4: volumeBindingMode is Immediate or WaitForFirstConsumer',
      { volumeBindingMode: 'VolumeBindingImmediate' },
      [
        'volumeBindingMode: Unsupported value: "VolumeBindingImmediate": ' +
          'supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
  ],
  updates: [
    [
      '14.2: provisioner is fixed',
      {},
      { provisioner: 'other' },
      ['provisioner: Forbidden: updates to provisioner are forbidden.'],
    ],
    [
      '14.2: parameters are fixed',
      { parameters: { type: 'ssd' } },
      { parameters: { type: 'hdd' } },
      ['parameters: Forbidden: updates to parameters are forbidden.'],
    ],
    [
      'reference: no parameters are others than none',
      {},
      { parameters: {} },
      ['parameters: Forbidden: updates to parameters are forbidden.'],
    ],
    [
      '14.2: reclaimPolicy is fixed',
      {},
      { reclaimPolicy: 'Retain' },
      ['reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.'],
    ],
    [
      '14.2: volumeBindingMode is immutable',
      {},
      { volumeBindingMode: 'WaitForFirstConsumer' },
      ['volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable'],
    ],
    [
      '14.2: allowVolumeExpansion, mountOptions, allowedTopologies are mutable',
      {},
      { allowVolumeExpansion: true, mountOptions: ['discard'], ...topologies([ZONE]) },
      [],
    ],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
};
