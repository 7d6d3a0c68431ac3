/** Which requests a policy or a binding is for, and its parameters (README.md#policies). */
import type {
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
} from '#messages/admissionregistration.v1';
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  duplicate,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabelSelector } from '../../semantics/metadata/label-validation.ts';
import { dns1035Label, dnsSubdomain, pathSegment } from '../../semantics/metadata/names.ts';
import { checkWebhookRule } from './webhook-rules.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'] as const;
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'] as const;
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'] as const;

/** Adds the problems of the kind of the parameters. */
export function checkParamKind(
  { apiVersion = '', kind = '' }: ParamKind,
  field: string,
  errors: FieldError[],
): void {
  const versionField = `${field}.apiVersion`;
  const parts = apiVersion.split('/');
  if (apiVersion === '') errors.push(required(versionField));
  else if (parts.length > 2) {
    const detail = `unexpected GroupVersion string: ${apiVersion}`;
    errors.push(invalid(versionField, apiVersion, detail));
  } else {
    const version = parts.at(-1) ?? '';
    const group = parts.length === 2 ? (parts[0] ?? '') : '';
    if (group !== '') addJoined(dnsSubdomain(group), versionField, group, errors);
    if (version === '') {
      errors.push(invalid(versionField, apiVersion, 'version must be specified'));
    } else addJoined(dns1035Label(version), versionField, version, errors);
  }
  const kindField = `${field}.kind`;
  if (kind === '') {
    errors.push(required(kindField));
    return;
  }
  const problems = dns1035Label(kind.toLowerCase());
  if (problems.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  errors.push(invalid(kindField, kind, detail));
}

function addJoined(
  problems: readonly string[],
  field: string,
  value: string,
  errors: FieldError[],
): void {
  if (problems.length > 0) errors.push(invalid(field, value, problems.join(',')));
}

/** Adds the problems of the requests of a policy, which needs a rule. */
export function checkConstraints(matched: MatchResources | undefined, errors: FieldError[]): void {
  const field = 'spec.matchConstraints';
  if (matched === undefined) {
    errors.push(required(field));
    return;
  }
  checkMatchResources(matched, field, errors);
  if (!matched.resourceRules?.length) errors.push(required(`${field}.resourceRules`));
}

/** Adds the problems of requests. */
export function checkMatchResources(
  {
    matchPolicy,
    namespaceSelector,
    objectSelector,
    resourceRules,
    excludeResourceRules,
  }: MatchResources,
  field: string,
  errors: FieldError[],
): void {
  if (!MATCH_POLICIES.some((one) => one === matchPolicy)) {
    errors.push(notSupported(`${field}.matchPolicy`, matchPolicy, MATCH_POLICIES));
  }
  checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors);
  checkLabelSelector(objectSelector, `${field}.objectSelector`, errors);
  resourceRules?.forEach((rule, index) => {
    checkNamedRule(rule, `${field}.resourceRules[${index}]`, errors);
  });
  excludeResourceRules?.forEach((rule, index) => {
    checkNamedRule(rule, `${field}.excludeResourceRules[${index}]`, errors);
  });
}

function checkNamedRule(rule: NamedRuleWithOperations, field: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  rule.resourceNames?.forEach((name, index) => {
    const path = `${field}.resourceNames[${index}]`;
    addProblems(pathSegment(name), path, name, errors);
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
  });
  checkWebhookRule(rule, field, errors);
}

/** Adds the problems of operations on objects that cannot be changed. */
export function checkMutatingOperations(
  { resourceRules = [] }: MatchResources,
  field: string,
  errors: FieldError[],
): void {
  for (const operation of resourceRules.flatMap(({ operations = [] }) => operations)) {
    if (MUTATING_OPERATIONS.some((one) => one === operation)) continue;
    const path = `${field}.resourceRules.operations`;
    errors.push(notSupported(path, operation, MUTATING_OPERATIONS));
  }
}

/** Adds the problems of the name of a policy in a binding. */
export function checkPolicyName(name: string, errors: FieldError[]): void {
  const field = 'spec.policyName';
  if (name === '') errors.push(required(field));
  else addProblems(dnsSubdomain(name), field, name, errors);
}

/** Adds the problems of the parameters of a binding. */
export function checkParamRef(params: ParamRef, errors: FieldError[]): void {
  const field = 'spec.paramRef';
  const { name = '', selector, parameterNotFoundAction: action = '' } = params;
  if (!ownRelease().has('selectedParams')) {
    addProblems(pathSegment(name), `${field}.name`, name, errors);
    return;
  }
  const detail = 'name and selector are mutually exclusive';
  if (name !== '') {
    addProblems(pathSegment(name), `${field}.name`, name, errors);
    if (selector !== undefined) errors.push(fieldForbidden(`${field}.name`, detail));
  }
  if (selector !== undefined) {
    checkLabelSelector(selector, `${field}.selector`, errors);
    if (name !== '') errors.push(fieldForbidden(`${field}.selector`, detail));
  }
  if (name === '' && selector === undefined) {
    errors.push(required(field, 'one of name or selector must be specified'));
  }
  if (action === '') errors.push(required(`${field}.parameterNotFoundAction`));
  else if (!NOT_FOUND_ACTIONS.some((one) => one === action)) {
    errors.push(notSupported(`${field}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS));
  }
}
