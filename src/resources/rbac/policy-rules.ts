/** Checks the rules of a role (README.md#roles). */
import type { PolicyRule } from '#messages/rbac.v1';
import { ownRelease } from '../../release/release.ts';
import {
  invalidPrinted,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';

/** The group of roles and bindings, and of the users and groups that bindings name. */
export const RBAC_GROUP = ownGroup('rbac.authorization.cluster.io');

/** Adds the problems of the rules of a role to `errors`. */
export function checkPolicyRules(
  rules: readonly PolicyRule[],
  namespaced: boolean,
  errors: FieldError[],
): void {
  rules.forEach((rule, index) => checkPolicyRule(rule, namespaced, `rules[${index}]`, errors));
}

function checkPolicyRule(
  rule: PolicyRule,
  namespaced: boolean,
  field: string,
  errors: FieldError[],
): void {
  if (!rule.verbs?.length) {
    const detail = ownRelease().has('declaredRules') ? '' : 'verbs must contain at least one value';
    errors.push(required(`${field}.verbs`, detail));
  }
  if (rule.nonResourceURLs?.length) {
    checkUrls(rule, namespaced, `${field}.nonResourceURLs`, errors);
    return;
  }
  if (!rule.apiGroups?.length) {
    const detail = 'resource rules must supply at least one api group';
    errors.push(required(`${field}.apiGroups`, detail));
  }
  if (!rule.resources?.length) {
    const detail = 'resource rules must supply at least one resource';
    errors.push(required(`${field}.resources`, detail));
  }
}

function checkUrls(
  { nonResourceURLs = [], apiGroups, resources, resourceNames }: PolicyRule,
  namespaced: boolean,
  field: string,
  errors: FieldError[],
): void {
  const printed = printStrings(nonResourceURLs);
  if (namespaced) {
    const detail = 'namespaced rules cannot apply to non-resource URLs';
    errors.push(invalidPrinted(field, printed, detail));
  }
  if (apiGroups?.length || resources?.length || resourceNames?.length) {
    const detail = 'rules cannot apply to both regular resources and non-resource URLs';
    errors.push(invalidPrinted(field, printed, detail));
  }
}
