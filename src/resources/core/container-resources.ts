/** What a container asks for and may use at most (API-FACTS 13.3). */
import { compareQuantities } from '../../codec/quantity.ts';
import { fieldForbidden, invalid, required, type FieldError } from '../../semantics/field-error.ts';
import {
  checkContainerResourceName,
  checkResourceAmount,
  isOvercommitAllowed,
  type ResourceList,
} from './resource-names.ts';

export interface Resources {
  limits?: ResourceList;
  requests?: ResourceList;
}

/** Without a prototype: `constructor` is a name that somebody may send. */
const NO_RESOURCES = Object.freeze(Object.create(null)) as ResourceList;

/** Adds the problems of limits and requests at the path `field`; requests are within limits. */
export function checkResources(
  { limits = NO_RESOURCES, requests = NO_RESOURCES }: Resources,
  field: string,
  errors: FieldError[],
): void {
  const limited = Object.keys(limits);
  const requested = Object.keys(requests);
  for (const resource of limited) {
    checkAmount(resource, limits[resource], `${field}.limits[${resource}]`, errors);
  }
  for (const resource of requested) {
    const amount = requests[resource];
    checkAmount(resource, amount, `${field}.requests[${resource}]`, errors);
    checkWithinLimit(resource, amount, limits[resource], field, errors);
  }
  if (!limited.some(isHugePages) && !requested.some(isHugePages)) return;
  if (limited.some(isCompute) || requested.some(isCompute)) return;
  errors.push(fieldForbidden(field, 'HugePages require cpu or memory'));
}

const isHugePages = (resource: string): boolean => resource.startsWith('hugepages-');
const isCompute = (resource: string): boolean => resource === 'cpu' || resource === 'memory';

function checkAmount(resource: string, amount = '0', field: string, errors: FieldError[]): void {
  checkContainerResourceName(resource, field, errors);
  checkResourceAmount(resource, amount, field, errors);
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
