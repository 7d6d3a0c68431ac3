import type { Change, KindCases } from '../../support/kind-cases.ts';

const IMMUTABLE = 'Invalid value: null: field is immutable';
const REFERENCE = { workload: { workloadName: 'train', podGroupTemplateName: 'workers' } };
const FULL = {
  podGroupTemplateRef: REFERENCE,
  schedulingPolicy: { gang: { minCount: 4 } },
  schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
  resourceClaims: [{ name: 'one', resourceClaimTemplateName: 'made' }],
  disruptionMode: 'PodGroup',
  priorityClassName: 'high',
  priority: 7,
};

const spec = (members: Change): Change => ({ spec: members });

export const CASES: KindCases = {
  release: 36,
  featureGates: [
    'GenericWorkload',
    'DRAWorkloadResourceClaims',
    'TopologyAwareWorkloadScheduling',
    'WorkloadAwarePreemption',
  ],
  apiVersion: 'scheduling.cluster.io/v1alpha2',
  kind: 'PodGroup',
  minimal: { spec: { schedulingPolicy: { basic: {} } } },
  minimalStored: {
    spec: { podGroupTemplateRef: null, schedulingPolicy: { basic: {} }, disruptionMode: 'Pod' },
    status: {},
  },
  full: { spec: FULL },
  fullStored: { spec: FULL, status: {} },
  invalid: [
    [
      'a group is made after something',
      spec({ podGroupTemplateRef: {} }),
      ['spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`'],
    ],
    [
      'a template of a workload',
      spec({ podGroupTemplateRef: { workload: { workloadName: 'train' } } }),
      ['spec.podGroupTemplateRef.workload.podGroupTemplateName: Required value'],
    ],
  ],
  updates: [
    [
      'all of it stays',
      spec({ podGroupTemplateRef: REFERENCE }),
      spec({
        podGroupTemplateRef: { workload: { workloadName: 'other' } },
        schedulingPolicy: { basic: undefined, gang: { minCount: 2 } },
        disruptionMode: 'PodGroup',
        priority: 1,
      }),
      [
        `spec.podGroupTemplateRef: ${IMMUTABLE}`,
        `spec.schedulingPolicy: ${IMMUTABLE}`,
        `spec.disruptionMode: ${IMMUTABLE}`,
        `spec.priority: ${IMMUTABLE}`,
      ],
    ],
  ],
};
