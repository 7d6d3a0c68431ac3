import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const source = (change: Change): Change => ({ spec: { source: change } });
const INLINE = {
  accessModes: ['ReadWriteOnce'],
  csi: { driver: 'disk.csi.example.com', volumeHandle: 'v1' },
};
const inline = (change: Change): Change =>
  source({ persistentVolumeName: undefined, inlineVolumeSpec: { ...INLINE, ...change } });
const AT = 'spec.source.inlineVolumeSpec';
const IN_CONTEXT = 'in the context of inline volumes';
const ONE_OF = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
const SPEC = {
  attacher: 'disk.csi.example.com',
  source: { persistentVolumeName: 'pv-1' },
  nodeName: 'node-1',
};

const FULL_SPEC = {
  attacher: 'Disk.csi.example.com',
  source: { inlineVolumeSpec: { ...INLINE, mountOptions: ['discard'] } },
  nodeName: 'node-1.example.com',
};

export const CASES: KindCases = {
  apiVersion: 'storage.cluster.io/v1',
  kind: 'VolumeAttachment',
  minimal: { spec: SPEC },
  minimalStored: { spec: SPEC, status: { attached: false } },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: { attached: false },
  },
  invalid: [
    [
      'VolumeAttachment: attacher is required',
      { spec: { attacher: undefined } },
      [
        'spec.attacher: Required value',
        'spec.attacher: Required value',
        `spec.attacher: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'VolumeAttachment: nodeName is required',
      { spec: { nodeName: '' } },
      [
        `spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'VolumeAttachment: source is required',
      { spec: { source: undefined } },
      [`spec.source: Required value: ${ONE_OF}`],
    ],
    [
      'VolumeAttachment: "Exactly one member is set": none',
      source({ persistentVolumeName: undefined }),
      [`spec.source: Required value: ${ONE_OF}`],
    ],
    [
      'VolumeAttachment: "Exactly one member is set": both',
      source({ inlineVolumeSpec: INLINE }),
      [`spec.source: Forbidden: ${ONE_OF}`],
    ],
    [
      'reference: of two sources a name that is empty is not also missing',
      source({ inlineVolumeSpec: {}, persistentVolumeName: '' }),
      [
        `spec.source: Forbidden: ${ONE_OF}`,
        `spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'persistentVolumeName is not empty',
      source({ persistentVolumeName: '' }),
      [
        'spec.source.persistentVolumeName: Required value: ' +
          'must specify non empty persistentVolumeName',
        `spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'persistentVolumeName is the name of a volume',
      source({ persistentVolumeName: 'PV' }),
      [`spec.source.persistentVolumeName: Invalid value: "PV": ${SUBDOMAIN_HINT}`],
    ],
    [
      'Limits: "Driver name: at most 63 characters"',
      { spec: { attacher: 'd'.repeat(64) } },
      ['spec.attacher: Too long: must have at most 63 bytes'],
    ],
    [
      '14.2: attacher follows the name rule',
      { spec: { attacher: '-disk' } },
      [`spec.attacher: Invalid value: "-disk": ${SUBDOMAIN_HINT}`],
    ],
    [
      '14.2: nodeName is a DNS subdomain',
      { spec: { nodeName: 'Node' } },
      [`spec.nodeName: Invalid value: "Node": ${SUBDOMAIN_HINT}`],
    ],
    ['VolumeAttachment: an inline volume', inline({}), []],
    [
      'an inline volume may name no secret for its stage',
      inline({ csi: { ...INLINE.csi, nodeStageSecretRef: {} } }),
      [],
    ],
    [
      'an inline volume has no claim',
      inline({ claimRef: { name: 'c' } }),
      [`${AT}.claimRef: Forbidden: may not be specified ${IN_CONTEXT}`],
    ],
    [
      'an inline volume has no capacity',
      inline({ capacity: { storage: '1Gi' } }),
      [`${AT}.capacity: Forbidden: may not be specified ${IN_CONTEXT}`],
    ],
    [
      'an inline volume is of a driver',
      inline({ csi: undefined, hostPath: { path: '/a', type: '' } }),
      [`${AT}.csi: Required value: has to be specified ${IN_CONTEXT}`],
    ],
    [
      'an inline volume has access modes',
      inline({ accessModes: [] }),
      [`${AT}.accessModes: Required value`],
    ],
    [
      'an inline volume is retained',
      inline({ persistentVolumeReclaimPolicy: 'Delete' }),
      [`${AT}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain ${IN_CONTEXT}`],
    ],
    [
      'an inline volume has no affinity',
      inline({ nodeAffinity: {} }),
      [`${AT}.nodeAffinity: Forbidden: may not be specified ${IN_CONTEXT}`],
    ],
    [
      'what an inline volume may be is told once',
      inline({ volumeMode: 'A_B', persistentVolumeReclaimPolicy: 'A_B' }),
      [
        `${AT}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain ${IN_CONTEXT}`,
        `${AT}.volumeMode: Forbidden: ` +
          `may not specify volumeMode other than Filesystem ${IN_CONTEXT}`,
      ],
    ],
    [
      'an inline volume of a node would have one',
      inline({ local: { path: '/a' } }),
      [
        `${AT}.csi: Forbidden: may not specify more than 1 volume type`,
        `${AT}.nodeAffinity: Required value: Local volume requires node affinity`,
      ],
    ],
    [
      'an inline volume has no class',
      inline({ storageClassName: 'fast' }),
      [`${AT}.storageClassName: Forbidden: may not be specified ${IN_CONTEXT}`],
    ],
    [
      'an inline volume is a file system',
      inline({ volumeMode: 'Block' }),
      [
        `${AT}.volumeMode: Forbidden: ` +
          `may not specify volumeMode other than Filesystem ${IN_CONTEXT}`,
      ],
    ],
    ['14.2: a status is dropped on create', { status: { attached: true } }, []],
  ],
  updates: [
    [
      '14.2: spec is immutable',
      {},
      { spec: { nodeName: 'node-2' } },
      [
        'spec: Invalid value: {"attacher":"disk.csi.example.com",' +
          '"source":{"persistentVolumeName":"pv-1"},"nodeName":"node-2"}: field is immutable',
      ],
    ],
    ['14.2: an update keeps the status', {}, { status: { attached: true } }, []],
    [
      '3.4: no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ],
  statusUpdates: [
    [
      'VolumeAttachment: all of the status',
      {},
      {
        status: {
          attached: true,
          attachmentMetadata: { devicePath: '/dev/sda' },
          attachError: { time: '2024-05-01T00:00:00Z', message: 'm' },
          detachError: { message: 'x'.repeat(1024) },
        },
      },
      [],
    ],
    ['VolumeAttachment: attached is false when it is not there', {}, { status: {} }, []],
    [
      'VolumeAttachment: a status update leaves the time of the deletion alone',
      {},
      { metadata: { deletionTimestamp: '2024-05-01T00:00:00Z' } },
      [],
    ],
    [
      'VolumeAttachment: a status update holds generateName to the rule of names',
      {},
      { metadata: { generateName: 'A' } },
      [`metadata.generateName: Invalid value: "A": ${SUBDOMAIN_HINT}`],
    ],
    ['14.2: a status update keeps the spec', {}, { spec: { nodeName: 'node-2' } }, []],
    [
      '14.1: attachmentMetadata has at most 262144 bytes',
      {},
      { status: { attachmentMetadata: { a: 'x'.repeat(262_144) } } },
      ['status.attachmentMetadata: Too long: must have at most 262144 bytes'],
    ],
    [
      '14.1: a message of attachError has at most 1024 bytes',
      {},
      { status: { attachError: { message: 'x'.repeat(1025) } } },
      ['status.attachError.message: Too long: must have at most 262144 bytes'],
    ],
    [
      '14.1: a message of detachError has at most 1024 bytes',
      {},
      { status: { detachError: { message: 'x'.repeat(1025) } } },
      ['status.detachError.message: Too long: must have at most 262144 bytes'],
    ],
  ],
};
