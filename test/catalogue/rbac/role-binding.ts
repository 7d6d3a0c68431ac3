import type { KindCases } from '../../support/kind-cases.ts';

const GROUP = 'rbac.authorization.cluster.io';

export const CASES: KindCases = {
  apiVersion: `${GROUP}/v1`,
  kind: 'RoleBinding',
  minimal: { roleRef: { kind: 'Role', name: 'reader' } },
  minimalStored: { roleRef: { apiGroup: GROUP, kind: 'Role', name: 'reader' } },
  full: {
    subjects: [
      { kind: 'User', apiGroup: GROUP, name: 'jane' },
      { kind: 'Group', apiGroup: GROUP, name: 'system:masters' },
      { kind: 'ServiceAccount', name: 'builder', namespace: 'ci' },
    ],
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'system:edit' },
  },
  invalid: [
    [
      '11.3: roleRef.apiGroup',
      { roleRef: { apiGroup: 'apps' } },
      [`roleRef.apiGroup: Unsupported value: "apps": supported values: "${GROUP}"`],
    ],
    [
      '11.3: roleRef.kind',
      { roleRef: { kind: 'Pod' } },
      ['roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"'],
    ],
    ['11.3: roleRef.name', { roleRef: { name: '' } }, ['roleRef.name: Required value']],
    [
      '11.3: roleRef.name is a path segment',
      { roleRef: { name: 'a%b' } },
      ['roleRef.name: Invalid value: "a%b": may not contain \'%\''],
    ],
    [
      '11.3: kinds of subjects',
      { subjects: [{ kind: 'Pod', name: 'a' }] },
      [
        'subjects[0].kind: Unsupported value: "Pod": ' +
          'supported values: "ServiceAccount", "User", "Group"',
      ],
    ],
    ['11.3: subject names', { subjects: [{ kind: 'User' }] }, ['subjects[0].name: Required value']],
    [
      '11.3: group of users',
      { subjects: [{ kind: 'User', name: 'a', apiGroup: 'apps' }] },
      [`subjects[0].apiGroup: Unsupported value: "apps": supported values: "${GROUP}"`],
    ],
    [
      '11.3: accounts have no group',
      { subjects: [{ kind: 'ServiceAccount', name: 'a', apiGroup: GROUP }] },
      [`subjects[0].apiGroup: Unsupported value: "${GROUP}": supported values: ""`],
    ],
  ],
  updates: [
    [
      '11.3: roleRef immutable',
      {},
      { roleRef: { name: 'writer' } },
      [
        `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${GROUP}", Kind:"Role", Name:"writer"}: ` +
          'cannot change roleRef',
      ],
    ],
    ['11.3: subjects may change', {}, { subjects: [{ kind: 'User', name: 'jane' }] }, []],
  ],
};
