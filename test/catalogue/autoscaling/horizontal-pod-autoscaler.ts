import type { Change, KindCases } from '../../support/kind-cases.ts';

const TARGET = { kind: 'Deployment', name: 'web' };
const CPU = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const STATUS = { desiredReplicas: 0, currentMetrics: null };
const VALUE = { type: 'Value', value: '5' };
const AVERAGE = { type: 'AverageValue', averageValue: '500m' };
const METRIC = { name: 'requests', selector: { matchLabels: { verb: 'get' } } };
const POLICY = { type: 'Pods', value: 2, periodSeconds: 60 };
const SPEC = {
  scaleTargetRef: { ...TARGET, apiVersion: 'apps/v1' },
  minReplicas: 2,
  maxReplicas: 9,
  metrics: [
    { type: 'Object', object: { describedObject: TARGET, target: VALUE, metric: METRIC } },
    { type: 'Pods', pods: { metric: METRIC, target: AVERAGE } },
    { type: 'Resource', resource: { name: 'memory', target: AVERAGE } },
    { type: 'External', external: { metric: METRIC, target: VALUE } },
  ],
  behavior: {
    scaleUp: { stabilizationWindowSeconds: 5, selectPolicy: 'Min', policies: [POLICY] },
    scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled', policies: [POLICY] },
  },
};
const metric = (...metrics: Change[]): Change => ({ spec: { metrics } });
const scaleUp = (rules: Change): Change => ({ spec: { behavior: { scaleUp: rules } } });
const UP = 'spec.behavior.scaleUp';
const FIRST = 'spec.metrics[0]';

export const CASES: KindCases = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  minimal: { spec: { scaleTargetRef: TARGET, maxReplicas: 3 } },
  minimalStored: {
    spec: { scaleTargetRef: TARGET, minReplicas: 1, maxReplicas: 3, metrics: [CPU] },
    status: STATUS,
  },
  full: { spec: SPEC },
  fullStored: { spec: SPEC, status: STATUS },
  invalid: [
    [
      'autoscaler: minReplicas',
      { spec: { minReplicas: 0 } },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: ' +
          'must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      'autoscaler: none is a number that pods say nothing of',
      {
        spec: {
          minReplicas: 0,
          metrics: [{ type: 'External', external: { metric: METRIC, target: VALUE } }],
        },
      },
      ['spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'],
    ],
    [
      'autoscaler: maxReplicas',
      { spec: { maxReplicas: 0 } },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      'autoscaler: the target',
      { spec: { scaleTargetRef: { kind: '', name: 'a/b' } } },
      [
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Invalid value: "a/b": may not contain \'/\'',
      ],
    ],
    [
      'autoscaler: types of metrics',
      metric({ type: 'Some' }),
      [
        `${FIRST}.type: Unsupported value: "Some": supported values: ` +
          '"ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      'autoscaler: type required',
      metric({}),
      [
        `${FIRST}.type: Required value: must specify a metric source type`,
        `${FIRST}.type: Unsupported value: "": supported values: ` +
          '"ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      'autoscaler: the source of the type',
      metric({ type: 'Pods', resource: CPU.resource }),
      [`${FIRST}.pods: Required value: must populate information for the given metric source`],
    ],
    [
      'autoscaler: one source',
      metric({ ...CPU, pods: { metric: METRIC, target: AVERAGE } }),
      [`${FIRST}.pods: Forbidden: must populate the given metric source only`],
    ],
    [
      'autoscaler: names of metrics',
      metric({ type: 'Pods', pods: { target: AVERAGE } }),
      [`${FIRST}.pods.metric.name: Required value: must specify a metric name`],
    ],
    [
      'autoscaler: types of targets',
      metric({ type: 'External', external: { metric: METRIC, target: { value: '1' } } }),
      [
        `${FIRST}.external.target.type: Required value: must specify a metric target type`,
        `${FIRST}.external.target.type: Invalid value: "": ` +
          'must be either Utilization, Value, or AverageValue',
      ],
    ],
    [
      'autoscaler: positive targets',
      metric({
        type: 'Object',
        object: {
          describedObject: TARGET,
          metric: METRIC,
          target: { type: 'Value', value: '0', averageValue: '-1', averageUtilization: 0 },
        },
      }),
      [
        `${FIRST}.object.target.value: Invalid value: "0": must be positive`,
        `${FIRST}.object.target.averageValue: Invalid value: "-1": must be positive`,
        `${FIRST}.object.target.averageUtilization: Invalid value: 0: must be greater than 0`,
      ],
    ],
    [
      'autoscaler: a target of pods is an average',
      metric({ type: 'Pods', pods: { metric: METRIC, target: VALUE } }),
      [
        `${FIRST}.pods.target.averageValue: Required value: ` +
          'must specify a positive target averageValue',
      ],
    ],
    [
      'autoscaler: a target has a value',
      metric({ type: 'External', external: { metric: METRIC, target: { type: 'Value' } } }),
      [
        `${FIRST}.external.target.averageValue: Required value: ` +
          'must set either a target value for metric or a per-pod target',
      ],
    ],
    [
      'autoscaler: one of two values',
      metric({
        type: 'External',
        external: { metric: METRIC, target: { ...VALUE, averageValue: '1' } },
      }),
      [
        `${FIRST}.external.target.value: Forbidden: ` +
          'may not set both a target value for metric and a per-pod target',
      ],
    ],
    [
      'autoscaler: resources of containers are dropped',
      metric({ type: 'ContainerResource', containerResource: { target: { type: 'Value' } } }),
      [
        `${FIRST}.containerResource: Required value: ` +
          'must populate information for the given metric source ' +
          '(only allowed when HPAContainerMetrics feature is enabled)',
      ],
    ],
    [
      'autoscaler: no policies',
      scaleUp({ policies: [] }),
      [`${UP}.policies: Required value: must specify at least one Policy`],
    ],
    [
      'autoscaler: raw or utilization',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: { ...AVERAGE, averageUtilization: 1 } },
      }),
      [
        `${FIRST}.resource.target.averageValue: Forbidden: ` +
          'may not set both a target raw value and a target utilization',
      ],
    ],
    [
      'autoscaler: the window',
      scaleUp({ stabilizationWindowSeconds: 3601 }),
      [
        `${UP}.stabilizationWindowSeconds: Invalid value: 3601: ` +
          'must be less than or equal to 3600',
      ],
    ],
    [
      'autoscaler: the window is not negative',
      scaleUp({ stabilizationWindowSeconds: -1 }),
      [
        `${UP}.stabilizationWindowSeconds: Invalid value: -1: ` +
          'must be greater than or equal to zero',
      ],
    ],
    [
      'autoscaler: selection',
      scaleUp({ selectPolicy: 'Any' }),
      [
        `${UP}.selectPolicy: Unsupported value: "Any": ` +
          'supported values: "Disabled", "Max", "Min"',
      ],
    ],
    [
      'autoscaler: policies',
      scaleUp({
        policies: [
          { type: 'All', value: 0, periodSeconds: 1801 },
          { type: 'Pods', value: 1 },
        ],
      }),
      [
        `${UP}.policies[0].type: Unsupported value: "All": supported values: "Percent", "Pods"`,
        `${UP}.policies[0].value: Invalid value: 0: must be greater than zero`,
        `${UP}.policies[0].periodSeconds: Invalid value: 1801: ` +
          'must be less than or equal to 1800',
        `${UP}.policies[1].periodSeconds: Invalid value: 0: must be greater than zero`,
      ],
    ],
  ],
  updates: [['autoscaler: may change', {}, { spec: { minReplicas: 2, metrics: [] } }, []]],
  statusUpdates: [
    [
      'autoscaler: counts',
      {},
      { status: { currentReplicas: -1, desiredReplicas: -1 } },
      [
        'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
        'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'autoscaler: status',
      {},
      {
        status: {
          observedGeneration: 1,
          currentReplicas: 1,
          desiredReplicas: 2,
          conditions: [{ type: 'AbleToScale', status: 'True' }],
          currentMetrics: [
            { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '1' } } },
          ],
        },
      },
      [],
    ],
  ],
};
