// The newest release treats some Roles otherwise.
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
