import type { KindCases } from '../../support/kind-cases.ts';

const PLACE = 'spec.strategy.strategy';

export const CASES: KindCases = {
  release: 37,
  featureGates: ['CoordinatedLeaderElection'],
  apiVersion: 'coordination.cluster.io/v1',
  kind: 'Lease',
  minimal: {},
  minimalStored: { spec: {} },
  full: {
    spec: {
      holderIdentity: 'node-1',
      leaseDurationSeconds: 15,
      acquireTime: '2024-05-01T10:11:12.123456Z',
      renewTime: '2024-05-01T10:11:13.000000Z',
      leaseTransitions: 0,
      strategy: 'OldestEmulationVersion',
      preferredHolder: 'node-2',
    },
  },
  invalid: [
    ['a strategy of somebody else', { spec: { strategy: 'example.com/newest' } }, []],
    [
      'a strategy of the system is known',
      { spec: { strategy: 'Newest' } },
      [`${PLACE}: Unsupported value: "Newest": supported values: "OldestEmulationVersion"`],
    ],
    [
      'a preferred holder needs a strategy',
      { spec: { preferredHolder: 'a' } },
      ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined'],
    ],
  ],
};
