import type { KindCases } from '../../support/kind-cases.ts';

const RULE = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

export const CASES: KindCases = {
  apiVersion: 'rbac.authorization.cluster.io/v1',
  kind: 'Role',
  name: (unique) => `system:${unique}`,
  minimal: {},
  minimalStored: { rules: null },
  full: {
    rules: [
      {
        verbs: ['get', 'list'],
        apiGroups: ['', 'apps'],
        resources: ['pods', 'pods/log'],
        resourceNames: ['web'],
      },
    ],
  },
  invalid: [
    [
      '3.7: path segment',
      { metadata: { name: 'a/b' } },
      ['metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      '11.3: verbs required',
      { rules: [{ ...RULE, verbs: [] }] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      '11.3: apiGroups required',
      { rules: [{ ...RULE, apiGroups: [] }] },
      ['rules[0].apiGroups: Required value: resource rules must supply at least one api group'],
    ],
    [
      '11.3: resources required',
      { rules: [RULE, { ...RULE, resources: [] }] },
      ['rules[1].resources: Required value: resource rules must supply at least one resource'],
    ],
    [
      '11.3: no nonResourceURLs',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: ' +
          'namespaced rules cannot apply to non-resource URLs',
      ],
    ],
  ],
};
