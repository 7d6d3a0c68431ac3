import type { KindCases } from '../../support/kind-cases.ts';

const TARGET = { kind: 'Deployment', name: 'web' };
const STATUS = { currentReplicas: 0, desiredReplicas: 0, currentMetrics: null, conditions: null };
const SELECTOR = { matchLabels: { verb: 'get' } };
const SPEC = {
  scaleTargetRef: { ...TARGET, apiVersion: 'apps/v1' },
  minReplicas: 2,
  maxReplicas: 9,
  metrics: [
    {
      type: 'Object',
      object: { target: TARGET, metricName: 'a', targetValue: '5', selector: SELECTOR },
    },
    {
      type: 'Object',
      object: { target: TARGET, metricName: 'a', targetValue: '0', averageValue: '5' },
    },
    { type: 'Pods', pods: { metricName: 'b', targetAverageValue: '500m', selector: SELECTOR } },
    { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } },
    { type: 'External', external: { metricName: 'c', metricSelector: SELECTOR, targetValue: '1' } },
    { type: 'External', external: { metricName: 'c', targetAverageValue: '1' } },
  ],
};

export const CASES: KindCases = {
  apiVersion: 'autoscaling/v2beta1',
  kind: 'HorizontalPodAutoscaler',
  minimal: { spec: { scaleTargetRef: TARGET, maxReplicas: 3 } },
  minimalStored: {
    spec: {
      scaleTargetRef: TARGET,
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }],
    },
    status: STATUS,
  },
  full: { spec: SPEC },
  fullStored: { spec: SPEC, status: STATUS },
  invalid: [
    [
      'autoscaler: errors name the members of v2',
      { spec: { metrics: [{ type: 'Pods', pods: { metricName: 'a' } }] } },
      ['spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive'],
    ],
  ],
};
