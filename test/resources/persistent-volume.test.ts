// SPEC "Volume", "PersistentVolume" and API-FACTS 14.2.
import t from 'tap';
import { PERSISTENT_VOLUME } from '../../src/resources/core/persistent-volume.ts';
import { KindRules, type Change } from './kind-rules.ts';

const rules = new KindRules(PERSISTENT_VOLUME, {
  spec: {
    capacity: { storage: '10Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    volumeMode: 'Filesystem',
    nfs: { server: 'host', path: '/exports' },
  },
  status: { phase: 'Available' },
});
const spec = (change: Change): Change => ({ spec: change });
const source = (change: Change): Change => spec({ nfs: undefined, ...change });
const affinity = (...nodeSelectorTerms: unknown[]): Change => ({
  nodeAffinity: { required: { nodeSelectorTerms } },
});
const ON_NODE = affinity({ matchExpressions: [{ key: 'node', operator: 'In', values: ['n1'] }] });
const CSI = { driver: 'csi.example.com', volumeHandle: 'v1' };

t.test('13.3: Retain and Filesystem are set where nothing is given', (t) => {
  const bare = { metadata: {}, spec: {} };
  PERSISTENT_VOLUME.applyDefaults?.(bare);
  t.same(bare.spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  const given = { persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' };
  PERSISTENT_VOLUME.applyDefaults?.({ metadata: {}, spec: given });
  t.same(given, { persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' });
  t.end();
});

t.test('rules of a PersistentVolume', async (t) => {
  rules.checkCreates(t, [
    ['14.2: accessModes required', spec({ accessModes: [] }), ['spec.accessModes: Required value']],
    [
      '14.2: accessModes valid',
      spec({ accessModes: ['ReadWriteOncePod'] }),
      [
        'spec.accessModes[0]: Unsupported value: "ReadWriteOncePod": ' +
          'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
      ],
    ],
    [
      '14.2: capacity required',
      spec({ capacity: undefined }),
      [
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: {}: supported values: "storage"',
      ],
    ],
    [
      '14.2: capacity is exactly storage',
      spec({ capacity: { cpu: '1' } }),
      [
        'spec.capacity: Unsupported value: {"storage":"10Gi","cpu":"1"}: ' +
          'supported values: "storage"',
      ],
    ],
    [
      '14.2: capacity above zero',
      spec({ capacity: { storage: '0' } }),
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      '14.2: capacity not below zero',
      spec({ capacity: { storage: '-500m' } }),
      ['spec.capacity[storage]: Invalid value: "-500m": must be greater than zero'],
    ],
    [
      '14.2: one source',
      spec({ nfs: undefined }),
      ['spec: Required value: must specify a volume type'],
    ],
    [
      '14.2: not two sources',
      spec({ hostPath: { path: '/a' }, csi: CSI }),
      [
        'spec.nfs: Forbidden: may not specify more than 1 volume type',
        'spec.csi: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      '14.2: hostPath without ..',
      source({ hostPath: { path: '/a/../b' } }),
      ['spec.hostPath.path: Invalid value: "/a/../b": must not contain \'..\''],
    ],
    [
      '14.2: hostPath / is not recycled',
      source({ hostPath: { path: '//./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [
        'spec.persistentVolumeReclaimPolicy: Forbidden: ' +
          "may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      'nfs has an absolute path',
      spec({ nfs: { server: 'host', path: 'exports' } }),
      ['spec.nfs.path: Invalid value: "exports": must be an absolute path'],
    ],
    [
      'SPEC: csi driver and volumeHandle required',
      source({ csi: {} }),
      ['spec.csi.driver: Required value', 'spec.csi.volumeHandle: Required value'],
    ],
    [
      '14.2: csi driver name',
      source({ csi: { ...CSI, driver: `${'d'.repeat(62)}.D` } }),
      ['spec.csi.driver: Too long: must have at most 63 bytes'],
    ],
    [
      'secret references name a secret',
      source({ csi: { ...CSI, controllerExpandSecretRef: {} } }),
      [
        'spec.csi.controllerExpandSecretRef.name: Required value',
        'spec.csi.controllerExpandSecretRef.namespace: Required value',
      ],
    ],
    [
      'SPEC: fc has wwids or targetWWNs',
      source({ fc: {} }),
      [
        'spec.fc.targetWWNs: Required value: ' +
          'must specify either targetWWNs or wwids, but not both',
      ],
    ],
    [
      'SPEC: fc has targetWWNs with lun, and not both',
      source({ fc: { targetWWNs: ['a'], wwids: ['b'] } }),
      [
        'spec.fc.targetWWNs: Invalid value: ["a"]: ' +
          'targetWWNs and wwids can not be specified simultaneously',
        'spec.fc.lun: Required value: lun is required if targetWWNs is specified',
      ],
    ],
    [
      '14.2: local needs nodeAffinity',
      source({ local: { path: '/disk' } }),
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    ['local with nodeAffinity', source({ local: { path: '/disk' }, ...ON_NODE }), []],
  ]);
  t.match(
    rules.create(spec({ storageClassName: 'A' }))[0],
    /^spec.storageClassName: Invalid value/,
  );
});

t.test('the node affinity of a PersistentVolume', async (t) => {
  const at = 'spec.nodeAffinity.required.nodeSelectorTerms';
  const term = (requirement: Change): Change => spec(affinity({ matchExpressions: [requirement] }));
  const fields = (requirement: Change): Change => spec(affinity({ matchFields: [requirement] }));
  rules.checkCreates(t, [
    [
      'terms',
      spec(affinity()),
      [`${at}: Required value: must have at least one node selector term`],
    ],
    [
      'values of In',
      term({ key: 'a', operator: 'In' }),
      [
        `${at}[0].matchExpressions[0].values: Required value: ` +
          "must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    [
      'values of Exists',
      term({ key: 'a', operator: 'Exists', values: ['b'] }),
      [
        `${at}[0].matchExpressions[0].values: Forbidden: ` +
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    ],
    [
      'values of Gt',
      term({ key: 'a', operator: 'Gt', values: ['1', '2'] }),
      [
        `${at}[0].matchExpressions[0].values: Required value: ` +
          "must be specified single value when `operator` is 'Lt' or 'Gt'",
      ],
    ],
    [
      'operators',
      term({ key: 'a', operator: 'Is' }),
      [`${at}[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`],
    ],
    [
      'fields',
      fields({ key: 'a', operator: 'In', values: ['b'] }),
      [`${at}[0].matchFields[0].key: Invalid value: "a": not a valid field selector key`],
    ],
    ['a node by name', fields({ key: 'metadata.name', operator: 'In', values: ['n1'] }), []],
  ]);
});

t.test('updates of a PersistentVolume', async (t) => {
  const sourceFixed =
    'spec.persistentvolumesource: Forbidden: ' +
    'spec.persistentvolumesource is immutable after creation';
  const secret = { name: 's', namespace: 'ns' };
  const stored = source({ csi: { ...CSI, controllerExpandSecretRef: secret } });
  rules.checkUpdates(t, [
    ['14.2: source immutable', {}, spec({ nfs: { path: '/other' } }), [sourceFixed]],
    ['14.2: source exchanged', {}, source({ hostPath: { path: '/a' } }), [sourceFixed]],
    [
      '14.2: controllerExpandSecretRef may be added',
      source({ csi: CSI }),
      spec({ csi: { controllerExpandSecretRef: secret } }),
      [],
    ],
    [
      'but nothing else beside it',
      source({ csi: CSI }),
      spec({ csi: { volumeHandle: 'v2', controllerExpandSecretRef: secret } }),
      [sourceFixed],
    ],
    [
      'and it cannot be changed',
      stored,
      spec({ csi: { controllerExpandSecretRef: { name: 't' } } }),
      [sourceFixed],
    ],
    [
      '14.2: volumeMode immutable',
      {},
      spec({ volumeMode: 'Block' }),
      ['spec.volumeMode: Invalid value: "Block": field is immutable'],
    ],
    ['14.2: nodeAffinity may be set', {}, spec(ON_NODE), []],
    [
      '14.2: nodeAffinity immutable once set',
      spec(ON_NODE),
      spec({ nodeAffinity: undefined }),
      ['spec.nodeAffinity: Invalid value: "null": field is immutable'],
    ],
    [
      '14.2: capacity, accessModes, reclaimPolicy, class, mountOptions, claimRef mutable',
      {},
      spec({
        capacity: { storage: '20Gi' },
        accessModes: ['ReadOnlyMany'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'fast',
        mountOptions: ['hard'],
        claimRef: { name: 'c', namespace: 'ns' },
      }),
      [],
    ],
  ]);
});

t.test('SPEC: the phase is one of five', async (t) => {
  for (const phase of ['Available', 'Bound', 'Failed', 'Pending', 'Released']) {
    t.same(rules.update({}, { status: { phase } }, 'status'), [], phase);
  }
  t.same(rules.update({}, { status: { phase: 'Lost' } }, 'status'), [
    'status.phase: Unsupported value: "Lost": ' +
      'supported values: "Available", "Bound", "Failed", "Pending", "Released"',
  ]);
  const object = rules.object();
  PERSISTENT_VOLUME.prepareForCreate?.(object);
  t.same(object['status'], { phase: 'Pending' }, '13.3: a new one is pending');
});
