import type { KindCases } from '../../support/kind-cases.ts';
import {
  ALWAYS_ONLY,
  moreThanReplicas,
  negative,
  NOT_SHAREABLE,
  notSelected,
  ofPod,
  SELECTOR,
  storedTemplate,
  template,
  WRITABLE_DISK,
} from '../../support/workload-cases.ts';

export const CASES: KindCases = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  minimal: { spec: { selector: SELECTOR, template: template() } },
  minimalStored: {
    spec: { replicas: 1, selector: SELECTOR, template: storedTemplate() },
    status: { replicas: 0 },
  },
  full: {
    spec: {
      replicas: 0,
      minReadySeconds: 5,
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['api'] }],
      },
      template: storedTemplate(),
    },
    status: { replicas: 0 },
  },
  invalid: [
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
      '3.7: an expression needs values',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
      [
        'spec.selector.matchExpressions[0].values: Required value: ' +
          "must be specified when `operator` is 'In' or 'NotIn'",
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement' +
          '{Key:"a", Operator:"In", Values:[]string(nil)}}}: invalid label selector',
      ],
    ],
    [
      'reference: the selector selects the template',
      { spec: { template: { metadata: { labels: { app: 'api' } } } } },
      [notSelected('{"app":"api"}')],
    ],
    [
      'reference: a pod has containers',
      ofPod({ containers: [] }),
      ['spec.template.spec.containers: Required value'],
    ],
    ['reference: pods always run', ofPod({ restartPolicy: 'Never' }), [ALWAYS_ONLY]],
    [
      'reference: pods do not end',
      ofPod({ activeDeadlineSeconds: 1 }),
      [
        'spec.template.spec.activeDeadlineSeconds: Forbidden: ' +
          'activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      'reference: several pods share a disk that none writes',
      { spec: { replicas: 2, template: { spec: { volumes: WRITABLE_DISK } } } },
      [NOT_SHAREABLE],
    ],
    [
      'reference: counts are not negative',
      { spec: { replicas: -1, minReadySeconds: -2 } },
      [negative('spec.replicas'), negative('spec.minReadySeconds', -2)],
    ],
  ],
  updates: [
    [
      'reference: the selector is immutable',
      {},
      { spec: { selector: { matchLabels: { app: null } } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":""}, ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
        notSelected('{"app":"web"}'),
      ],
    ],
    ['reference: the rest is mutable', {}, { spec: { replicas: 3, minReadySeconds: 4 } }, []],
  ],
  statusUpdates: [
    ['reference: counts', {}, { status: { replicas: 2, readyReplicas: 2 } }, []],
    [
      'reference: counts are not negative',
      {},
      {
        status: {
          replicas: -1,
          fullyLabeledReplicas: -1,
          readyReplicas: -1,
          availableReplicas: -1,
          observedGeneration: -1,
        },
      },
      [
        negative('status.replicas'),
        negative('status.fullyLabeledReplicas'),
        negative('status.readyReplicas'),
        negative('status.availableReplicas'),
        negative('status.observedGeneration'),
      ],
    ],
    [
      'reference: no more than there are',
      {},
      { status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 3, availableReplicas: 4 } },
      [
        moreThanReplicas('fullyLabeledReplicas', 2),
        moreThanReplicas('readyReplicas', 3),
        moreThanReplicas('availableReplicas', 4),
        'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
      ],
    ],
  ],
};
