import type { KindCases } from '../../support/kind-cases.ts';

const DEFAULTS = {
  attachRequired: true,
  podInfoOnMount: false,
  volumeLifecycleModes: ['Persistent'],
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
  preventPodSchedulingIfMissing: false,
};

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'storage.cluster.io/v1',
  kind: 'CSIDriver',
  minimal: { spec: {} },
  minimalStored: { spec: DEFAULTS },
  full: {
    spec: {
      ...DEFAULTS,
      tokenRequests: [{ audience: 'a' }],
      seLinuxMount: true,
      nodeAllocatableUpdatePeriodSeconds: 10,
      serviceAccountTokenInSecrets: false,
      preventPodSchedulingIfMissing: true,
    },
  },
  invalid: [
    [
      'driver: ten seconds between looks',
      { spec: { nodeAllocatableUpdatePeriodSeconds: 9 } },
      [
        'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: ' +
          'must be greater than or equal to 10 seconds',
      ],
    ],
    [
      'driver: secrets hold tokens that are asked for',
      { spec: { serviceAccountTokenInSecrets: true } },
      [
        'spec.serviceAccountTokenInSecrets: Invalid value: true: ' +
          'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
  ],
  updates: [
    ['driver: may be told of pods', {}, { spec: { podInfoOnMount: true } }, []],
    ['driver: may change its policy of groups', {}, { spec: { fsGroupPolicy: 'File' } }, []],
  ],
};
