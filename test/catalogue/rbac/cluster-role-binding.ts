import type { KindCases } from '../../support/kind-cases.ts';

const GROUP = 'rbac.authorization.cluster.io';

export const CASES: KindCases = {
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  minimal: { roleRef: { kind: 'ClusterRole', name: 'reader' } },
  minimalStored: { roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'reader' } },
  full: {
    subjects: [
      { kind: 'User', name: 'jane' },
      { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
    ],
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'system:edit' },
  },
  fullStored: {
    subjects: [
      { kind: 'User', apiGroup: GROUP, name: 'jane' },
      { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
    ],
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'system:edit' },
  },
  invalid: [
    [
      '11.3: roleRef.kind',
      { roleRef: { kind: 'Role' } },
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ],
    [
      '11.3: namespace of accounts',
      { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
      ['subjects[0].namespace: Required value'],
    ],
  ],
  updates: [
    [
      '11.3: roleRef immutable',
      {},
      { roleRef: { name: 'writer' } },
      [
        `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${GROUP}", Kind:"ClusterRole", Name:"writer"}: ` +
          'cannot change roleRef',
      ],
    ],
  ],
};
