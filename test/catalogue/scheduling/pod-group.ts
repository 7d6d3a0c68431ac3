import type { Change, KindCases } from '../../support/kind-cases.ts';

const IMMUTABLE = 'Invalid value: null: field is immutable';
const REFERENCE = { workloadName: 'train', templateName: 'workers' };
const CONDITION = {
  type: 'PodGroupInitiallyScheduled',
  status: 'True',
  reason: 'Scheduled',
  message: '',
  lastTransitionTime: '2024-01-02T03:04:05Z',
};

const spec = (members: Change): Change => ({ spec: members });
const status = (members: Change): Change => ({ status: members });

const FULL_SPEC = {
  parentCompositePodGroupName: 'parent',
  workloadRef: REFERENCE,
  schedulingPolicy: { gang: { minCount: 4 } },
  schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
  resourceClaims: [{ name: 'one', resourceClaimTemplateName: 'made' }],
  disruptionMode: { all: {} },
  priorityClassName: 'high',
  priority: 7,
  preemptionPolicy: 'Never',
};

export const CASES: KindCases = {
  release: 37,
  featureGates: [
    'GenericWorkload',
    'CompositePodGroup',
    'DRAWorkloadResourceClaims',
    'PodGroupPreemptionPolicy',
    'TopologyAwareWorkloadScheduling',
  ],
  apiVersion: 'scheduling.cluster.io/v1beta1',
  kind: 'PodGroup',
  minimal: { spec: { schedulingPolicy: { basic: {} } } },
  minimalStored: {
    spec: {
      schedulingPolicy: { basic: {} },
      disruptionMode: { single: {} },
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {},
  },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: {},
  },
  invalid: [
    [
      'whoever has a parent has a workload',
      spec({ parentCompositePodGroupName: 'parent' }),
      ['spec.workloadRef: Required value: must be set when parentCompositePodGroupName is set'],
    ],
    [
      'which is named with a template',
      spec({ workloadRef: {} }),
      [
        'spec.workloadRef.workloadName: Required value',
        'spec.workloadRef.templateName: Required value',
      ],
    ],
    [
      'a group has a policy',
      spec({ schedulingPolicy: undefined }),
      ['spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'],
    ],
    [
      'no more than four claims',
      spec({
        resourceClaims: Array.from({ length: 5 }, (_, index) => ({
          name: `c${index}`,
          resourceClaimName: 'shared',
        })),
      }),
      ['spec.resourceClaims: Too many: 5: must have at most 4 items'],
    ],
    [
      'each of one kind',
      spec({
        resourceClaims: [{ name: 'a', resourceClaimName: 'b', resourceClaimTemplateName: 'c' }],
      }),
      [
        'spec.resourceClaims[0]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": ' +
          'must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`',
      ],
    ],
  ],
  updates: [
    [
      'a gang may grow',
      spec({ schedulingPolicy: { basic: undefined, gang: { minCount: 2 } } }),
      spec({ schedulingPolicy: { gang: { minCount: 3 } } }),
      [],
    ],
    [
      'all else stays',
      spec({ workloadRef: REFERENCE, priority: 1 }),
      spec({
        workloadRef: { templateName: 'others' },
        disruptionMode: { single: undefined, all: {} },
        priority: 2,
        preemptionPolicy: 'Never',
        resourceClaims: [{ name: 'a', resourceClaimName: 'b' }],
      }),
      [
        `spec.workloadRef: ${IMMUTABLE}`,
        `spec.resourceClaims: ${IMMUTABLE}`,
        `spec.disruptionMode: ${IMMUTABLE}`,
        `spec.priority: ${IMMUTABLE}`,
        `spec.preemptionPolicy: ${IMMUTABLE}`,
      ],
    ],
  ],
  statusUpdates: [
    ['conditions are told', {}, status({ conditions: [CONDITION] }), []],
    [
      'once each',
      {},
      status({ conditions: [CONDITION, CONDITION] }),
      ['status.conditions[1]: Duplicate value: "PodGroupInitiallyScheduled"'],
    ],
    [
      'claims are those of the group',
      spec({ resourceClaims: [{ name: 'a', resourceClaimTemplateName: 'b' }] }),
      status({
        resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'made' }, { name: 'other' }],
      }),
      [
        'status.resourceClaimStatuses[1].name: Invalid value: "other": must match the name of an ' +
          'entry in `spec.resourceClaims`',
      ],
    ],
  ],
};
