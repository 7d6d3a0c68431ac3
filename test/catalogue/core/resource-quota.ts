import type { Change, KindCases } from '../../support/kind-cases.ts';

const MATCH = 'spec.scopeSelector.matchExpressions';
const selector = (requirement: object): Change => ({
  spec: { scopeSelector: { matchExpressions: [requirement] } },
});

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  minimal: {},
  minimalStored: { spec: {}, status: {} },
  full: {
    spec: {
      hard: { pods: '10', 'requests.cpu': '0.5', 'limits.memory': '1024Mi' },
      scopes: ['NotBestEffort', 'NotTerminating'],
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'PriorityClass', operator: 'In', values: ['high'] },
          { scopeName: 'Terminating', operator: 'Exists' },
        ],
      },
    },
    status: { hard: { pods: '10' } },
  },
  fullStored: {
    spec: {
      hard: { 'limits.memory': '1Gi', pods: '10', 'requests.cpu': '500m' },
      scopes: ['NotBestEffort', 'NotTerminating'],
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'PriorityClass', operator: 'In', values: ['high'] },
          { scopeName: 'Terminating', operator: 'Exists' },
        ],
      },
    },
    status: {},
  },
  invalid: [
    [
      'quota: not negative',
      { spec: { hard: { cpu: '-1' } } },
      ['spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'quota: counts are whole',
      { spec: { hard: { pods: '500m' } } },
      ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
    ],
    [
      'quota: object counts are whole',
      { spec: { hard: { 'count/jobs.batch': '1500m' } } },
      ['spec.hard[count/jobs.batch]: Invalid value: "1500m": must be an integer'],
    ],
    [
      'quota: standard resources',
      { spec: { hard: { apples: '1' } } },
      [
        'spec.hard[apples]: Invalid value: "apples": ' +
          'must be a standard resource type or fully qualified',
        'spec.hard[apples]: Invalid value: "apples": must be a standard resource for quota',
      ],
    ],
    [
      'quota: standard, but not for quotas',
      { spec: { hard: { storage: '1' } } },
      ['spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
    ],
    [
      'quota: known scopes',
      { spec: { scopes: ['Some'] } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"Some"}: unsupported scope'],
    ],
    [
      'quota: scopes of pods',
      { spec: { hard: { secrets: '1' }, scopes: ['Terminating'] } },
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"Terminating"}: ' +
          'unsupported scope applied to resource',
      ],
    ],
    [
      'quota: best effort counts pods',
      { spec: { hard: { cpu: '1' }, scopes: ['BestEffort'] } },
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: ' +
          'unsupported scope applied to resource',
      ],
    ],
    [
      'quota: scopes that exclude each other',
      { spec: { scopes: ['BestEffort', 'NotBestEffort'] } },
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: ' +
          'conflicting scopes',
      ],
    ],
    [
      'quota: known scopes in selectors',
      selector({ scopeName: 'Some', operator: 'Exists' }),
      [`${MATCH}.scopeName: Invalid value: "Some": unsupported scope`],
    ],
    [
      'quota: such a scope exists',
      selector({ scopeName: 'Terminating', operator: 'DoesNotExist' }),
      [
        `${MATCH}.operator: Invalid value: "DoesNotExist": must be 'Exist' when scope is any of ` +
          'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ' +
          'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ' +
          'ResourceQuotaScopeCrossNamespacePodAffinity',
      ],
    ],
    [
      'quota: In has values',
      selector({ scopeName: 'PriorityClass', operator: 'In' }),
      [
        `${MATCH}.values: Required value: must be at least one value when \`operator\` is 'In' or ` +
          "'NotIn' for scope selector",
      ],
    ],
    [
      'quota: Exists has none',
      selector({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
      [
        `${MATCH}.values: Invalid value: []string{"a"}: must be no value when \`operator\` is ` +
          "'Exist' or 'DoesNotExist' for scope selector",
      ],
    ],
    [
      'quota: operators',
      selector({ scopeName: 'PriorityClass', operator: 'Is' }),
      [`${MATCH}.operator: Invalid value: "Is": not a valid selector operator`],
    ],
  ],
  updates: [
    [
      'quota: scopes immutable',
      { spec: { scopes: ['Terminating'] } },
      { spec: { scopes: [] } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{}: field is immutable'],
    ],
    [
      'quota: amounts may change',
      { spec: { hard: { pods: '1' } } },
      { spec: { hard: { pods: '2' } } },
      [],
    ],
  ],
  statusUpdates: [
    [
      'quota: used',
      {},
      { status: { hard: { pods: '1' }, used: { pods: '-1' } } },
      ['status.used[pods]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    ['quota: status', {}, { status: { hard: { pods: '1' }, used: { pods: '1' } } }, []],
  ],
};
