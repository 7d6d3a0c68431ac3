// What the newest release makes of Roles, where it makes something else of them.
import type { KindCases } from '../../support/kind-cases.ts';

const RULE = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

export const CASES: KindCases = {
  release: 37,
  apiVersion: 'rbac.authorization.cluster.io/v1',
  kind: 'Role',
  minimal: {},
  minimalStored: { rules: null },
  full: { rules: [RULE] },
  invalid: [['verbs', { rules: [{ ...RULE, verbs: [] }] }, ['rules[0].verbs: Required value']]],
};
