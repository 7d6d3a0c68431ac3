/** The names of what quotas and limits count, and their amounts (README.md#quotas-and-limits). */
import { quantitySign } from '../../codec/leaves/quantity.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  invalid,
  NOT_NEGATIVE,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

/** Amounts by the names of resources. */
export type ResourceList = Record<string, string>;

/** Has no prototype, because a client may send the name `constructor`. */
export const NO_RESOURCES = Object.freeze(Object.create(null)) as ResourceList;

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const OBJECT_COUNTS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTA: ReadonlySet<string> = new Set([
  ...COMPUTE,
  ...COMPUTE.map((name) => `requests.${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
  ...OBJECT_COUNTS,
  'requests.storage',
]);
const INTEGER: ReadonlySet<string> = new Set(OBJECT_COUNTS);
const CONTAINER: ReadonlySet<string> = new Set(COMPUTE);
export const HUGE_PAGES = 'hugepages-';
const NATIVE = ownName('cluster.io/');
/** Before the name of a resource that quotas count by what is asked for. */
const OF_QUOTAS = 'requests.';
const FRACTION = /(?:[mun]|e-[0-9]+)$/;

/** Whether a canonical amount is no whole number. */
export function isFraction(quantity: string): boolean {
  return FRACTION.test(quantity);
}

/** Whether a quota may limit the resource without a domain in its name. */
export function isQuotaResource(name: string): boolean {
  return (
    QUOTA.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(`requests.${HUGE_PAGES}`)
  );
}

function isStandardResource(name: string): boolean {
  return name === 'storage' || isQuotaResource(name);
}

/** Whether a container may ask for the resource without a domain in its name. */
function isContainerResource(name: string): boolean {
  return CONTAINER.has(name) || name.startsWith(HUGE_PAGES);
}

/** Whether the resource may be overcommitted. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !name.startsWith(HUGE_PAGES);
}

/** Whether the resource is one that every cluster has. */
export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes(NATIVE);
}

/** Whether the resource is one of an extension: quotas ask for it with a prefix. */
export function isExtendedResource(name: string): boolean {
  if (isNative(name) || name.startsWith(OF_QUOTAS)) return false;
  return qualifiedName(OF_QUOTAS + name).length === 0;
}

/** Why a name is none of an extended resource, each reason for itself. */
export function extendedResourceName(name: string): readonly string[] {
  const problems: string[] = [];
  if (!name.includes('/')) {
    problems.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  } else if (name.includes(NATIVE)) problems.push(`must not have "${NATIVE}" domain`);
  if (name.startsWith(OF_QUOTAS)) problems.push(`must not have "${OF_QUOTAS}" prefix`);
  return [...problems, ...qualifiedName(OF_QUOTAS + name)];
}

/** Adds the problems of the name of any resource. */
export function checkResourceName(name: string, field: string, errors: FieldError[]): void {
  const problems = qualifiedName(name);
  addProblems(problems, field, name, errors);
  if (problems.length > 0 || name.includes('/') || isStandardResource(name)) return;
  errors.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
}

/** Adds the problems of the name of a resource that a container may ask for. */
export function checkContainerResourceName(
  name: string,
  field: string,
  errors: FieldError[],
): void {
  checkResourceName(name, field, errors);
  if (!name.includes('/')) {
    if (isContainerResource(name)) return;
    errors.push(invalid(field, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtendedResource(name)) {
    errors.push(invalid(field, name, "doesn't follow extended resource name standard"));
  }
}

/** Adds the problems of an amount: none is negative, and what is counted is whole. */
export function checkResourceAmount(
  name: string,
  quantity: string,
  field: string,
  errors: FieldError[],
): void {
  if (quantitySign(quantity) < 0) {
    errors.push(invalid(field, quantity, NOT_NEGATIVE));
  }
  if (isFraction(quantity) && (INTEGER.has(name) || isExtendedResource(name))) {
    errors.push(invalid(field, quantity, 'must be an integer'));
  }
}
