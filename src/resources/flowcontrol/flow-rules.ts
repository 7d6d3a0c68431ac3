/** The requests that a FlowSchema matches (README.md#flow-control). */
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '#messages/flowcontrol.v1beta2';
import {
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel } from '../../semantics/metadata/names.ts';
import { checkFlowSubject } from './flow-subject.ts';

const ANY = '*';
const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];

/** Adds the problems of rules and their subjects at the path `field`. */
export function checkFlowRules(
  rules: PolicyRulesWithSubjects,
  field: string,
  errors: FieldError[],
): void {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rules;
  if (subjects.length === 0) {
    errors.push(required(`${field}.subjects`, 'subjects must contain at least one value'));
  }
  subjects.forEach((subject, index) => {
    checkFlowSubject(subject, `${field}.subjects[${index}]`, errors);
  });
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    const detail = 'at least one of resourceRules and nonResourceRules has to be non-empty';
    errors.push(required(field, detail));
  }
  resourceRules.forEach((rule, index) => {
    checkResourceRule(rule, `${field}.resourceRules[${index}]`, errors);
  });
  nonResourceRules.forEach((rule, index) => {
    checkNonResourceRule(rule, `${field}.nonResourceRules[${index}]`, errors);
  });
}

function checkResourceRule(rule: ResourcePolicyRule, field: string, errors: FieldError[]): void {
  const { apiGroups = [], resources = [], namespaces = [] } = rule;
  checkVerbs(rule.verbs ?? [], `${field}.verbs`, errors);
  const groupsMissing = 'resource rules must supply at least one api group';
  checkAnyAlone(apiGroups, `${field}.apiGroups`, 'api groups', groupsMissing, errors);
  const resourcesMissing = 'resource rules must supply at least one resource';
  checkAnyAlone(resources, `${field}.resources`, 'resources', resourcesMissing, errors);
  const path = `${field}.namespaces`;
  if (namespaces.length === 0 && rule.clusterScope === true) return;
  const missing = 'resource rules that are not cluster scoped must supply at least one namespace';
  if (checkAnyAlone(namespaces, path, 'namespaces', missing, errors)) return;
  namespaces.forEach((namespace, index) => {
    for (const problem of dnsLabel(namespace)) {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
      errors.push(invalid(`${path}[${index}]`, namespace, detail));
    }
  });
}

function checkNonResourceRule(
  rule: NonResourcePolicyRule,
  field: string,
  errors: FieldError[],
): void {
  checkVerbs(rule.verbs ?? [], `${field}.verbs`, errors);
  const urls = rule.nonResourceURLs ?? [];
  const path = `${field}.nonResourceURLs`;
  const missing = 'nonResourceURLs must contain at least one value';
  if (checkAnyAlone(urls, path, 'non-resource URLs', missing, errors)) return;
  urls.forEach((url, index) => {
    const problem = urlProblem(url);
    if (problem !== '') errors.push(invalid(`${path}[${index}]`, url, problem));
  });
}

function checkVerbs(verbs: readonly string[], field: string, errors: FieldError[]): void {
  const missing = 'verbs must contain at least one value';
  if (checkAnyAlone(verbs, field, 'verbs', missing, errors)) return;
  if (!verbs.every((verb) => VERBS.includes(verb))) {
    errors.push(notSupported(field, verbs, VERBS));
  }
}

/** Whether the list is `*` alone. Adds an error when it is empty, or has `*` among others. */
function checkAnyAlone(
  values: readonly string[],
  field: string,
  what: string,
  missing: string,
  errors: FieldError[],
): boolean {
  if (values.length === 0) errors.push(required(field, missing));
  if (!values.includes(ANY)) return false;
  if (values.length > 1) {
    const detail = `if '*' is present, must not specify other ${what}`;
    errors.push(invalidPrinted(field, printStrings(values), detail));
  }
  return true;
}

function urlProblem(url: string): string {
  if (url === '') return 'must not be empty';
  if (url === '/') return '';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf(ANY);
  const isSuffix = url.endsWith('/*') && star === url.length - 1;
  return star === -1 || isSuffix ? '' : 'wildcard can only do suffix matching';
}
