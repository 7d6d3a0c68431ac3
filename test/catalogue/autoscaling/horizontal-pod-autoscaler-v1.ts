import type { KindCases } from '../../support/kind-cases.ts';

const TARGET = { kind: 'Deployment', name: 'web' };
const STATUS = { currentReplicas: 0, desiredReplicas: 0 };

const FULL_SPEC = {
  scaleTargetRef: { ...TARGET, apiVersion: 'apps/v1' },
  minReplicas: 2,
  maxReplicas: 9,
  targetCPUUtilizationPercentage: 50,
};

export const CASES: KindCases = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  minimal: { spec: { scaleTargetRef: TARGET, maxReplicas: 3 } },
  minimalStored: {
    spec: {
      scaleTargetRef: TARGET,
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 80,
    },
    status: STATUS,
  },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: STATUS,
  },
  invalid: [
    [
      'autoscaler: maxReplicas',
      { spec: { maxReplicas: 1, minReplicas: 2 } },
      ['spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`'],
    ],
  ],
};
