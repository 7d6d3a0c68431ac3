/** Checks the requests and limits of a container. */
import type { ResourceClaim, ResourceRequirements } from '#messages/core.v1';
import { ownRelease } from '../../../../release/release.ts';
import {
  canonicalQuantity,
  compareQuantities,
  keptQuantity,
  quantitySign,
  wholeQuantity,
} from '../../../../codec/leaves/quantity.ts';
import {
  addProblems,
  duplicate,
  fieldForbidden,
  invalid,
  notFoundAmong,
  required,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import { dnsLabel } from '../../../../semantics/metadata/names.ts';
import {
  checkContainerResourceName,
  checkResourceAmount,
  isOvercommitAllowed,
  NO_RESOURCES,
  type ResourceList,
} from '../../resource-names.ts';

export interface ResourceRules {
  /** The names of the claims of the pod. */
  readonly claims?: () => ReadonlySet<string>;
  /** Checks the name of a resource in the place of the rule for containers. */
  readonly checkName?: typeof checkContainerResourceName;
}

/** Adds the problems of limits and requests at the path `field`; requests are within limits. */
export function checkResources(
  { limits = NO_RESOURCES, requests = NO_RESOURCES, claims }: ResourceRequirements,
  field: string,
  errors: FieldError[],
  rules: ResourceRules = {},
): void {
  checkAmounts(limits, requests, field, errors, rules.checkName ?? checkContainerResourceName);
  if (claims === undefined) return;
  checkClaims(claims, rules.claims?.() ?? new Set(), `${field}.claims`, errors);
}

function checkAmounts(
  limits: ResourceList,
  requests: ResourceList,
  field: string,
  errors: FieldError[],
  checkName: typeof checkContainerResourceName,
): void {
  const limited = Object.keys(limits);
  const requested = Object.keys(requests);
  for (const resource of limited) {
    const amount = limits[resource];
    const at = `${field}.limits[${resource}]`;
    checkName(resource, at, errors);
    checkResourceAmount(resource, amount ?? '0', at, errors);
    checkHugePages(resource, amount, at, errors);
  }
  for (const resource of requested) {
    const amount = requests[resource];
    const at = `${field}.requests[${resource}]`;
    checkName(resource, at, errors);
    checkResourceAmount(resource, amount ?? '0', at, errors);
    checkWithinLimit(resource, amount, limits[resource], field, errors);
    checkHugePages(resource, amount, at, errors);
  }
  if (!limited.some(isHugePages) && !requested.some(isHugePages)) return;
  if (limited.some(isCompute) || requested.some(isCompute)) return;
  errors.push(fieldForbidden(field, 'HugePages require cpu or memory'));
}

const HUGE_PAGES = 'hugepages-';
const isHugePages = (resource: string): boolean => resource.startsWith(HUGE_PAGES);
const isCompute = (resource: string): boolean => resource === 'cpu' || resource === 'memory';

/** Each claim once, with one request of it or with all, and one that the pod has. */
function checkClaims(
  claims: readonly ResourceClaim[],
  known: ReadonlySet<string>,
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  claims.forEach(({ name = '', request = '' }, index) => {
    const at = `${field}[${index}]`;
    if (name === '') {
      errors.push(required(at));
      return;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else checkRequest(name, request, seen, at, errors);
    if (known.has(name)) return;
    const names = [...known].sort();
    const which = names.length === 0 ? ' which is empty' : `: ${names.join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${which}`;
    errors.push(notFoundAmong(at, name, detail));
  });
}

function checkRequest(
  name: string,
  request: string,
  seen: Set<string>,
  field: string,
  errors: FieldError[],
): void {
  const key = request === '' ? name : `${name}/${request}`;
  if (request !== '') addProblems(dnsLabel(request), `${field}.request`, request, errors);
  if (seen.has(key)) errors.push(duplicate(field, key));
  else if (request === '') {
    for (const other of seen) {
      if (other.startsWith(`${name}/`)) errors.push(duplicate(field, name));
    }
  }
  seen.add(key);
}

/** Pages are whole ones: the name of the resource says how large each is. */
function checkHugePages(resource: string, amount = '0', field: string, errors: FieldError[]): void {
  if (!isHugePages(resource)) return;
  const size = pageSize(resource.slice(HUGE_PAGES.length));
  if (size > 0n && wholeQuantity(amount) % size === 0n) return;
  errors.push(invalid(field, amount, `${amount} is not positive integer multiple of ${resource}`));
}

/** The size of a page in bytes; 0 for a text that is no whole number of bytes. */
function pageSize(text: string): bigint {
  try {
    const size = keptQuantity(text);
    const whole = wholeQuantity(size);
    return quantitySign(size) > 0 && compareQuantities(size, String(whole)) === 0 ? whole : 0n;
  } catch {
    return 0n;
  }
}

function checkWithinLimit(
  resource: string,
  amount = '0',
  limit: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  const overcommits = isOvercommitAllowed(resource);
  if (limit === undefined) {
    if (overcommits) return;
    errors.push(required(`${field}.limits`, 'Limit must be set for non overcommitable resources'));
    return;
  }
  if (amount === limit) return;
  const order = compareQuantities(amount, limit);
  const at = `${field}.requests`;
  const of = ownRelease().has('limitsInErrors') ? ` of ${canonicalQuantity(limit)}` : '';
  if (order !== 0 && !overcommits) {
    errors.push(invalid(at, amount, `must be equal to ${resource} limit${of}`));
  } else if (order > 0) {
    errors.push(invalid(at, amount, `must be less than or equal to ${resource} limit${of}`));
  }
}
