// Rows of kind Pod on its other volumes; `volumes.ts` has full ones.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { LABEL_HINT, NAME_PART_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import { MINIMAL, MINIMAL_STORED, spec } from '../../support/pod-cases.ts';
import { CLAIM, ISCSI, row } from '../../support/volume-cases.ts';

const PARTITION = 'must be between 1 and 255, inclusive';
const FORMAT = 'must be valid format';
const PREFIX = `${FORMAT} starting with iqn, eui, or naa`;

const DISKS: KindCases['invalid'] = [
  row(
    'Volume: emptyDir: sizeLimit is a Quantity',
    { emptyDir: { sizeLimit: '-1' } },
    'emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
  ),
  row(
    '13.4: hostPath.type',
    { hostPath: { path: '/x', type: 'Pipe' } },
    'hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", ' +
      '"CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ),
  row(
    '14.2: hostPath path must not contain ..',
    { hostPath: { path: '/x/../y' } },
    'hostPath.path: Invalid value: "/x/../y": must not contain \'..\'',
  ),
  row(
    'gitRepo: a relative directory',
    { gitRepo: { repository: 'r', directory: '/d' } },
    'gitRepo.directory: Invalid value: "/d": must be a relative path',
  ),
  row(
    'nfs: an absolute path',
    { nfs: { server: 'h', path: 'x' } },
    'nfs.path: Invalid value: "x": must be an absolute path',
  ),
  ...(
    [
      ['gcePersistentDisk', 'pdName'],
      ['awsElasticBlockStore', 'volumeID'],
    ] as const
  ).map(([member, name]) =>
    row(
      `${member}: partition`,
      { [member]: { [name]: 'd', partition: 256 } },
      `${member}.partition: Invalid value: 256: ${PARTITION}`,
    ),
  ),
  row(
    '14.2: iscsi lun 0-255',
    { iscsi: { ...ISCSI, lun: 256 } },
    'iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
  ),
  row(
    'iscsi: names',
    { iscsi: { ...ISCSI, iqn: 'disk', initiatorName: 'naa.1' } },
    `iscsi.iqn: Invalid value: "disk": ${PREFIX}`,
    `iscsi.initiatorname: Invalid value: "naa.1": ${FORMAT}`,
  ),
  row(
    'iscsi: a secret for authentication',
    { iscsi: { ...ISCSI, chapAuthSession: true } },
    'iscsi.secretRef: Required value',
  ),
  row(
    'iscsi: with an initiator the name of the volume is part of another',
    {
      iscsi: { ...ISCSI, targetPortal: 'h'.repeat(63), initiatorName: 'eui.0123456789abcdef' },
    },
    'name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under ' +
      '64 characters if iscsi.initiatorName is specified.',
  ),
  row(
    'Volume: fc: "either wwids, or targetWWNs with lun, must be set"',
    { fc: {} },
    'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
  ),
  row(
    'Volume: fc: "targetWWNs with lun"',
    { fc: { targetWWNs: ['w'] } },
    'fc.lun: Required value: lun is required if targetWWNs is specified',
  ),
  row(
    'Volume: fc: "not both"',
    { fc: { targetWWNs: ['w'], wwids: ['x'], lun: 1 } },
    'fc.targetWWNs: Invalid value: ["w"]: targetWWNs and wwids can not be specified ' +
      'simultaneously',
  ),
  row(
    'flocker: a name or an id',
    { flocker: {} },
    'flocker: Required value: one of datasetName and datasetUUID is required',
  ),
  row(
    'quobyte: addresses',
    { quobyte: { registry: 'h', volume: 'v' } },
    'quobyte.registry: Invalid value: "h": must be a host:port pair or multiple pairs separated ' +
      'by commas',
  ),
  row(
    'quobyte: tenant',
    { quobyte: { registry: 'h:1', volume: 'v', tenant: 't'.repeat(65) } },
    'quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
  ),
  row(
    'cinder: a secret has a name',
    { cinder: { volumeID: 'v', secretRef: {} } },
    'cinder.secretRef.name: Required value',
  ),
  row(
    'azureDisk: known modes and kinds',
    { azureDisk: { diskName: 'd', diskURI: 'https://x', cachingMode: 'All', kind: 'Lent' } },
    'azureDisk.cachingMode: Unsupported value: "All": supported values: "None", "ReadOnly", ' +
      '"ReadWrite"',
    'azureDisk.kind: Unsupported value: "Lent": supported values: "Dedicated", "Managed", ' +
      '"Shared"',
  ),
  row(
    'azureDisk: addresses of managed disks',
    { azureDisk: { diskName: 'd', diskURI: 'https://x', kind: 'Managed' } },
    'azureDisk.diskURI: Unsupported value: "https://x": supported values: ' +
      '"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/' +
      '{disk-id}"',
  ),
  row(
    'azureDisk: addresses of others',
    { azureDisk: { diskName: 'd', diskURI: '/x' } },
    'azureDisk.diskURI: Unsupported value: "/x": supported values: ' +
      '"https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ),
  row(
    'storageos: names',
    { storageos: { volumeName: 'A', volumeNamespace: 'B', secretRef: {} } },
    `storageos.volumeName: Invalid value: "A": ${LABEL_HINT}`,
    `storageos.volumeNamespace: Invalid value: "B": ${LABEL_HINT}`,
    'storageos.secretRef.name: Required value',
  ),
  row(
    'flexVolume: options of the cluster are reserved',
    { flexVolume: { driver: 'd', options: { 'x.cluster.io/a': 'b' } } },
    'flexVolume.options[x.cluster.io/a]: Invalid value: "x.cluster.io/a": cluster.io namespaces ' +
      'are reserved',
  ),
  row(
    'Limits: "Driver name: at most 63 characters"',
    { csi: { driver: 'd'.repeat(64) } },
    'csi.driver: Too long: must have at most 63 bytes',
  ),
  row(
    'csi: names',
    { csi: { driver: 'a/b', nodePublishSecretRef: { name: 'A' } } },
    `csi.driver: Invalid value: "a/b": ${SUBDOMAIN_HINT}`,
    `csi.name: Invalid value: "A": ${SUBDOMAIN_HINT}`,
  ),
  row(
    'csi: a secret has a name',
    { csi: { driver: 'd', nodePublishSecretRef: {} } },
    'csi.nodePublishSecretRef.name: Required value',
  ),
];

const SOURCE = { kind: 'PersistentVolumeClaim', name: 'other' };
const template = (change: Change): Change => ({ ephemeral: { volumeClaimTemplate: change } });

const EPHEMERAL: KindCases['invalid'] = [
  row(
    'ephemeral: the claim is a valid one',
    template({ spec: {} }),
    'ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is ' +
      'required',
    'ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
  ),
  row(
    'ephemeral: labels and annotations only',
    template({ metadata: { name: 'n', labels: { '-': 'a' } }, spec: CLAIM }),
    `ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: "-": ${NAME_PART_HINT}`,
    'ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume',
  ),
  row(
    'reference: seconds are set when they are zero, and an id has another name',
    template({ metadata: { uid: 'u', deletionGracePeriodSeconds: 0 }, spec: CLAIM }),
    'ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set for an ephemeral volume',
    'ephemeral.volumeClaimTemplate.metadata.deletionGracePeriodSeconds: Forbidden: cannot be set ' +
      'for an ephemeral volume',
  ),
  row(
    'ephemeral: both names of the source say the same',
    template({ spec: { ...CLAIM, dataSource: SOURCE, dataSourceRef: { ...SOURCE, kind: 'Pod' } } }),
    'ephemeral.volumeClaimTemplate.spec.dataSourceRef: Invalid value: "Pod"',
    'ephemeral.volumeClaimTemplate.spec: Invalid value: ' +
      '"spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource": must match dataSourceRef',
  ),
  [
    'Volume: ephemeral: "rejects the pod if the concatenated name is invalid"',
    {
      metadata: { name: 'p'.repeat(252) },
      ...spec({ volumes: [{ name: 'v', ...template({ spec: CLAIM }) }] }),
    },
    [
      `spec.volumes[0].name: Invalid value: "v": PVC name "${'p'.repeat(252)}-v": must be no more than ` +
        '253 characters',
    ],
  ],
  [
    'ephemeral: the claim is not for other volumes',
    {
      metadata: { name: 'p' },
      ...spec({
        volumes: [
          { name: 'v', ...template({ spec: CLAIM }) },
          { name: 'w', persistentVolumeClaim: { claimName: 'p-v' } },
        ],
      }),
    },
    [
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not reference ' +
        'a PVC that gets created for an ephemeral volume',
    ],
  ],
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: MINIMAL,
  fullStored: MINIMAL_STORED,
  invalid: [...DISKS, ...EPHEMERAL],
};
