import type { KindCases } from '../../support/kind-cases.ts';
import {
  notSelected,
  podRows,
  REPLICA_ROWS,
  REPLICA_STATUS_ROWS,
  SELECTION_ROWS,
  SELECTOR,
  storedTemplate,
  template,
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
    ...SELECTION_ROWS,
    ...podRows('ReplicaSet'),
    ...REPLICA_ROWS,
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
  statusUpdates: REPLICA_STATUS_ROWS,
};
