/** Checks the requests and limits of a container (README.md#pods). */
import type { ResourceRequirements } from '#messages/core.v1';
import {
  compareQuantities,
  keptQuantity,
  quantitySign,
  wholeQuantity,
} from '../../../codec/leaves/quantity.ts';
import {
  fieldForbidden,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import {
  checkContainerResourceName,
  checkResourceAmount,
  isOvercommitAllowed,
  type ResourceList,
} from '../resource-names.ts';

/** Has no prototype, because a client may send the name `constructor`. */
const NO_RESOURCES = Object.freeze(Object.create(null)) as ResourceList;

/** Adds the problems of limits and requests at the path `field`; requests are within limits. */
export function checkResources(
  { limits = NO_RESOURCES, requests = NO_RESOURCES }: ResourceRequirements,
  field: string,
  errors: FieldError[],
): void {
  const limited = Object.keys(limits);
  const requested = Object.keys(requests);
  for (const resource of limited) {
    const amount = limits[resource];
    const at = `${field}.limits[${resource}]`;
    checkAmount(resource, amount, at, errors);
    checkHugePages(resource, amount, at, errors);
  }
  for (const resource of requested) {
    const amount = requests[resource];
    const at = `${field}.requests[${resource}]`;
    checkAmount(resource, amount, at, errors);
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

function checkAmount(resource: string, amount = '0', field: string, errors: FieldError[]): void {
  checkContainerResourceName(resource, field, errors);
  checkResourceAmount(resource, amount, field, errors);
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
  if (order !== 0 && !overcommits) {
    errors.push(invalid(at, amount, `must be equal to ${resource} limit`));
  } else if (order > 0) {
    errors.push(invalid(at, amount, `must be less than or equal to ${resource} limit`));
  }
}
