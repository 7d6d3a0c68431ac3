import type { KindCases } from '../../support/kind-cases.ts';

const DRIVER = { name: 'csi.example.com', nodeID: 'a', topologyKeys: null };
const CONDITION = { status: 'StorageDegraded', reason: 'Slow', lastTransitionTime: null };
const health = (...all: readonly object[]): Readonly<Record<string, unknown>> => ({
  status: { storageHealth: all },
});

export const CASES: KindCases = {
  release: 37,
  featureGates: ['CSIVolumeHealth'],
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSINode',
  minimal: { spec: { drivers: [DRIVER] } },
  minimalStored: { spec: { drivers: [DRIVER] }, status: {} },
  full: { spec: { drivers: [DRIVER] } },
  fullStored: { spec: { drivers: [DRIVER] }, status: {} },
  invalid: [],
  statusUpdates: [
    ['health: what drivers tell', {}, health({ name: 'a.b', healthConditions: [CONDITION] }), []],
    [
      'health: each driver once, with a name',
      {},
      health({ name: 'a.b' }, { name: 'a.b' }, { name: '' }),
      [
        'status.storageHealth[1]: Duplicate value: "a.b"',
        'status.storageHealth[2].name: Required value',
      ],
    ],
    [
      'health: what is wrong has a sort and a reason',
      {},
      health({
        name: 'a.b',
        healthConditions: [
          { ...CONDITION, status: '', reason: '' },
          { ...CONDITION, accessMode: 'a', volumeMode: 'b', message: 'x'.repeat(1025) },
        ],
      }),
      [
        'status.storageHealth[0].healthConditions[0].status: Unsupported value: "": ' +
          'supported values: "StorageDegraded", "StorageUnreachable"',
        'status.storageHealth[0].healthConditions[0].reason: Required value',
        'status.storageHealth[0].healthConditions[1].message: Too long: ' +
          'may not be more than 1024 bytes',
        'status.storageHealth[0].healthConditions[1].accessMode: Unsupported value: "a": ' +
          'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'status.storageHealth[0].healthConditions[1].volumeMode: Unsupported value: "b": ' +
          'supported values: "Filesystem", "Block"',
      ],
    ],
  ],
};
