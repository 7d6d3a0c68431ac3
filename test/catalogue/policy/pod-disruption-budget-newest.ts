import type { KindCases } from '../../support/kind-cases.ts';

const STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const SPEC = { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  minimal: {},
  minimalStored: { spec: {}, status: STATUS },
  full: { spec: SPEC },
  fullStored: { spec: SPEC, status: STATUS },
  invalid: ['Never', ''].map(
    (policy) =>
      [
        `budget: no policy "${policy}" for pods that are not healthy`,
        { spec: { unhealthyPodEvictionPolicy: policy } },
        [
          `spec.unhealthyPodEvictionPolicy: Unsupported value: "${policy}": ` +
            'supported values: "AlwaysAllow", "IfHealthyBudget"',
        ],
      ] as const,
  ),
};
