/** Which objects a quota counts (README.md#quotas-and-limits). */
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '#messages/core.v1';
import { ownRelease } from '../../release/release.ts';
import {
  invalid,
  invalidPrinted,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { isQuotaResource, type ResourceList } from './resource-names.ts';

export const ATTRIBUTES_CLASS = 'VolumeAttributesClass';
const SCOPES: ReadonlySet<string> = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  ...(ownRelease().has('scopesOfClaims') ? [ATTRIBUTES_CLASS] : []),
]);
const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const COMPUTE: ReadonlySet<string> = new Set([
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]);
const OF_CLAIMS: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);
/** Those of their expressions have values. */
const WITH_VALUES: ReadonlySet<string> = new Set(['PriorityClass', ATTRIBUTES_CLASS]);
const EXISTS = ownRelease().has('rightOperatorOfScopes') ? 'Exists' : 'Exist';
const MUST_EXIST =
  `must be '${EXISTS}' when scope is any of ResourceQuotaScopeTerminating, ` +
  'ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ' +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

/** Adds the problems of `scopes` at the path `field`. */
export function checkScopes(
  { hard, scopes = [] }: ResourceQuotaSpec,
  field: string,
  errors: FieldError[],
): void {
  if (scopes.length === 0) return;
  const refuse = (detail: string): void => {
    const printed = printStrings(scopes, 'core.ResourceQuotaScope');
    errors.push(invalidPrinted(field, printed, detail));
  };
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) refuse('unsupported scope');
    checkScoped(scope, hard, refuse);
  }
  checkConflicts(new Set(scopes), refuse);
}

/** Adds the problems of the expressions of a scope selector at the path `field`. */
export function checkScopeSelector(
  { hard, scopeSelector }: ResourceQuotaSpec,
  field: string,
  errors: FieldError[],
): void {
  if (scopeSelector === undefined) return;
  const { matchExpressions = [] } = scopeSelector;
  const refuse = (detail: string): void => {
    errors.push(invalid(field, scopeSelector, detail));
  };
  for (const requirement of matchExpressions) {
    const { scopeName = '' } = requirement;
    if (!SCOPES.has(scopeName)) {
      errors.push(invalid(`${field}.scopeName`, scopeName, 'unsupported scope'));
    }
    checkScoped(scopeName, hard, refuse);
    checkOperator(requirement, field, errors);
  }
  checkConflicts(new Set(matchExpressions.map(({ scopeName = '' }) => scopeName)), refuse);
}

/** Scopes choose pods or claims: only what those use can be limited within one. */
function checkScoped(
  scope: string,
  hard: ResourceList | undefined,
  refuse: (detail: string) => void,
): void {
  for (const name in hard) {
    if (!isQuotaResource(name) || !SCOPES.has(scope)) continue;
    if (!isCounted(scope, name)) refuse('unsupported scope applied to resource');
  }
}

function isCounted(scope: string, name: string): boolean {
  if (scope === ATTRIBUTES_CLASS) return OF_CLAIMS.has(name);
  return scope === 'BestEffort' ? name === 'pods' : COMPUTE.has(name);
}

function checkConflicts(scopes: ReadonlySet<string>, refuse: (detail: string) => void): void {
  for (const [one, other] of CONFLICTS) {
    if (scopes.has(one) && scopes.has(other)) refuse('conflicting scopes');
  }
}

function checkOperator(
  { scopeName = '', operator = '', values = [] }: ScopedResourceSelectorRequirement,
  field: string,
  errors: FieldError[],
): void {
  const isBare = SCOPES.has(scopeName) && !WITH_VALUES.has(scopeName);
  if (isBare && operator !== 'Exists') {
    errors.push(invalid(`${field}.operator`, operator, MUST_EXIST));
  }
  switch (operator) {
    case 'In':
    case 'NotIn': {
      if (values.length > 0) return;
      const detail =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.push(required(`${field}.values`, detail));
      return;
    }
    case 'Exists':
    case 'DoesNotExist': {
      if (values.length === 0) return;
      const detail =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(invalidPrinted(`${field}.values`, printStrings(values), detail));
      return;
    }
    default:
      errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
}
