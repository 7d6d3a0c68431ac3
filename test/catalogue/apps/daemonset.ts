import type { KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import {
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
} from '../../support/workload-cases.ts';

const ROLLING = 'spec.updateStrategy.rollingUpdate';
const STATUS = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

export const CASES: KindCases = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  minimal: { spec: { selector: SELECTOR, template: template() } },
  minimalStored: {
    spec: {
      selector: SELECTOR,
      template: storedTemplate(),
      updateStrategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
      },
      revisionHistoryLimit: 10,
    },
    status: STATUS,
  },
  full: {
    spec: {
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'app', operator: 'Exists' }],
      },
      template: storedTemplate(),
      updateStrategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' },
      },
      minReadySeconds: 5,
      revisionHistoryLimit: 0,
    },
    status: STATUS,
  },
  invalid: [
    [
      'reference: no selector selects nothing',
      { spec: { selector: undefined } },
      [notSelected('{"app":"web"}')],
    ],
    [
      'reference: an empty selector',
      { spec: { selector: { matchLabels: undefined } } },
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), ' +
          'MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: ' +
          'empty selector is invalid for daemonset',
      ],
    ],
    [
      '3.7: an operator that selectors do not have',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Lt' }] } } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Lt": ' +
          'not a valid selector operator',
      ],
    ],
    ...SELECTION_ROWS,
    ...podRows('DaemonSet'),
    [
      'reference: the pods of all nodes share a disk that none writes',
      ofPod({ volumes: WRITABLE_DISK }),
      [NOT_SHAREABLE],
    ],
    [
      'reference: counts are not negative',
      { spec: { minReadySeconds: -2, revisionHistoryLimit: -3 } },
      [negative('spec.minReadySeconds', -2), negative('spec.revisionHistoryLimit', -3)],
    ],
    [
      'reference: strategies',
      { spec: { updateStrategy: { type: 'Recreate' } } },
      [
        'spec.updateStrategy: Unsupported value: {"type":"Recreate"}: ' +
          'supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    ['reference: on delete', { spec: { updateStrategy: { type: 'OnDelete' } } }, []],
    [
      'reference: a share is a number or a percentage',
      { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '-5%', maxSurge: -1 } } } },
      [
        `${ROLLING}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"-5%"}: ${PERCENT_HINT}`,
        negative(`${ROLLING}.maxSurge`),
      ],
    ],
    [
      'reference: something has to move',
      { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '0%' } } } },
      [`${ROLLING}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`],
    ],
    [
      'reference: pods go first or come first',
      { spec: { updateStrategy: { rollingUpdate: { maxSurge: '10%' } } } },
      [
        `${ROLLING}.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"10%"}: ` +
          'may not be set when maxUnavailable is non-zero',
      ],
    ],
    [
      'reference: no more than all',
      { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '101%' } } } },
      [
        `${ROLLING}.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`,
      ],
    ],
    [
      'reference: no more than all twice',
      { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '101%' } } } },
      [
        `${ROLLING}.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`,
      ],
    ],
  ],
  updates: [
    [
      'reference: generateName is checked',
      {},
      { metadata: { generateName: 'G' } },
      [`metadata.generateName: Invalid value: "G": ${SUBDOMAIN_HINT}`],
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
    ['reference: the rest is mutable', {}, { spec: { updateStrategy: { type: 'OnDelete' } } }, []],
  ],
  statusUpdates: [
    [
      'reference: generateName is free in writes of the status',
      {},
      { metadata: { generateName: 'G' } },
      [],
    ],
    ['reference: counts', {}, { status: { numberReady: 2, collisionCount: 0 } }, []],
    [
      'reference: counts are not negative',
      {},
      {
        status: {
          currentNumberScheduled: -1,
          numberMisscheduled: -1,
          desiredNumberScheduled: -1,
          numberReady: -1,
          observedGeneration: -1,
          updatedNumberScheduled: -1,
          numberAvailable: -1,
          numberUnavailable: -1,
          collisionCount: -1,
        },
      },
      [
        negative('status.currentNumberScheduled'),
        negative('status.numberMisscheduled'),
        negative('status.desiredNumberScheduled'),
        negative('status.numberReady'),
        negative('status.observedGeneration'),
        negative('status.updatedNumberScheduled'),
        negative('status.numberAvailable'),
        negative('status.numberUnavailable'),
        negative('status.collisionCount'),
      ],
    ],
  ],
};
