import type { Change, KindCases } from '../../support/kind-cases.ts';

const spec = (members: Change): Change => ({ spec: { driver: 'gpu.example.com', ...members } });
const PARTITION = { attribute: 'a/b', type: 'c', total: 2, allocatable: 1 };
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
      'driver: its letters are of either case',
      spec({ driver: 'A_B' }),
      [
        'spec.driver: Invalid value: "A_B": an RFC 1123 subdomain must consist of alphanumeric ' +
          "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. " +
          "'Example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      'poolName: has no empty part',
      spec({ poolName: 'a//b' }),
      ['spec.poolName: Invalid value: "a//b": segment 1: must not be empty'],
    ],
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
      'pools: have a generation and whole summaries',
      {},
      pool({ generation: 0, partitionSummary: [{ type: 'a', total: 1 }], shareableSummary: {} }),
      [
        'status.pools[0].generation: Required value',
        'status.pools[0].partitionSummary[0].attribute: Required value',
        'status.pools[0].partitionSummary[0].allocatable: Required value',
        'status.pools[0].shareableSummary.fullyAvailableDevices: Required value',
        'status.pools[0].shareableSummary.partiallyAvailableDevices: Required value',
      ],
    ],
    [
      'pools: are summarized once',
      {},
      pool({ partitionSummary: [PARTITION, PARTITION] }),
      [`status.pools[0].partitionSummary[1]: Duplicate value: ${JSON.stringify(PARTITION)}`],
    ],
    [
      'pools: have no negative counts',
      {},
      pool({ totalDevices: -1 }),
      ['status.pools[0].totalDevices: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ],
};
