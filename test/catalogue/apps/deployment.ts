import type { KindCases } from '../../support/kind-cases.ts';
import {
  moreThanReplicas,
  negative,
  NOT_SHAREABLE,
  notSelected,
  ofPod,
  PERCENT_HINT,
  podRows,
  SELECTION_ROWS,
  SELECTOR,
  storedTemplate,
  template,
  WRITABLE_DISK,
  volumesRow,
} from '../../support/workload-cases.ts';

const ROLLING = 'spec.strategy.rollingUpdate';

export const CASES: KindCases = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  minimal: { spec: { selector: SELECTOR, template: template() } },
  minimalStored: {
    spec: {
      replicas: 1,
      selector: SELECTOR,
      template: storedTemplate(),
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
      },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    status: {},
  },
  full: {
    spec: {
      replicas: 0,
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['web', 'api'] },
          { key: 'tier', operator: 'DoesNotExist' },
        ],
      },
      template: storedTemplate(),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '150%' } },
      minReadySeconds: 5,
      revisionHistoryLimit: 0,
      paused: true,
      progressDeadlineSeconds: 6,
    },
    status: {},
  },
  invalid: [
    volumesRow((template) => ({ spec: { template } }), 'spec.'),
    [
      'reference: a selector is required',
      { spec: { selector: undefined } },
      ['spec.selector: Required value', notSelected('{"app":"web"}')],
    ],
    [
      'reference: an empty selector',
      { spec: { selector: { matchLabels: undefined } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ' +
          'empty selector is invalid for deployment',
      ],
    ],
    [
      '3.7: an operator that selectors do not have',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] } } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Gt": ' +
          'not a valid selector operator',
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement' +
          '{Key:"a", Operator:"Gt", Values:[]string{"1"}}}}: invalid label selector',
      ],
    ],
    ...SELECTION_ROWS,
    [
      'reference: a template without labels is not selected',
      { spec: { template: { metadata: undefined } } },
      [notSelected('(nil)')],
    ],
    [
      'reference: an expression selects the template',
      { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } } },
      [notSelected('{"app":"web"}')],
    ],
    ...podRows('ReplicaSet'),
    [
      'reference: several pods share a disk that none writes',
      { spec: { replicas: 2, template: { spec: { volumes: WRITABLE_DISK } } } },
      [NOT_SHAREABLE],
    ],
    ['reference: one pod may write', ofPod({ volumes: WRITABLE_DISK }), []],
    [
      'reference: counts are not negative',
      { spec: { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3 } },
      [
        negative('spec.replicas'),
        negative('spec.minReadySeconds', -2),
        negative('spec.revisionHistoryLimit', -3),
      ],
    ],
    [
      'reference: the deadline for progress is not negative, and after the readiness',
      { spec: { progressDeadlineSeconds: -1 } },
      [
        negative('spec.progressDeadlineSeconds'),
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    ],
    [
      'reference: the deadline for progress may not be that of the readiness',
      { spec: { progressDeadlineSeconds: 9, minReadySeconds: 9 } },
      ['spec.progressDeadlineSeconds: Invalid value: 9: must be greater than minReadySeconds'],
    ],
    [
      'reference: strategies',
      { spec: { strategy: { type: 'Blue' } } },
      [
        'spec.strategy: Unsupported value: {"type":"Blue"}: ' +
          'supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'reference: nothing rolls when all is recreated',
      { spec: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
      [`${ROLLING}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`],
    ],
    ['reference: all may be recreated', { spec: { strategy: { type: 'Recreate' } } }, []],
    [
      'reference: a share is a number or a percentage',
      { spec: { strategy: { rollingUpdate: { maxUnavailable: 'half', maxSurge: -1 } } } },
      [
        `${ROLLING}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"half"}: ${PERCENT_HINT}`,
        negative(`${ROLLING}.maxSurge`),
      ],
    ],
    [
      'reference: something has to move',
      { spec: { strategy: { rollingUpdate: { maxUnavailable: '0%', maxSurge: 0 } } } },
      [
        `${ROLLING}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"0%"}: may not be 0 when \`maxSurge\` is 0`,
      ],
    ],
    [
      'reference: no more than all can be unavailable',
      { spec: { strategy: { rollingUpdate: { maxUnavailable: '101%' } } } },
      [
        `${ROLLING}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`,
      ],
    ],
  ],
  updates: [
    [
      'reference: generateName is free once there is a name',
      {},
      { metadata: { generateName: 'G' } },
      [],
    ],
    [
      'reference: as long as it fits into a path',
      {},
      { metadata: { generateName: 'a/b' } },
      ['metadata.generateName: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      'reference: the selector is immutable',
      {},
      {
        spec: {
          selector: { matchLabels: { app: 'api' } },
          template: { metadata: { labels: { app: 'api' } } },
        },
      },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"api"}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
      ],
    ],
    [
      'reference: the rest is mutable',
      {},
      { spec: { replicas: 3, paused: true, strategy: { type: 'Recreate', rollingUpdate: null } } },
      [],
    ],
  ],
  statusUpdates: [
    [
      'reference: counts',
      {},
      { status: { replicas: 2, readyReplicas: 2, availableReplicas: 1 } },
      [],
    ],
    [
      'reference: counts are not negative',
      {},
      {
        status: {
          observedGeneration: -1,
          replicas: -1,
          updatedReplicas: -1,
          readyReplicas: -1,
          availableReplicas: -1,
          unavailableReplicas: -1,
          collisionCount: -1,
        },
      },
      [
        negative('status.observedGeneration'),
        negative('status.replicas'),
        negative('status.updatedReplicas'),
        negative('status.readyReplicas'),
        negative('status.availableReplicas'),
        negative('status.unavailableReplicas'),
        negative('status.collisionCount'),
      ],
    ],
    [
      'reference: no more than there are',
      {},
      { status: { replicas: 1, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 4 } },
      [
        moreThanReplicas('updatedReplicas', 2),
        moreThanReplicas('readyReplicas', 3),
        moreThanReplicas('availableReplicas', 4),
        'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
      ],
    ],
    ['reference: the template is not the status', {}, { spec: { template: null } }, []],
  ],
};
