import type { KindCases } from '../../support/kind-cases.ts';

const REQUEST = { name: 'gpu', deviceClassName: 'gpus' };
const devices = (...requests: readonly object[]): object => ({ devices: { requests } });

const FULL_SPEC = devices(
  {
    ...REQUEST,
    selectors: [{ cel: { expression: 'device.allowMultipleAllocations' } }],
    allocationMode: 'All',
    adminAccess: false,
    tolerations: [{ operator: 'Exists' }],
    capacity: { requests: { 'a.example.com/b': '1' } },
  },
  {
    name: 'some',
    deviceClassName: '',
    firstAvailable: [
      { name: 'a', deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 2 },
    ],
  },
);

// Requests have their members in themselves; errors tell of them where `v1` has them.
export const CASES: KindCases = {
  release: 37,
  apiVersion: 'resource.cluster.io/v1beta1',
  kind: 'ResourceClaim',
  minimal: { spec: devices(REQUEST) },
  minimalStored: {
    spec: devices({ ...REQUEST, allocationMode: 'ExactCount', count: 1 }),
    status: {},
  },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: {},
  },
  invalid: [
    [
      'requests: say what they ask for',
      { spec: devices({ name: 'gpu' }) },
      [
        'spec.devices.requests[0]: Required value: ' +
          'exactly one of `exactly` or `firstAvailable` is required',
      ],
    ],
    [
      'count: at least one',
      { spec: devices({ ...REQUEST, count: -1 }) },
      ['spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero'],
    ],
  ],
};
