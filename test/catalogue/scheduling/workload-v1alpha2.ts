import type { Change, KindCases } from '../../support/kind-cases.ts';

const BASIC = { name: 'all', schedulingPolicy: { basic: {} } };
const GANG = { name: 'gang', schedulingPolicy: { gang: { minCount: 2 } } };
const TEMPLATE = 'spec.podGroupTemplates[0]';

const groups = (...podGroupTemplates: Change[]): Change => ({ spec: { podGroupTemplates } });
const group = (members: Change): Change => groups({ ...BASIC, ...members });

export const CASES: KindCases = {
  release: 36,
  featureGates: [
    'GenericWorkload',
    'DRAWorkloadResourceClaims',
    'TopologyAwareWorkloadScheduling',
    'WorkloadAwarePreemption',
  ],
  apiVersion: 'scheduling.cluster.io/v1alpha2',
  kind: 'Workload',
  minimal: { spec: { podGroupTemplates: [BASIC] } },
  minimalStored: { spec: { podGroupTemplates: [{ ...BASIC, schedulingConstraints: null }] } },
  full: {
    spec: {
      controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'train' },
      podGroupTemplates: [
        {
          name: 'workers',
          schedulingPolicy: { gang: { minCount: 4 } },
          schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
          resourceClaims: [{ name: 'one', resourceClaimName: 'shared' }],
          disruptionMode: 'PodGroup',
          priorityClassName: 'high',
          priority: 7,
        },
      ],
    },
  },
  invalid: [
    ['there is a template', groups(), ['spec.podGroupTemplates: Required value']],
    [
      'a mode is one of two',
      group({ disruptionMode: 'All' }),
      [`${TEMPLATE}.disruptionMode: Unsupported value: "All": supported values: "Pod", "PodGroup"`],
    ],
    [
      'a priority is bounded',
      group({ priority: 1_000_000_001 }),
      [`${TEMPLATE}.priority: Invalid value: 1000000001: must be less than or equal to 1000000000`],
    ],
    ['templates may have several', groups(BASIC, { ...GANG, priority: 1 }), []],
  ],
  updates: [
    [
      'templates stay as they are',
      groups(GANG),
      groups({ ...GANG, schedulingPolicy: { gang: { minCount: 3 } } }),
      ['spec.podGroupTemplates: Invalid value: null: field is immutable'],
    ],
  ],
};
