// SPEC "StorageClass", "VolumeAttachment", "CSIStorageCapacity" and API-FACTS 14.1, 14.2.
import t from 'tap';
import { CSI_STORAGE_CAPACITY } from '../../src/resources/storage/csi-storage-capacity.ts';
import { STORAGE_CLASS } from '../../src/resources/storage/storage-class.ts';
import { VOLUME_ATTACHMENT } from '../../src/resources/storage/volume-attachment.ts';
import { KindRules, type Change } from './kind-rules.ts';

const bytes = (count: number): string => 'x'.repeat(count);

t.test('rules of a StorageClass', async (t) => {
  const rules = new KindRules(STORAGE_CLASS, {
    provisioner: 'csi.example.com',
    parameters: { type: 'ssd' },
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  });
  const zone = { key: 'zone', values: ['a', 'b'] };
  const at = 'allowedTopologies';
  rules.checkCreates(t, [
    ['SPEC: provisioner required', { provisioner: '' }, ['provisioner: Required value']],
    ['14.2: provisioner is compared lower-cased', { provisioner: 'Example.com/NFS' }, []],
    [
      '14.1: at most 512 parameters',
      { parameters: Object.fromEntries([...Array(512).keys()].map((key) => [`k${key}`, ''])) },
      ['parameters: Too long: must have at most 512 bytes'],
    ],
    [
      '14.1: at most 262144 bytes of parameters',
      { parameters: { type: bytes(262_141) } },
      ['parameters: Too long: must have at most 262144 bytes'],
    ],
    [
      '14.1: no empty key',
      { parameters: { '': 'x' } },
      ['parameters: Invalid value: "": field can not be empty.'],
    ],
    [
      '14.2: reclaimPolicy',
      { reclaimPolicy: 'Recycle' },
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      '13.4: volumeBindingMode',
      { volumeBindingMode: 'VolumeBindingImmediate' },
      [
        'volumeBindingMode: Unsupported value: "VolumeBindingImmediate": ' +
          'supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    ['SPEC: an empty list is no restriction', { allowedTopologies: [] }, []],
    ['SPEC: mountOptions are not validated', { mountOptions: ['', 'no such option'] }, []],
    [
      'SPEC: key and values of a topology term required',
      { allowedTopologies: [{ matchLabelExpressions: [{}] }] },
      [
        `${at}[0].matchLabelExpressions[0].key: Required value`,
        `${at}[0].matchLabelExpressions[0].values: Required value`,
      ],
    ],
    [
      '14.2: duplicate terms, whatever their order',
      {
        allowedTopologies: [
          { matchLabelExpressions: [zone] },
          { matchLabelExpressions: [{ ...zone, values: ['b', 'a'] }] },
        ],
      },
      [`${at}[1].matchLabelExpressions: Duplicate value: ""`],
    ],
    [
      'duplicate keys and values',
      {
        allowedTopologies: [{ matchLabelExpressions: [zone, { key: 'zone', values: ['c', 'c'] }] }],
      },
      [
        `${at}[0].matchLabelExpressions[1].values[1]: Duplicate value: "c"`,
        `${at}[0].matchLabelExpressions[1].key: Duplicate value: "zone"`,
      ],
    ],
  ]);
  t.match(rules.create({ provisioner: 'a b' })[0], /^provisioner: Invalid value: "a b": name part/);
  rules.checkUpdates(t, [
    [
      '14.2: provisioner, parameters, reclaimPolicy',
      {},
      { provisioner: 'other', parameters: undefined, reclaimPolicy: 'Retain' },
      [
        'parameters: Forbidden: updates to parameters are forbidden.',
        'provisioner: Forbidden: updates to provisioner are forbidden.',
        'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
      ],
    ],
    [
      '14.2: volumeBindingMode',
      {},
      { volumeBindingMode: 'WaitForFirstConsumer' },
      ['volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable'],
    ],
    [
      '14.2: allowVolumeExpansion, mountOptions, allowedTopologies are mutable',
      {},
      {
        allowVolumeExpansion: true,
        mountOptions: ['discard'],
        allowedTopologies: [{ matchLabelExpressions: [zone] }],
      },
      [],
    ],
  ]);
});

t.test('rules of a VolumeAttachment', async (t) => {
  const rules = new KindRules(VOLUME_ATTACHMENT, {
    spec: {
      attacher: 'csi.example.com',
      nodeName: 'n1',
      source: { persistentVolumeName: 'pv-1' },
    },
    status: { attached: false },
  });
  const source = (change: Change): Change => ({ spec: { source: change } });
  const inline = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'v' } };
  const oneOf = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const at = 'spec.source.inlineVolumeSpec';
  rules.checkCreates(t, [
    [
      'SPEC: attacher, source and nodeName required',
      { spec: undefined },
      [
        'spec.attacher: Required value',
        'spec.source: Required value',
        'spec.nodeName: Required value',
      ],
    ],
    [
      'SPEC: one source member',
      source({ persistentVolumeName: undefined }),
      [`spec.source: Required value: ${oneOf}`],
    ],
    [
      'SPEC: exactly one source member',
      source({ inlineVolumeSpec: inline }),
      [`spec.source: Forbidden: ${oneOf}`],
    ],
    [
      'a volume has a name',
      source({ persistentVolumeName: '' }),
      [
        'spec.source.persistentVolumeName: Required value: ' +
          'must specify non empty persistentVolumeName',
      ],
    ],
    [
      'SPEC: an inline volume',
      source({ persistentVolumeName: undefined, inlineVolumeSpec: inline }),
      [],
    ],
    [
      'an inline volume is no claim and has no capacity',
      source({
        persistentVolumeName: undefined,
        inlineVolumeSpec: {
          ...inline,
          csi: undefined,
          nfs: { server: 'h', path: '/p' },
          claimRef: {},
          capacity: { storage: '1' },
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: 'fast',
          volumeMode: 'Block',
        },
      }),
      [
        `${at}.claimRef: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.capacity: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.csi: Required value: has to be specified in the context of inline volumes`,
        `${at}.persistentVolumeReclaimPolicy: Forbidden: ` +
          'may only be Retain in the context of inline volumes',
        `${at}.storageClassName: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.volumeMode: Forbidden: ` +
          'may not specify volumeMode other than Filesystem in the context of inline volumes',
      ],
    ],
    [
      '14.2: attacher is a driver name',
      { spec: { attacher: bytes(64) } },
      ['spec.attacher: Too long: must have at most 63 bytes'],
    ],
    ['it is compared lower-cased', { spec: { attacher: 'CSI.example.com' } }, []],
  ]);
  t.match(rules.create({ spec: { nodeName: 'N' } })[0], /^spec.nodeName: .* RFC 1123 subdomain/);

  t.same(
    rules.update({}, { spec: { nodeName: 'n2' } }),
    [
      'spec: Invalid value: {"attacher":"csi.example.com","nodeName":"n2",' +
        '"source":{"persistentVolumeName":"pv-1"}}: field is immutable',
    ],
    '14.2: spec is immutable',
  );
  const status = (change: Change): string[] => rules.update({}, { status: change }, 'status');
  t.same(status({ attached: true, attachmentMetadata: { a: 'b' } }), []);
  t.same(
    status({
      attachmentMetadata: { a: bytes(262_144) },
      attachError: { message: bytes(1025) },
      detachError: { message: bytes(1024) },
    }),
    [
      'status.attachmentMetadata: Too long: must have at most 262144 bytes',
      'status.attachError.message: Too long: must have at most 1024 bytes',
    ],
    '14.1: sizes in the status',
  );
  const object = rules.object({ status: undefined });
  VOLUME_ATTACHMENT.prepareForCreate?.(object);
  t.same(object['status'], { attached: false }, '14.2: a new one is not attached');
});

t.test('rules of a CSIStorageCapacity', async (t) => {
  const rules = new KindRules(CSI_STORAGE_CAPACITY, {
    storageClassName: 'fast',
    capacity: '1500G',
    nodeTopology: { matchLabels: { zone: 'a' } },
  });
  rules.checkCreates(t, [
    ['SPEC: all but the class is optional', { capacity: undefined, nodeTopology: undefined }, []],
    [
      'SPEC: storageClassName required',
      { storageClassName: '' },
      ['storageClassName: Required value'],
    ],
    ['SPEC: capacity may be zero', { capacity: '0' }, []],
    [
      '14.2: sizes are not negative',
      { capacity: '-1', maximumVolumeSize: '-5Gi' },
      [
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
        'maximumVolumeSize: Invalid value: "-5Gi": must be greater than or equal to 0',
      ],
    ],
    [
      '14.2: nodeTopology is a valid selector',
      { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] } },
      [
        'nodeTopology.matchExpressions[0].operator: Invalid value: "Gt": ' +
          'not a valid selector operator',
      ],
    ],
  ]);
  t.match(rules.create({ storageClassName: 'A' })[0], /^storageClassName: .* RFC 1123 subdomain/);
  rules.checkUpdates(t, [
    ['SPEC: capacity may change', {}, { capacity: '1', maximumVolumeSize: '1' }, []],
    [
      'SPEC: storageClassName and nodeTopology are immutable',
      {},
      { storageClassName: 'slow', nodeTopology: undefined },
      [
        'nodeTopology: Invalid value: "null": field is immutable',
        'storageClassName: Invalid value: "slow": field is immutable',
      ],
    ],
    [
      'SPEC: an empty selector is not an unset one',
      { nodeTopology: undefined },
      { nodeTopology: {} },
      ['nodeTopology: Invalid value: {}: field is immutable'],
    ],
    [
      '3.4: an update names its version',
      {},
      { metadata: { resourceVersion: undefined } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ]);
});
