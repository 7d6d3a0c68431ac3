// Rows of kind Pod on what its containers mount; `pod-containers.ts` has a full one.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import {
  CONTAINER,
  containerRow as row,
  MINIMAL,
  MINIMAL_STORED,
  MOUNTED_VOLUMES,
} from '../../support/pod-cases.ts';

const AT = 'spec.containers[0]';

const withVolumes = (change: Change): Change => ({
  spec: { volumes: MOUNTED_VOLUMES, containers: [{ ...CONTAINER, ...change }] },
});

const MOUNTS: KindCases['invalid'] = [
  row(
    'volumeMounts: the volume exists',
    { volumeMounts: [{ name: 'x', mountPath: '/x' }] },
    'volumeMounts[0].name: Not found: "x"',
  ),
  row(
    'volumeMounts: name and path',
    { volumeMounts: [{}] },
    'volumeMounts[0].name: Required value',
    'volumeMounts[0].mountPath: Required value',
    'volumeMounts[0].name: Not found: ""',
  ),
  row(
    'reference: a name and a path that are missing are the same ones for mounts and devices',
    { volumeMounts: [{}], volumeDevices: [{}] },
    'volumeMounts[0].name: Required value',
    'volumeMounts[0].mountPath: Required value',
    'volumeDevices[0].name: Required value',
    'volumeDevices[0].devicePath: Required value',
    'volumeMounts[0].name: Not found: ""',
    'volumeMounts[0].name: Invalid value: "": must not already exist in volumeDevices',
    'volumeMounts[0].mountPath: Invalid value: "": must not already exist as a path in volumeDevices',
    'volumeDevices[0].name: Not found: ""',
    'volumeDevices[0].name: Invalid value: "": must not already exist in volumeMounts',
    'volumeDevices[0].devicePath: Invalid value: "": must not already exist as a path in volumeMounts',
  ),
  [
    'volumeMounts: each path once',
    withVolumes({ volumeMounts: ['/d', '/d'].map((mountPath) => ({ name: 'data', mountPath })) }),
    [`${AT}.volumeMounts[1].mountPath: Invalid value: "/d": must be unique`],
  ],
  [
    'volumeMounts: sub paths are relative',
    withVolumes({
      volumeMounts: [{ name: 'data', mountPath: '/d', subPath: '/a', subPathExpr: '../b' }],
    }),
    [
      `${AT}.volumeMounts.subPath: Invalid value: "/a": must be a relative path`,
      `${AT}.volumeMounts[0].subPathExpr: Invalid value: "../b": subPathExpr and subPath are ` +
        'mutually exclusive',
      `${AT}.volumeMounts.subPathExpr: Invalid value: "../b": must not contain '..'`,
    ],
  ],
  [
    'volumeMounts: known ways of propagation',
    withVolumes({ volumeMounts: [{ name: 'data', mountPath: '/d', mountPropagation: 'All' }] }),
    [
      `${AT}.volumeMounts.mountPropagation: Unsupported value: "All": supported values: ` +
        '"Bidirectional", "HostToContainer", "None"',
    ],
  ],
  [
    'volumeMounts: changing the node is privileged',
    withVolumes({
      volumeMounts: [{ name: 'data', mountPath: '/d', mountPropagation: 'Bidirectional' }],
    }),
    [
      `${AT}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is ` +
        'available only to privileged containers',
    ],
  ],
  [
    'volumeDevices: of claims',
    withVolumes({ volumeDevices: [{ name: 'data', devicePath: '/dev/a' }] }),
    [
      `${AT}.volumeDevices[0].name: Invalid value: "data": can only use volume source type of ` +
        'PersistentVolumeClaim or Ephemeral for block mode',
    ],
  ],
  [
    'volumeDevices: that exist, with a path',
    withVolumes({ volumeDevices: [{ name: 'x', devicePath: '/dev/../a' }, { name: 'raw' }] }),
    [
      `${AT}.volumeDevices[1].devicePath: Required value`,
      `${AT}.volumeDevices[0].name: Not found: "x"`,
      `${AT}.volumeDevices[0].devicePath: Invalid value: "/dev/../a": can not contain backsteps ` +
        "('..')",
    ],
  ],
  [
    'volumeDevices: each once',
    withVolumes({
      volumeDevices: ['/dev/a', '/dev/a'].map((devicePath) => ({ name: 'raw', devicePath })),
    }),
    [
      `${AT}.volumeDevices[1].name: Invalid value: "raw": must be unique`,
      `${AT}.volumeDevices[1].devicePath: Invalid value: "/dev/a": must be unique`,
    ],
  ],
  [
    'a volume is either files or a device',
    withVolumes({
      volumeMounts: [{ name: 'raw', mountPath: '/raw' }],
      volumeDevices: [{ name: 'raw', devicePath: '/raw' }],
    }),
    [
      `${AT}.volumeMounts[0].name: Invalid value: "raw": must not already exist in volumeDevices`,
      `${AT}.volumeMounts[0].mountPath: Invalid value: "/raw": must not already exist as a path ` +
        'in volumeDevices',
      `${AT}.volumeDevices[0].name: Invalid value: "raw": must not already exist in volumeMounts`,
      `${AT}.volumeDevices[0].devicePath: Invalid value: "/raw": must not already exist as a ` +
        'path in volumeMounts',
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
  invalid: MOUNTS,
};
