import type { KindCases } from '../../support/kind-cases.ts';

const TARGET = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
const STATUS = { desiredReplicas: 0, currentMetrics: null };
const of = (name: string, container: string) => ({
  scaleTargetRef: TARGET,
  minReplicas: 1,
  maxReplicas: 3,
  metrics: [
    {
      type: 'ContainerResource',
      containerResource: {
        name,
        target: { type: 'Utilization', averageUtilization: 80 },
        container,
      },
    },
  ],
});
const FIELD = 'spec.metrics[0].containerResource';

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  minimal: { spec: of('cpu', 'web') },
  minimalStored: { spec: of('cpu', 'web'), status: STATUS },
  full: { spec: of('example.com/gpus', 'web') },
  fullStored: { spec: of('example.com/gpus', 'web'), status: STATUS },
  invalid: [
    [
      'autoscaler: a resource that containers ask for, of one of them',
      { spec: of('gpus', 'A_B') },
      [
        `${FIELD}.name: Invalid value: "gpus": must be a standard resource type or fully qualified`,
        `${FIELD}.name: Invalid value: "gpus": must be a standard resource for containers`,
        `${FIELD}.container: Invalid value: "A_B": a lowercase RFC 1123 label must consist of ` +
          "lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
          "character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ],
};
