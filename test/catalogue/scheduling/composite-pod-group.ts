import type { Change, KindCases } from '../../support/kind-cases.ts';

const IMMUTABLE = 'Invalid value: null: field is immutable';
const REFERENCE = { workloadName: 'train', templateName: 'workers' };
const MINIMAL = { workloadRef: REFERENCE, schedulingPolicy: { basic: {} } };
const FULL = {
  parentCompositePodGroupName: 'parent',
  workloadRef: REFERENCE,
  schedulingPolicy: { gang: { minGroupCount: 2 } },
  schedulingConstraints: { topology: [{ key: 'example.com/rack' }] },
  disruptionMode: { all: {} },
  priorityClassName: 'high',
  priority: 7,
  preemptionPolicy: 'Never',
};

const spec = (members: Change): Change => ({ spec: members });

export const CASES: KindCases = {
  release: 37,
  featureGates: ['CompositePodGroup', 'PodGroupPreemptionPolicy'],
  apiVersion: 'scheduling.cluster.io/v1alpha3',
  kind: 'CompositePodGroup',
  minimal: { spec: MINIMAL },
  minimalStored: {
    spec: {
      ...MINIMAL,
      disruptionMode: { single: {} },
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {},
  },
  full: { spec: FULL },
  fullStored: { spec: FULL, status: {} },
  invalid: [
    [
      'it is made after a template',
      spec({ workloadRef: undefined }),
      ['spec.workloadRef: Required value'],
    ],
    [
      'a gang has groups',
      spec({ schedulingPolicy: { basic: undefined, gang: {} } }),
      ['spec.schedulingPolicy.gang.minGroupCount: Required value'],
    ],
  ],
  updates: [
    [
      'all of it stays',
      spec({ schedulingPolicy: { basic: undefined, gang: { minGroupCount: 2 } } }),
      spec({ schedulingPolicy: { gang: { minGroupCount: 3 } }, priority: 1 }),
      [`spec.schedulingPolicy: ${IMMUTABLE}`, `spec.priority: ${IMMUTABLE}`],
    ],
  ],
  statusUpdates: [
    [
      'conditions are whole',
      {},
      { status: { conditions: [{ type: 'DisruptionTarget', status: 'True' }] } },
      [
        'status.conditions[0].lastTransitionTime: Required value',
        'status.conditions[0].reason: Required value',
      ],
    ],
  ],
};
