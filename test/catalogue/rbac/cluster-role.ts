import type { KindCases } from '../../support/kind-cases.ts';

const SELECTOR = { matchLabels: { 'rbac.example.com/aggregate': 'true' } };
const SELECTORS = 'aggregationRule.clusterRoleSelectors';

export const CASES: KindCases = {
  apiVersion: 'rbac.authorization.cluster.io/v1',
  kind: 'ClusterRole',
  name: (unique) => `system:${unique}`,
  minimal: {},
  minimalStored: { rules: null },
  full: {
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: ['web'] },
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/healthz/*'] },
    ],
    aggregationRule: {
      clusterRoleSelectors: [
        { ...SELECTOR, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] },
      ],
    },
  },
  invalid: [
    [
      '11.3: verbs required',
      { rules: [{ nonResourceURLs: ['/x'] }] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      '11.3: nonResourceURLs not with resources',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: ' +
          'rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
    [
      '11.3: aggregation needs selectors',
      { aggregationRule: {} },
      [
        `${SELECTORS}: Required value: ` +
          'at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    [
      '11.3: valid selectors',
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
        },
      },
      [
        `${SELECTORS}[0].matchExpressions[0].values: Required value: ` +
          "must be specified when `operator` is 'In' or 'NotIn'",
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
      ],
    ],
  ],
};
