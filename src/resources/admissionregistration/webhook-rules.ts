/** Which requests a webhook is asked about (README.md#webhooks). */
import type { RuleWithOperations } from '#messages/admissionregistration.v1';
import {
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';

const ANY = '*';
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] as const;
const SCOPES = ['*', 'Cluster', 'Namespaced'] as const;
const MEMBERS = [
  ['operations', 'operations', 'admissionregistration.OperationType'],
  ['apiGroups', 'API groups', 'string'],
  ['apiVersions', 'API versions', 'string'],
] as const;

/** Adds the problems of a rule at the path `field`. */
export function checkWebhookRule(
  rule: RuleWithOperations,
  field: string,
  errors: FieldError[],
): void {
  for (const [member, what, type] of MEMBERS) {
    checkAnyAlone(rule[member] ?? [], `${field}.${member}`, what, type, errors);
    if (member === 'operations') checkOperations(rule.operations, `${field}.operations`, errors);
  }
  rule.apiVersions?.forEach((version, index) => {
    if (version === '') errors.push(required(`${field}.apiVersions[${index}]`));
  });
  checkResources(rule.resources ?? [], `${field}.resources`, errors);
  const { scope } = rule;
  if (scope !== undefined && !SCOPES.some((one) => one === scope)) {
    errors.push(notSupported(`${field}.scope`, scope, SCOPES));
  }
}

function checkAnyAlone(
  values: readonly string[],
  field: string,
  what: string,
  type: string,
  errors: FieldError[],
): void {
  if (values.length === 0) errors.push(required(field));
  if (values.length < 2 || !values.includes(ANY)) return;
  const detail = `if '*' is present, must not specify other ${what}`;
  errors.push(invalidPrinted(field, printStrings(values, type), detail));
}

function checkOperations(
  operations: readonly string[] = [],
  field: string,
  errors: FieldError[],
): void {
  operations.forEach((operation, index) => {
    if (OPERATIONS.some((one) => one === operation)) return;
    errors.push(notSupported(`${field}[${index}]`, operation, OPERATIONS));
  });
}

/** `pods`, `pods/log`, `pods/*`, and so on: none may be covered by an earlier one. */
function checkResources(resources: readonly string[], field: string, errors: FieldError[]): void {
  if (resources.length === 0) errors.push(required(field));
  const withAnySub = new Set<string>();
  const subsOfAny = new Set<string>();
  resources.forEach((resource, index) => {
    const path = `${field}[${index}]`;
    if (resource === '') errors.push(required(path));
    const slash = resource.indexOf('/');
    if (slash === -1) return;
    const name = resource.slice(0, slash);
    const sub = resource.slice(slash + 1);
    if (withAnySub.has(name)) errors.push(covered(path, resource, `${name}/*`));
    if (subsOfAny.has(sub)) errors.push(covered(path, resource, `*/${sub}`));
    if (sub === ANY) withAnySub.add(name);
    if (name === ANY) subsOfAny.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    const detail = "if '*/*' is present, must not specify other resources";
    errors.push(invalidPrinted(field, printStrings(resources), detail));
  }
  const hasPlain = resources.some((name) => name !== '' && name !== ANY && !name.includes('/'));
  if (hasPlain && resources.includes(ANY)) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidPrinted(field, printStrings(resources), detail));
  }
}

function covered(field: string, resource: string, by: string): FieldError {
  return invalid(field, resource, `if '${by}' is present, must not specify ${resource}`);
}
