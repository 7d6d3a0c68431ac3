import type { KindCases } from '../../support/kind-cases.ts';

const STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
const CONDITION = {
  type: 'DisruptionAllowed',
  status: 'True',
  lastTransitionTime: '2024-01-01T00:00:00Z',
  reason: 'SufficientPods',
  message: '',
};
const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or " +
  "'93%', regex used for validation is '[0-9]+%')";
const REASON =
  'a condition reason must start with alphabetic character, optionally followed by a string of ' +
  "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. " +
  "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex " +
  "used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

const FULL_SPEC = {
  minAvailable: '50%',
  selector: {
    matchLabels: { app: 'web' },
    matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['a'] }],
  },
};

export const CASES: KindCases = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  minimal: {},
  minimalStored: { spec: {}, status: STATUS },
  full: {
    spec: FULL_SPEC,
  },
  fullStored: {
    spec: FULL_SPEC,
    status: STATUS,
  },
  invalid: [
    [
      'budget: one of the two',
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      [
        'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: ' +
          'minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      'budget: not negative',
      { spec: { maxUnavailable: -1 } },
      ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'budget: a number or a percentage',
      { spec: { minAvailable: '5' } },
      [
        `spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"5"}: ${PERCENT}`,
      ],
    ],
    [
      'budget: no more than all',
      { spec: { maxUnavailable: '101%' } },
      [
        'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
      ],
    ],
    [
      'budget: selector',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Is": ' +
          'not a valid selector operator',
      ],
    ],
  ],
  updates: [['budget: may change', {}, { spec: { maxUnavailable: 1, selector: {} } }, []]],
  statusUpdates: [
    ['budget: status', {}, { status: { ...STATUS, conditions: [CONDITION] } }, []],
    [
      'budget: counts',
      {},
      { status: { disruptionsAllowed: -1, expectedPods: -2 } },
      [
        'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
        'status.expectedPods: Invalid value: -2: must be greater than or equal to 0',
      ],
    ],
    [
      'budget: conditions unique',
      {},
      { status: { conditions: [CONDITION, CONDITION] } },
      ['status.conditions[1].type: Duplicate value: "DisruptionAllowed"'],
    ],
    [
      'budget: conditions',
      {},
      {
        status: { conditions: [{ type: 'A', status: 'Yes', reason: '1', observedGeneration: -1 }] },
      },
      [
        'status.conditions[0].status: Unsupported value: "Yes": ' +
          'supported values: "False", "True", "Unknown"',
        'status.conditions[0].observedGeneration: Invalid value: -1: ' +
          'must be greater than or equal to zero',
        'status.conditions[0].lastTransitionTime: Required value: must be set',
        `status.conditions[0].reason: Invalid value: "1": ${REASON}`,
      ],
    ],
  ],
};
