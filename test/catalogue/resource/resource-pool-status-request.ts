import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({ spec: { driver: 'gpu.example.com', ...members } });
const pool = (members: Change): Change => ({
  status: {
    poolCount: 1,
    pools: [{ driver: 'gpu.example.com', poolName: 'a', generation: 1, ...members }],
  },
});

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  minimal: spec({}),
  minimalStored: spec({ limit: 100 }),
  full: spec({ poolName: 'node-1', limit: 3 }),
  invalid: [
    ['driver: is named', spec({ driver: '' }), ['spec.driver: Required value']],
    [
      'limit: at least one',
      spec({ limit: 0 }),
      ['spec.limit: Invalid value: 0: must be greater than or equal to 1'],
    ],
    [
      'limit: at most 1,000',
      spec({ limit: 1001 }),
      ['spec.limit: Invalid value: 1001: must be less than or equal to 1000'],
    ],
  ],
  updates: [
    ['spec stays', {}, spec({ limit: 4 }), ['spec: Invalid value: null: field is immutable']],
  ],
  statusUpdates: [
    ['pools', {}, pool({ totalDevices: 3, availableDevices: 1 }), []],
    [
      'pools: are named',
      {},
      pool({ driver: '', poolName: '' }),
      ['status.pools[0].driver: Required value', 'status.pools[0].poolName: Required value'],
    ],
    ['pools: are counted', {}, { status: { pools: [] } }, ['status.poolCount: Required value']],
    [
      'pools: have no negative counts',
      {},
      pool({ totalDevices: -1 }),
      ['status.pools[0].totalDevices: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ],
};
