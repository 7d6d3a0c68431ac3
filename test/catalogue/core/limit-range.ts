import type { Change, KindCases } from '../../support/kind-cases.ts';

const limits = (...items: Change[]): Change => ({ spec: { limits: items } });
const ITEM = 'spec.limits[0]';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  minimal: {},
  minimalStored: { spec: { limits: null } },
  full: limits(
    {
      type: 'Container',
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '100m', 'ephemeral-storage': '1Gi' },
      default: { cpu: '1' },
      maxLimitRequestRatio: { cpu: '10' },
    },
    { type: 'Pod', max: { cpu: '4' } },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
    { type: 'example.com/Disk', max: { storage: '1Ti' } },
  ),
  fullStored: limits(
    {
      type: 'Container',
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '100m', 'ephemeral-storage': '1Gi' },
      default: { cpu: '1', memory: '1Gi' },
      defaultRequest: { cpu: '1', 'ephemeral-storage': '1Gi', memory: '1Gi' },
      maxLimitRequestRatio: { cpu: '10' },
    },
    { type: 'Pod', max: { cpu: '4' } },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
    { type: 'example.com/Disk', max: { storage: '1Ti' } },
  ),
  invalid: [
    ['no name: it is named by a UUID', { metadata: { name: undefined } }, []],
    [
      'limits: standard types',
      limits({ type: 'Node' }),
      [`${ITEM}.type: Invalid value: "Node": must be a standard limit type or fully qualified`],
    ],
    [
      'limits: one of each type',
      limits({ type: 'Pod' }, { type: 'Pod' }),
      ['spec.limits[1].type: Duplicate value: "Pod"'],
    ],
    [
      'limits: resources of containers',
      limits({ type: 'Pod', max: { pods: '1' } }),
      [`${ITEM}.max[pods]: Invalid value: "pods": must be a standard resource for containers`],
    ],
    [
      'limits: resources of extensions',
      limits({ type: 'Container', max: { 'requests.example.com/a': '1' } }),
      ['max', 'default', 'defaultRequest'].map(
        (member) =>
          `${ITEM}.${member}[requests.example.com/a]: Invalid value: "requests.example.com/a": ` +
          "doesn't follow extended resource name standard",
      ),
    ],
    [
      'limits: no defaults of pods',
      limits({ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
      [
        `${ITEM}.default: Forbidden: may not be specified when \`type\` is 'Pod'`,
        `${ITEM}.defaultRequest: Forbidden: may not be specified when \`type\` is 'Pod'`,
      ],
    ],
    [
      'limits: storage of claims',
      limits({ type: 'PersistentVolumeClaim' }),
      [
        `${ITEM}.limits: Required value: either minimum or maximum storage value is required, ` +
          'but neither was provided',
      ],
    ],
    [
      'limits: min ≤ max',
      limits({ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }),
      [`${ITEM}.min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`],
    ],
    [
      'limits: min ≤ default request',
      limits({ type: 'Container', min: { cpu: '2' }, defaultRequest: { cpu: '1' } }),
      [
        `${ITEM}.defaultRequest[cpu]: Invalid value: "1": ` +
          'min value 2 is greater than default request value 1',
      ],
    ],
    [
      'limits: default request ≤ max and default',
      limits({ type: 'Container', max: { cpu: '1' }, defaultRequest: { cpu: '1001m' } }),
      [
        `${ITEM}.defaultRequest[cpu]: Invalid value: "1001m": ` +
          'default request value 1001m is greater than max value 1',
        `${ITEM}.defaultRequest[cpu]: Invalid value: "1001m": ` +
          'default request value 1001m is greater than default limit value 1',
      ],
    ],
    [
      'limits: min ≤ default ≤ max',
      limits({
        type: 'example.com/Disk',
        min: { storage: '2', memory: '1' },
        max: { memory: '2' },
        default: { storage: '1', memory: '3' },
      }),
      [
        `${ITEM}.default[memory]: Invalid value: "2": default value 3 is greater than max value 2`,
        `${ITEM}.default[storage]: Invalid value: "2": min value 2 is greater than default value 1`,
      ],
    ],
    [
      'limits: ratio ≥ 1',
      limits({ type: 'Pod', maxLimitRequestRatio: { cpu: '999m' } }),
      [`${ITEM}.maxLimitRequestRatio[cpu]: Invalid value: "999m": ratio 999m is less than 1`],
    ],
    [
      'limits: ratio ≤ max/min',
      limits({
        type: 'Pod',
        min: { cpu: '100m' },
        max: { cpu: '1' },
        maxLimitRequestRatio: { cpu: '11' },
      }),
      [
        `${ITEM}.maxLimitRequestRatio[cpu]: Invalid value: "11": ` +
          'ratio 11 is greater than max/min = 10.000000',
      ],
    ],
    [
      'limits: no overcommit of extensions',
      limits({
        type: 'Container',
        default: { 'example.com/gpu': '2' },
        defaultRequest: { 'example.com/gpu': '1' },
      }),
      [
        `${ITEM}.defaultRequest[example.com/gpu]: Invalid value: "1": ` +
          'default value 2 must equal to defaultRequest value 1 in example.com/gpu',
      ],
    ],
  ],
  updates: [['limits: may change', {}, limits({ type: 'Pod', max: { cpu: '1' } }), []]],
};
