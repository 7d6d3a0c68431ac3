/** ClusterRole (README.md#roles). */
import type { ClusterRole } from '#messages/rbac.v1';
import { invalid, required, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkLabelSelector, hasInvalidValue } from '../../semantics/metadata/label-validation.ts';
import { toLabelSelector } from '../../semantics/selectors/object-label-selector.ts';
import { defineKind } from '../kind.ts';
import { checkPolicyRules, RBAC_GROUP } from './policy-rules.ts';

export const CLUSTER_ROLE = defineKind<ClusterRole>({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  message: 'rbac.v1.ClusterRole',
  nameRule: 'pathSegment',
  putCreates: true,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,

  validate({ rules = [], aggregationRule }, stored) {
    const errors: FieldError[] = [];
    checkPolicyRules(rules, false, errors);
    if (aggregationRule === undefined) return errors;
    const { clusterRoleSelectors = [] } = aggregationRule;
    const field = 'aggregationRule.clusterRoleSelectors';
    if (clusterRoleSelectors.length === 0) {
      const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
      errors.push(required(field, detail));
    }
    const wrong = stored?.aggregationRule?.clusterRoleSelectors?.find(hasInvalidValue);
    clusterRoleSelectors.forEach((selector, index) => {
      checkLabelSelector(selector, `${field}[${index}]`, errors, wrong);
      if (toLabelSelector(selector) !== undefined) return;
      // The reference shows the selector that it could not make.
      errors.push(invalid(`${field}[${index}]`, 'null', 'invalid label selector.'));
    });
    return errors;
  },
});
