import type { Change, KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const spec = (change: Change): Change => ({ spec: change });
const source = (change: Change): Change => spec({ nfs: undefined, ...change });
const affinity = (...nodeSelectorTerms: unknown[]): Change =>
  spec({ nodeAffinity: { required: { nodeSelectorTerms } } });
const term = (requirement: Change): Change => affinity({ matchExpressions: [requirement] });
const fieldTerm = (requirement: Change): Change => affinity({ matchFields: [requirement] });

const MINIMAL = {
  capacity: { storage: '10Gi' },
  accessModes: ['ReadWriteOnce'],
  nfs: { server: 'host', path: '/exports' },
};
const FULL = {
  capacity: { storage: '1Ti' },
  csi: {
    driver: 'disk.csi.example.com',
    volumeHandle: 'v1',
    readOnly: true,
    fsType: 'ext4',
    volumeAttributes: { a: 'b' },
    controllerPublishSecretRef: { name: 'a', namespace: 'ns' },
    nodeStageSecretRef: { name: 'b', namespace: 'ns' },
    nodePublishSecretRef: { name: 'c', namespace: 'ns' },
    controllerExpandSecretRef: { name: 'd', namespace: 'ns' },
  },
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
  claimRef: {
    kind: 'PersistentVolumeClaim',
    namespace: 'ns',
    name: 'claim',
    uid: 'u',
    apiVersion: 'v1',
    resourceVersion: '7',
  },
  persistentVolumeReclaimPolicy: 'Delete',
  storageClassName: 'fast',
  mountOptions: ['discard'],
  volumeMode: 'Block',
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [
        {
          matchExpressions: [
            { key: 'zone', operator: 'In', values: ['a', 'b'] },
            { key: 'cores', operator: 'Gt', values: ['4'] },
            { key: 'tainted', operator: 'DoesNotExist' },
          ],
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
        },
      ],
    },
  },
};
const TERMS = 'spec.nodeAffinity.required.nodeSelectorTerms';
const SOURCE_FIXED =
  'spec.persistentvolumesource: Forbidden: ' +
  'spec.persistentvolumesource is immutable after creation';

const AFFINITY_RULES: KindCases['invalid'] = [
  [
    'an affinity requires something',
    spec({ nodeAffinity: {} }),
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [
    'a node selector has terms',
    affinity(),
    [`${TERMS}: Required value: must have at least one node selector term`],
  ],
  [
    'values of In',
    term({ key: 'a', operator: 'In' }),
    [
      `${TERMS}[0].matchExpressions[0].values: Required value: ` +
        "must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    'no values of Exists',
    term({ key: 'a', operator: 'Exists', values: ['b'] }),
    [
      `${TERMS}[0].matchExpressions[0].values: Forbidden: ` +
        "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ],
  [
    'one value of Gt',
    term({ key: 'a', operator: 'Gt', values: ['1', '2'] }),
    [
      `${TERMS}[0].matchExpressions[0].values: Required value: ` +
        "must be specified single value when `operator` is 'Lt' or 'Gt'",
    ],
  ],
  [
    'operators of a node selector',
    term({ key: 'a', operator: 'Is' }),
    [
      `${TERMS}[0].matchExpressions[0].operator: Invalid value: "Is": ` +
        'not a valid selector operator',
    ],
  ],
  [
    'keys of a node selector',
    term({ key: 'a b', operator: 'Exists' }),
    [`${TERMS}[0].matchExpressions[0].key: Invalid value: "a b": ${NAME_PART_HINT}`],
  ],
  [
    'the one field of a node selector',
    fieldTerm({ key: 'metadata.uid', operator: 'In', values: ['b'] }),
    [
      `${TERMS}[0].matchFields[0].key: Invalid value: "metadata.uid": ` +
        'not a valid field selector key',
    ],
  ],
];

const MOUNT_OPTIONS = 'volume.beta.cluster.io/mount-options';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  minimal: { spec: MINIMAL },
  minimalStored: {
    spec: { ...MINIMAL, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
    status: { phase: 'Pending' },
  },
  full: { spec: FULL },
  fullStored: { spec: FULL, status: { phase: 'Pending' } },
  invalid: [
    [
      'options of the mount in an annotation, for sources that are not mounted with any',
      {
        metadata: { annotations: { [MOUNT_OPTIONS]: 'ro' } },
        spec: { nfs: undefined, hostPath: { path: '/a' } },
      },
      [
        `metadata.annotations.${MOUNT_OPTIONS}: Forbidden: may not specify mount options for this volume type`,
      ],
    ],
    ['and for one that is', { metadata: { annotations: { [MOUNT_OPTIONS]: 'ro' } } }, []],
    [
      '3.7: the name is a DNS subdomain',
      { metadata: { name: 'PV' } },
      [`metadata.name: Invalid value: "PV": ${SUBDOMAIN_HINT}`],
    ],
    [
      '14.2: accessModes required',
      spec({ accessModes: undefined }),
      ['spec.accessModes: Required value'],
    ],
    [
      '14.2: accessModes valid',
      spec({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
      [
        'spec.accessModes: Unsupported value: "ReadWriteOncePod": ' +
          'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
      ],
    ],
    [
      '14.2: capacity needs storage',
      spec({ capacity: undefined }),
      [
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: {}: supported values: "storage"',
      ],
    ],
    [
      '14.2: capacity needs exactly storage',
      spec({ capacity: { cpu: '1' } }),
      [
        'spec.capacity: Unsupported value: {"storage":"10Gi","cpu":"1"}: ' +
          'supported values: "storage"',
      ],
    ],
    [
      '14.2: capacity > 0',
      spec({ capacity: { storage: '0' } }),
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      '14.2: capacity is not negative',
      spec({ capacity: { storage: '-500m' } }),
      [
        'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
        'spec.capacity[storage]: Invalid value: "-500m": must be greater than zero',
      ],
    ],
    ['14.2: at least one source', source({}), ['spec: Required value: must specify a volume type']],
    [
      '14.2: not more than one source',
      spec({ hostPath: { path: '/a' }, local: { path: '/b' }, nodeAffinity: FULL.nodeAffinity }),
      [
        'spec.nfs: Forbidden: may not specify more than 1 volume type',
        'spec.local: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      '13.4: reclaim policy',
      spec({ persistentVolumeReclaimPolicy: 'Keep' }),
      [
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": ' +
          'supported values: "Delete", "Recycle", "Retain"',
      ],
    ],
    [
      '13.4: volumeMode',
      spec({ volumeMode: 'Tape' }),
      ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
    ],
    [
      'storageClassName is the name of a class',
      spec({ storageClassName: 'Fast' }),
      [`spec.storageClassName: Invalid value: "Fast": ${SUBDOMAIN_HINT}`],
    ],
    [
      '14.2: hostPath / and Recycle',
      source({ hostPath: { path: '//./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [
        'spec.persistentVolumeReclaimPolicy: Forbidden: ' +
          "may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      '14.2: local needs nodeAffinity',
      source({ local: { path: '/disk' } }),
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    ['PersistentVolume: a status is reset on create', { status: { phase: 'No such phase' } }, []],
    ...AFFINITY_RULES,
  ],
  updates: [
    ['14.2: source immutable', {}, spec({ nfs: { path: '/other' } }), [SOURCE_FIXED]],
    ['14.2: source not exchanged', {}, source({ hostPath: { path: '/a' } }), [SOURCE_FIXED]],
    [
      '14.2: controllerExpandSecretRef may be added',
      source({ csi: { ...FULL.csi, controllerExpandSecretRef: undefined } }),
      spec({ csi: { controllerExpandSecretRef: { name: 's', namespace: 'ns' } } }),
      [],
    ],
    [
      '14.2: controllerExpandSecretRef, and nothing beside it',
      source({ csi: { ...FULL.csi, controllerExpandSecretRef: undefined } }),
      spec({
        csi: { volumeHandle: 'v2', controllerExpandSecretRef: { name: 's', namespace: 'ns' } },
      }),
      [SOURCE_FIXED],
    ],
    [
      '14.2: controllerExpandSecretRef, once',
      source({ csi: FULL.csi }),
      spec({ csi: { controllerExpandSecretRef: { name: 's' } } }),
      [SOURCE_FIXED],
    ],
    [
      '14.2: volumeMode immutable',
      {},
      spec({ volumeMode: 'Block' }),
      ['volumeMode: Invalid value: "Block": field is immutable'],
    ],
    ['14.2: nodeAffinity may be set', {}, spec({ nodeAffinity: FULL.nodeAffinity }), []],
    [
      '14.2: nodeAffinity immutable once set',
      spec({ nodeAffinity: FULL.nodeAffinity }),
      spec({ nodeAffinity: undefined }),
      ['nodeAffinity: Invalid value: "null": field is immutable'],
    ],
    [
      '14.2: capacity, accessModes, reclaimPolicy, class, mountOptions, claimRef mutable',
      {},
      spec({
        capacity: { storage: '20Gi' },
        accessModes: ['ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Recycle',
        storageClassName: 'fast',
        mountOptions: ['discard'],
        claimRef: FULL.claimRef,
      }),
      [],
    ],
    ['an update keeps the status', {}, { status: { phase: 'No such phase' } }, []],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
  statusUpdates: [
    ...['Available', 'Bound', 'Failed', 'Pending', 'Released'].map(
      (phase) =>
        [
          `PersistentVolumeStatus: phase ${phase}`,
          {},
          { status: { phase, message: 'm', reason: 'R' } },
          [],
        ] as const,
    ),
    [
      'PersistentVolumeStatus: phase is "One of …"',
      {},
      { status: { phase: 'Gone' } },
      [
        'status.phase: Unsupported value: "Gone": ' +
          'supported values: "Available", "Bound", "Failed", "Pending", "Released"',
      ],
    ],
    ['13.3: without a phase it is pending', {}, { status: { phase: undefined } }, []],
    ['14.2: a status update ignores spec', {}, spec({ nfs: { path: '/other' } }), []],
  ],
};
