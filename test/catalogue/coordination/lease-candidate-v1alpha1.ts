import type { KindCases } from '../../support/kind-cases.ts';

export const CASES: KindCases = {
  release: 31,
  apiVersion: 'coordination.cluster.io/v1alpha1',
  kind: 'LeaseCandidate',
  minimal: { spec: { leaseName: 'scheduler' } },
  minimalStored: { spec: { leaseName: 'scheduler' } },
  full: {
    spec: {
      leaseName: 'scheduler',
      pingTime: '2024-05-01T10:11:12.123456Z',
      renewTime: '2024-05-01T10:11:13.000000Z',
      binaryVersion: '1.31.0',
      emulationVersion: '1.30.0',
      preferredStrategies: ['OldestEmulationVersion', 'example.com/any'],
    },
  },
  invalid: [
    [
      'the strategy of the system needs both versions',
      { spec: { leaseName: 'a', preferredStrategies: ['OldestEmulationVersion', 'Newest'] } },
      [
        "spec.binaryVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
        "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
        'spec.preferredStrategies[1].strategy: Unsupported value: "Newest": ' +
          'supported values: "OldestEmulationVersion"',
      ],
    ],
  ],
};
