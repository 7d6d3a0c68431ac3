import type { Change, KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const source = (change: Change): Change => ({ spec: { nfs: undefined, ...change } });
const missing = (member: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `spec.${member}.${name}: Required value`);

const COMMON = { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'] };
const DEFAULTS = { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' };
const SECRET = { name: 's', namespace: 'ns' };
const CSI = { driver: 'disk.csi.example.com', volumeHandle: 'v1' };
const ISCSI = {
  targetPortal: '10.0.0.1:3260',
  iqn: 'iqn.2001-04.com.example:storage.disk2',
  lun: 0,
};

/** The sources that need nothing but these members. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  glusterfs: ['endpoints', 'path'],
  rbd: ['monitors', 'image'],
  cephfs: ['monitors'],
  cinder: ['volumeID'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  storageos: ['volumeName'],
};

const SPEC_SOURCES: KindCases['invalid'] = [
  [
    'PersistentVolume: csi: "driver and volumeHandle required"',
    source({ csi: {} }),
    [
      'spec.csi.driver: Required value',
      `spec.csi.driver: Invalid value: "": ${SUBDOMAIN_HINT}`,
      'spec.csi.volumeHandle: Required value',
    ],
  ],
  [
    'Limits: "Driver name: at most 63 characters"',
    source({ csi: { ...CSI, driver: `${'d'.repeat(62)}.D` } }),
    ['spec.csi.driver: Too long: must have at most 63 bytes'],
  ],
  [
    '14.2: csi driver name rule',
    source({ csi: { ...CSI, driver: 'disk/csi' } }),
    [`spec.csi.driver: Invalid value: "disk/csi": ${SUBDOMAIN_HINT}`],
  ],
  ...(
    [
      ['controllerPublishSecretRef', 'controllerPublishSecretRef'],
      ['nodeStageSecretRef', 'nodeStageSecretRef'],
      // The blank is the reference's.
      ['nodePublishSecretRef', 'nodePublishSecretRef '],
      ['controllerExpandSecretRef', 'controllerExpandSecretRef'],
    ] as const
  ).map(
    ([member, told]) =>
      [
        `PersistentVolume: ${member} is a "SecretReference with name and namespace"`,
        source({ csi: { ...CSI, [member]: {} } }),
        missing(`csi.${told}`, ['name', 'namespace']),
      ] as const,
  ),
  [
    'the names of secrets and of their namespaces are labels',
    source({ csi: { ...CSI, controllerExpandSecretRef: { name: 'a.b', namespace: 'c.d' } } }),
    [
      `spec.csi.name: Invalid value: "a.b": ${LABEL_HINT}`,
      `spec.csi.namespace: Invalid value: "c.d": ${LABEL_HINT}`,
    ],
  ],
  [
    'the namespace of a secret is a label',
    source({ csi: { ...CSI, nodeStageSecretRef: { name: 's', namespace: 'a.b' } } }),
    [`spec.csi.nodeStageSecretRef.namespace: Invalid value: "a.b": ${LABEL_HINT}`],
  ],
  [
    'reference: the names of some secrets are not looked at',
    source({ cinder: { volumeID: 'v', secretRef: { name: 'A_B', namespace: 'A_B' } } }),
    [],
  ],
  [
    'Volume: fc: "either wwids, or targetWWNs with lun, must be set"',
    source({ fc: {} }),
    ['spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  ],
  [
    'Volume: fc: "not both"',
    source({ fc: { targetWWNs: ['a'], wwids: ['b'], lun: 1 } }),
    [
      'spec.fc.targetWWNs: Invalid value: ["a"]: ' +
        'targetWWNs and wwids can not be specified simultaneously',
    ],
  ],
  [
    'Volume: fc: "targetWWNs with lun"',
    source({ fc: { targetWWNs: ['a'] } }),
    ['spec.fc.lun: Required value: lun is required if targetWWNs is specified'],
  ],
  ['Volume: fc with wwids', source({ fc: { wwids: ['b'], readOnly: true } }), []],
  ['Volume: fc with lun 0', source({ fc: { targetWWNs: ['a'], lun: 0 } }), []],
  [
    '14.2: fc lun 0–255',
    source({ fc: { targetWWNs: ['a'], lun: 256 } }),
    ['spec.fc.lun: Invalid value: 256: must be between 0 and 255, inclusive'],
  ],
  [
    'Volume: flexVolume: driver is required',
    source({ flexVolume: { secretRef: SECRET, options: { a: 'b' } } }),
    missing('flexVolume', ['driver']),
  ],
  [
    'Volume: iscsi: iqn and targetPortal are required',
    source({ iscsi: { lun: 1 } }),
    missing('iscsi', ['targetPortal', 'iqn']),
  ],
  [
    '14.2: iscsi lun 0–255',
    source({ iscsi: { ...ISCSI, lun: -1 } }),
    ['spec.iscsi.lun: Invalid value: -1: must be between 0 and 255, inclusive'],
  ],
];

const OTHER_RULES: KindCases['invalid'] = [
  [
    'iqn is a name of a target',
    source({ iscsi: { ...ISCSI, iqn: 'disk2' } }),
    ['spec.iscsi.iqn: Invalid value: "disk2": must be valid format'],
  ],
  [
    'iqn has the form that its prefix says',
    source({ iscsi: { ...ISCSI, iqn: 'eui.0123' } }),
    ['spec.iscsi.iqn: Invalid value: "eui.0123": must be valid format'],
  ],
  [
    'initiatorName is a name too',
    source({ iscsi: { ...ISCSI, initiatorName: 'iqn.2001-04' } }),
    ['spec.iscsi.initiatorname: Invalid value: "iqn.2001-04": must be valid format'],
  ],
  [
    'an initiator leaves 64 characters for the names of the volume and of the portal',
    {
      ...source({ iscsi: { ...ISCSI, initiatorName: 'eui.0123456789abcdef' } }),
      metadata: { name: 'v'.repeat(52) },
    },
    [
      'spec.iscsi.targetportal: Invalid value: "10.0.0.1:3260": Total length of <volume name>:' +
        '<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ],
  ],
  [
    'authentication needs a secret',
    source({ iscsi: { ...ISCSI, chapAuthSession: true } }),
    missing('iscsi', ['secretRef']),
  ],
  [
    'the secret has a name',
    source({ iscsi: { ...ISCSI, chapAuthDiscovery: true, secretRef: { namespace: 'ns' } } }),
    missing('iscsi', ['secretRef.name']),
  ],
  ...Object.entries(REQUIRED).map(
    ([member, names]) =>
      [`${member} needs its members`, source({ [member]: {} }), missing(member, names)] as const,
  ),
  [
    'nfs needs a server and an absolute path',
    { spec: { nfs: { server: undefined, path: undefined } } },
    [
      ...missing('nfs', ['server', 'path']),
      'spec.nfs.path: Invalid value: "": must be an absolute path',
    ],
  ],
  [
    '14.2: hostPath path must not contain ..',
    source({ hostPath: { path: '/a/../b' } }),
    ['spec.hostPath.path: Invalid value: "/a/../b": must not contain \'..\''],
  ],
  [
    '13.4: hostPath.type',
    source({ hostPath: { path: '/a', type: 'Pipe' } }),
    [
      'spec.hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", ' +
        '"CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  [
    'flocker names a data set',
    source({ flocker: {} }),
    ['spec.flocker: Required value: one of datasetName and datasetUUID is required'],
  ],
  [
    'flocker names it once',
    source({ flocker: { datasetName: 'a/b', datasetUUID: 'u' } }),
    [
      'spec.flocker: Invalid value: "resource": ' +
        'datasetName and datasetUUID can not be specified simultaneously',
      'spec.flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
    ],
  ],
  [
    'quobyte needs a registry and a volume',
    source({ quobyte: {} }),
    [
      'spec.quobyte.volume: Required value',
      'spec.quobyte.registry: Required value: ' +
        'must be a host:port pair or multiple pairs separated by commas',
    ],
  ],
  [
    'the registry of quobyte has ports',
    source({ quobyte: { registry: 'a:1,[::1]:2,b', volume: 'v' } }),
    [
      'spec.quobyte.registry: Invalid value: "a:1,[::1]:2,b": ' +
        'must be a host:port pair or multiple pairs separated by commas',
    ],
  ],
  [
    'glusterfs names a namespace',
    source({ glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } }),
    [
      'spec.glusterfs.endpointsNamespace: Invalid value: "": ' +
        'if the endpointnamespace is set, it must be a valid namespace name',
    ],
  ],
  [
    'azureFile names a namespace',
    source({ azureFile: { secretName: 's', shareName: 'a', secretNamespace: '' } }),
    missing('azureFile', ['secretNamespace']),
  ],
  [
    'cinder names a secret',
    source({ cinder: { volumeID: 'v', secretRef: {} } }),
    missing('cinder', ['secretRef.name', 'secretRef.namespace']),
  ],
  [
    'azureDisk needs a name and an address',
    source({ azureDisk: { kind: 'Managed' } }),
    [
      ...missing('azureDisk', ['diskName', 'diskURI']),
      'spec.azureDisk.diskURI: Unsupported value: "": supported values: "/subscriptions/' +
        '{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ],
  ],
  [
    'azureDisk has kinds of disks and of caching',
    source({
      azureDisk: { diskName: 'd', diskURI: 'https://d', kind: 'Own', cachingMode: 'Some' },
    }),
    [
      'spec.azureDisk.cachingMode: Unsupported value: "Some": ' +
        'supported values: "None", "ReadOnly", "ReadWrite"',
      'spec.azureDisk.kind: Unsupported value: "Own": ' +
        'supported values: "Dedicated", "Managed", "Shared"',
    ],
  ],
  [
    'the tenant of quobyte has at most 64 characters',
    source({ quobyte: { registry: 'a:1', volume: 'v', tenant: 'x'.repeat(65) } }),
    [
      'spec.quobyte.tenant: Required value: ' +
        'must be a UUID and may not exceed a length of 64 characters',
    ],
  ],
  [
    'options of the cluster are reserved',
    source({ flexVolume: { driver: 'd', options: { 'a.cluster.io/b': '', 'cluster.io.x': '' } } }),
    [
      'spec.flexVolume.options[a.cluster.io/b]: Invalid value: "a.cluster.io/b": ' +
        'cluster.io namespaces are reserved',
    ],
  ],
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  minimal: { spec: { ...COMMON, nfs: { server: 'host', path: '/exports', readOnly: true } } },
  minimalStored: {
    spec: { ...COMMON, ...DEFAULTS, nfs: { server: 'host', path: '/exports', readOnly: true } },
    status: { phase: 'Pending' },
  },
  full: {
    spec: {
      ...COMMON,
      iscsi: {
        ...ISCSI,
        fsType: 'ext4',
        readOnly: true,
        portals: ['10.0.0.2'],
        chapAuthDiscovery: true,
        chapAuthSession: true,
        secretRef: SECRET,
        initiatorName: 'naa.0123456789abcdef0123456789abcdef',
      },
    },
  },
  // iscsiInterface: "default default".
  fullStored: {
    spec: {
      ...COMMON,
      ...DEFAULTS,
      iscsi: {
        ...ISCSI,
        iscsiInterface: 'default',
        fsType: 'ext4',
        readOnly: true,
        portals: ['10.0.0.2'],
        chapAuthDiscovery: true,
        chapAuthSession: true,
        secretRef: SECRET,
        initiatorName: 'naa.0123456789abcdef0123456789abcdef',
      },
    },
    status: { phase: 'Pending' },
  },
  invalid: [...SPEC_SOURCES, ...OTHER_RULES],
};
