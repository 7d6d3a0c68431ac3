import type { KindCases } from '../../support/kind-cases.ts';

const STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

export const CASES: KindCases = {
  apiVersion: 'policy/v1beta1',
  kind: 'PodDisruptionBudget',
  minimal: { spec: { selector: {} } },
  minimalStored: { spec: { selector: {} }, status: STATUS },
  full: { spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 2 } },
  fullStored: {
    spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 2 },
    status: STATUS,
  },
  invalid: [
    [
      'budget: not negative',
      { spec: { maxUnavailable: -1 } },
      ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ],
};
