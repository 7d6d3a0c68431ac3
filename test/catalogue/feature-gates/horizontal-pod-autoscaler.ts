import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CASES as WITHOUT } from '../autoscaling/horizontal-pod-autoscaler.ts';

const metrics = (containerResource: Change): Change => ({
  metrics: [{ type: 'ContainerResource', containerResource }],
});
const CPU = metrics({
  name: 'cpu',
  target: { type: 'AverageValue', averageValue: '500m' },
  container: 'web',
});
const { minimal, minimalStored } = WITHOUT;
const FIRST = 'spec.metrics[0].containerResource';

export const CASES: KindCases = {
  featureGates: ['HPAContainerMetrics'],
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  minimal,
  minimalStored,
  full: { spec: { ...(minimal['spec'] as Change), ...CPU } },
  fullStored: { ...minimalStored, spec: { ...(minimalStored['spec'] as Change), ...CPU } },
  invalid: [
    [
      'resources of containers',
      { spec: metrics({ target: { type: 'Value' } }) },
      [
        `${FIRST}.name: Required value: must specify a resource name`,
        `${FIRST}.container: Required value: must specify a container`,
        `${FIRST}.target.averageUtilization: Required value: ` +
          'must set either a target raw value or a target utilization',
      ],
    ],
  ],
};
