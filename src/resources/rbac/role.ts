/** Role (README.md#roles). */
import type { Role } from '#messages/rbac.v1';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { checkPolicyRules, RBAC_GROUP } from './policy-rules.ts';

export const ROLE = defineKind<Role>({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  message: 'rbac.v1.Role',
  nameRule: 'pathSegment',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,

  validate({ rules = [] }) {
    const errors: FieldError[] = [];
    checkPolicyRules(rules, true, errors);
    return errors;
  },
});
