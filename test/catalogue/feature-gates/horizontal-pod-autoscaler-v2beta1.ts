import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as WITHOUT } from '../autoscaling/horizontal-pod-autoscaler-v2beta1.ts';

const MEMORY = {
  metrics: [
    {
      type: 'ContainerResource',
      containerResource: { name: 'memory', targetAverageValue: '1Gi', container: 'web' },
    },
  ],
};
const { minimal, minimalStored } = WITHOUT;

export const CASES: KindCases = {
  featureGates: ['HPAContainerMetrics'],
  apiVersion: 'autoscaling/v2beta1',
  kind: 'HorizontalPodAutoscaler',
  minimal,
  minimalStored,
  full: { spec: { ...(minimal['spec'] as Change), ...MEMORY } },
  fullStored: { ...minimalStored, spec: { ...(minimalStored['spec'] as Change), ...MEMORY } },
  invalid: [],
};
