/** RoleBinding (README.md#roles). */
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { BINDING_PRINTER } from './role-binding-printer.ts';
import {
  applyBindingDefaults,
  checkBinding,
  roleRefErrors,
  type Binding,
} from './role-binding-rules.ts';
import { RBAC_GROUP } from './policy-rules.ts';

const ROLE_KINDS = ['Role', 'ClusterRole'] as const;

export const ROLE_BINDING = defineKind<Binding>({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  message: 'rbac.v1.RoleBinding',
  nameRule: 'pathSegment',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: BINDING_PRINTER,

  applyDefaults: applyBindingDefaults,

  validate(object) {
    const errors: FieldError[] = [];
    checkBinding(object, ROLE_KINDS, true, errors);
    return errors;
  },

  validateUpdate: roleRefErrors,
});
