import type { KindCases } from '../../support/kind-cases.ts';

const DRIVER = { name: 'csi.example.com', nodeID: 'a', topologyKeys: null };
const CONDITION = { status: 'StorageDegraded', reason: 'Slow', lastTransitionTime: null };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSINode',
  minimal: { spec: { drivers: [DRIVER] } },
  minimalStored: { spec: { drivers: [DRIVER] }, status: {} },
  full: { spec: { drivers: [{ ...DRIVER, allocatable: { count: 3 } }] } },
  fullStored: { spec: { drivers: [{ ...DRIVER, allocatable: { count: 3 } }] }, status: {} },
  invalid: [],
  updates: [
    [
      'drivers: how many volumes there can be may change',
      {},
      { spec: { drivers: [{ ...DRIVER, allocatable: { count: 4 } }] } },
      [],
    ],
    [
      'drivers: all else stays',
      {},
      { spec: { drivers: [{ ...DRIVER, nodeID: 'b' }] } },
      [
        'spec.drivers: Invalid value: {"Name":"csi.example.com","NodeID":"b",' +
          '"TopologyKeys":null,"Allocatable":null}: field is immutable',
      ],
    ],
  ],
  statusUpdates: [
    [
      'health: dropped while its feature is off',
      {},
      {
        status: { storageHealth: [{ name: 'csi.example.com', healthConditions: [CONDITION] }] },
      },
      [],
    ],
  ],
};
