// Rows of kind Pod on its volumes, sentence by sentence of their specification.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  MINIMAL,
  MINIMAL_STORED,
  POD_DEFAULTS,
  spec,
} from '../../support/pod-cases.ts';
import {
  CLAIM,
  FIELDS,
  ISCSI,
  ITEMS,
  MODE,
  MORE_THAN_ONE,
  row,
} from '../../support/volume-cases.ts';

/** A volume of every member, as it is stored when all is given. */
const SOURCES: Readonly<Record<string, Change>> = {
  hostPath: { path: '/x', type: 'File' },
  emptyDir: { medium: 'Memory', sizeLimit: '1Gi' },
  gcePersistentDisk: { pdName: 'd', fsType: 'ext4', partition: 1, readOnly: true },
  awsElasticBlockStore: { volumeID: 'd', fsType: 'ext4', partition: 255, readOnly: true },
  gitRepo: { repository: 'r', revision: 'v1', directory: '.' },
  secret: { secretName: 's', items: ITEMS, defaultMode: 256, optional: true },
  nfs: { server: 'h', path: '/x', readOnly: true },
  iscsi: {
    ...ISCSI,
    lun: 255,
    iscsiInterface: 'tcp',
    fsType: 'xfs',
    readOnly: true,
    portals: ['10.0.0.2:3260'],
    chapAuthDiscovery: true,
    chapAuthSession: true,
    secretRef: { name: 's' },
    initiatorName: 'eui.0123456789abcdef',
  },
  glusterfs: { endpoints: 'e', path: 'p', readOnly: true },
  persistentVolumeClaim: { claimName: 'c', readOnly: true },
  rbd: {
    monitors: ['m'],
    image: 'i',
    fsType: 'ext4',
    pool: 'p',
    user: 'u',
    keyring: '/k',
    secretRef: { name: 's' },
    readOnly: true,
  },
  flexVolume: {
    driver: 'example.com/d',
    fsType: 'ext4',
    secretRef: { name: 's' },
    readOnly: true,
    options: { a: 'b' },
  },
  cinder: { volumeID: 'v', fsType: 'ext4', readOnly: true, secretRef: { name: 's' } },
  cephfs: {
    monitors: ['m'],
    path: '/',
    user: 'u',
    secretFile: '/s',
    secretRef: { name: 's' },
    readOnly: true,
  },
  flocker: { datasetName: 'd' },
  downwardAPI: { items: FIELDS, defaultMode: 0 },
  fc: { targetWWNs: ['w'], lun: 0, fsType: 'ext4', readOnly: true },
  azureFile: { secretName: 's', shareName: 't', readOnly: true },
  configMap: { name: 'c', items: ITEMS, defaultMode: 511, optional: false },
  vsphereVolume: {
    volumePath: 'p',
    fsType: 'ext4',
    storagePolicyName: 'n',
    storagePolicyID: 'i',
  },
  quobyte: {
    registry: 'h:1,[::1]:2',
    volume: 'v',
    readOnly: true,
    user: 'u',
    group: 'g',
    tenant: 't',
  },
  azureDisk: {
    diskName: 'd',
    diskURI: '/subscriptions/x',
    cachingMode: 'None',
    fsType: 'xfs',
    readOnly: true,
    kind: 'Managed',
  },
  photonPersistentDisk: { pdID: 'p', fsType: 'ext4' },
  projected: {
    sources: [
      { secret: { name: 's', items: ITEMS, optional: true } },
      { downwardAPI: { items: FIELDS } },
      { configMap: { name: 'c', items: [{ key: 'k', path: 'c' }], optional: false } },
      { serviceAccountToken: { audience: 'vault', expirationSeconds: 600, path: 'token' } },
    ],
    defaultMode: 292,
  },
  portworxVolume: { volumeID: 'v', fsType: 'ext4', readOnly: true },
  scaleIO: {
    gateway: 'g',
    system: 's',
    secretRef: { name: 's' },
    sslEnabled: true,
    protectionDomain: 'd',
    storagePool: 'p',
    storageMode: 'ThickProvisioned',
    volumeName: 'v',
    fsType: 'ext4',
    readOnly: true,
  },
  storageos: {
    volumeName: 'v',
    volumeNamespace: 'n',
    fsType: 'ext4',
    readOnly: true,
    secretRef: { name: 's' },
  },
  csi: {
    driver: 'csi.example.com',
    readOnly: false,
    fsType: 'ext4',
    volumeAttributes: { a: 'b' },
    nodePublishSecretRef: { name: 's' },
  },
  ephemeral: {
    volumeClaimTemplate: {
      metadata: { creationTimestamp: null, labels: { a: 'b' }, annotations: { c: 'd' } },
      spec: CLAIM,
    },
  },
};

/** The server adds these members to sources that say no more than they must. */
const DEFAULTED: readonly (readonly [source: Change, stored: Change])[] = [
  [{}, { emptyDir: {} }],
  [{ hostPath: { path: '/x' } }, { hostPath: { path: '/x', type: '' } }],
  [{ secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
  [{ configMap: { name: 'c' } }, { configMap: { name: 'c', defaultMode: 420 } }],
  [
    { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
    {
      downwardAPI: {
        items: [{ path: 'n', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
        defaultMode: 420,
      },
    },
  ],
  [
    { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    {
      projected: {
        sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 't' } }],
        defaultMode: 420,
      },
    },
  ],
  [{ iscsi: ISCSI }, { iscsi: { ...ISCSI, iscsiInterface: 'default' } }],
  [
    { rbd: { monitors: ['m'], image: 'i' } },
    {
      rbd: {
        monitors: ['m'],
        image: 'i',
        pool: 'rbd',
        user: 'admin',
        keyring: '/etc/ceph/keyring',
      },
    },
  ],
  [
    { azureDisk: { diskName: 'd', diskURI: 'https://x' } },
    {
      azureDisk: {
        diskName: 'd',
        diskURI: 'https://x',
        cachingMode: 'ReadWrite',
        fsType: 'ext4',
        readOnly: false,
        kind: 'Shared',
      },
    },
  ],
  [
    { scaleIO: { gateway: 'g', system: 's', secretRef: { name: 's' }, volumeName: 'v' } },
    {
      scaleIO: {
        gateway: 'g',
        system: 's',
        secretRef: { name: 's' },
        storageMode: 'ThinProvisioned',
        volumeName: 'v',
        fsType: 'xfs',
      },
    },
  ],
  [{ fc: { wwids: ['w'] } }, { fc: { wwids: ['w'] } }],
];

const named = (sources: readonly Change[], prefix: string): Change[] =>
  sources.map((source, index) => ({ name: `${prefix}${index}`, ...source }));

const FULL = named(
  Object.entries(SOURCES).map(([member, source]) => ({ [member]: source })),
  'full',
);

/** The sources that need nothing but these members. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  gitRepo: ['repository'],
  secret: ['secretName'],
  iscsi: ['targetPortal', 'iqn', 'lun'],
  glusterfs: ['endpoints', 'path'],
  persistentVolumeClaim: ['claimName'],
  rbd: ['monitors', 'image'],
  flexVolume: ['driver'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  azureFile: ['secretName', 'shareName'],
  configMap: ['name'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  storageos: ['volumeName'],
  ephemeral: ['volumeClaimTemplate'],
};

const COMMON: KindCases['invalid'] = [
  [
    'csi: driver required',
    spec({ volumes: [{ name: 'a', csi: {} }] }),
    [
      'spec.volumes[0].csi.driver: Required value',
      `spec.volumes[0].csi.driver: Invalid value: "": ${SUBDOMAIN_HINT}`,
    ],
  ],
  [
    'a volume has a name',
    spec({ volumes: [{ emptyDir: {} }] }),
    ['spec.volumes[0].name: Required value'],
  ],
  [
    '14.2: names are labels',
    spec({ volumes: [{ name: 'A' }] }),
    [`spec.volumes[0].name: Invalid value: "A": ${LABEL_HINT}`],
  ],
  [
    '14.2: what is no name is not told twice',
    spec({ volumes: [{ name: 'A' }, { name: 'A' }] }),
    [0, 1].map((index) => `spec.volumes[${index}].name: Invalid value: "A": ${LABEL_HINT}`),
  ],
  [
    '14.2: names are unique',
    spec({ volumes: [{ name: 'a' }, { name: 'a' }] }),
    ['spec.volumes[1].name: Duplicate value: "a"'],
  ],
  row(
    'Volume: "Exactly one source member is used per volume"',
    { emptyDir: {}, secret: { secretName: 's' }, nfs: { server: 'h', path: '/' } },
    `secret: ${MORE_THAN_ONE}`,
    `nfs: ${MORE_THAN_ONE}`,
  ),
  row(
    'emptyDir: medium',
    { emptyDir: { medium: 'Disk' } },
    'emptyDir.medium: Unsupported value: "Disk": supported values: "Memory", "HugePages", ' +
      '"HugePages-<size>"',
  ),
  row('emptyDir: huge pages of any size', { emptyDir: { medium: 'HugePages' } }),
  row('emptyDir: huge pages of one size', { emptyDir: { medium: 'HugePages-2Mi' } }),
  ...Object.entries(REQUIRED).map(([member, names]) =>
    row(
      `Volume: ${member}: ${names.join(' and ')} required`,
      { [member]: {} },
      ...names.map((name) => `${member}.${name}: Required value`),
    ),
  ),
  ...(['configMap', 'secret', 'downwardAPI', 'projected'] as const).flatMap((member) =>
    [-1, 512].map((mode) =>
      row(
        `Volume: ${member}: mode bits are "a decimal 0 to 511", not ${mode}`,
        { [member]: { ...SOURCES[member], defaultMode: mode } },
        `${member}.defaultMode: Invalid value: ${mode}: ${MODE}`,
      ),
    ),
  ),
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: {
    spec: {
      serviceAccountName: 'robot',
      containers: [CONTAINER],
      volumes: [
        ...FULL,
        ...named(
          DEFAULTED.map(([source]) => source),
          'least',
        ),
      ],
    },
  },
  fullStored: {
    ...MINIMAL_STORED,
    spec: {
      ...POD_DEFAULTS,
      serviceAccountName: 'robot',
      serviceAccount: 'robot',
      containers: [{ ...CONTAINER, ...CONTAINER_DEFAULTS }],
      volumes: [
        ...FULL,
        ...named(
          DEFAULTED.map(([, stored]) => stored),
          'least',
        ),
      ],
    },
  },
  invalid: COMMON,
};
