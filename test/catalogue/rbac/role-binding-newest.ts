// The newest release treats some RoleBindings otherwise.
import type { KindCases } from '../../support/kind-cases.ts';

const GROUP = 'rbac.authorization.cluster.io';
const ROLE = { apiGroup: GROUP, kind: 'Role', name: 'a' };

export const CASES: KindCases = {
  release: 37,
  apiVersion: `${GROUP}/v1`,
  kind: 'RoleBinding',
  minimal: { roleRef: ROLE },
  minimalStored: { roleRef: ROLE },
  full: { roleRef: ROLE, subjects: [{ kind: 'User', apiGroup: GROUP, name: 'jane' }] },
  invalid: [],
  updates: [
    [
      'the role stays',
      {},
      { roleRef: { ...ROLE, name: 'b' } },
      [
        `roleRef: Invalid value: {"APIGroup":"${GROUP}","Kind":"Role","Name":"b"}: field is immutable`,
      ],
    ],
  ],
};
