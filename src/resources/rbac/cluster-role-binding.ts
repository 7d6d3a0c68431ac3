/** ClusterRoleBinding (README.md#roles). */
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

const ROLE_KINDS = ['ClusterRole'] as const;

export const CLUSTER_ROLE_BINDING = defineKind<Binding>({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  message: 'rbac.v1.ClusterRoleBinding',
  nameRule: 'pathSegment',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
  printer: BINDING_PRINTER,

  applyDefaults: applyBindingDefaults,

  validate(object) {
    const errors: FieldError[] = [];
    checkBinding(object, ROLE_KINDS, false, errors);
    return errors;
  },

  validateUpdate: roleRefErrors,
});
