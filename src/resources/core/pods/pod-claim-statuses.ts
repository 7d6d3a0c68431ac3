/** Checks the statuses of claims of a pod, and of its volumes. */
import type {
  NodeAllocatableMappedResources,
  NodeAllocatableOverheadResources,
  NodeAllocatableResourceClaimStatus,
  PodExtendedResourceClaimStatus,
  PodSpec,
  PodStatus,
  PodVolumeHealth,
  VolumeHealthCondition,
} from '#messages/core.v1';
import { canonicalQuantity, quantitySign } from '../../../codec/leaves/quantity.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  invalid,
  notFound,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkReason } from '../../../semantics/validation/condition-validation.ts';
import { HUGE_PAGES, isNative } from '../resource-names.ts';

/** Keeps what is reported of claims where the writer does not know of it. */
export function keepClaimStatuses(status: PodStatus, stored: PodStatus): void {
  if (!ownRelease().has('keptClaimStatuses')) return;
  const {
    resourceClaimStatuses: claims,
    extendedResourceClaimStatus: extended,
    nodeAllocatableResourceClaimStatuses: allocatable,
  } = stored;
  if (claims !== undefined) status.resourceClaimStatuses ??= claims;
  if (extended !== undefined) status.extendedResourceClaimStatus ??= extended;
  if (allocatable !== undefined) status.nodeAllocatableResourceClaimStatuses ??= allocatable;
}

/** Adds the problems of all that the status of a pod tells of its claims. */
export function checkClaimStatuses(status: PodStatus, spec: PodSpec, errors: FieldError[]): void {
  checkClaims(status, spec, 'status.resourceClaimStatuses', errors);
  if (status.extendedResourceClaimStatus !== undefined) {
    const field = 'status.extendedResourceClaimStatus';
    checkExtended(status.extendedResourceClaimStatus, spec, field, errors);
  }
  status.nodeAllocatableResourceClaimStatuses?.forEach((claim, index) => {
    const field = `status.nodeAllocatableResourceClaimStatuses[${index}]`;
    checkAllocatable(claim, status, spec, field, errors);
  });
}

function checkClaims(
  { resourceClaimStatuses = [] }: PodStatus,
  { resourceClaims = [] }: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  const member = ownRelease().has('ownPathsOfClaimNames') ? 'resourceClaimName' : 'name';
  resourceClaimStatuses.forEach(({ name = '', resourceClaimName: claim }, index) => {
    const at = `${field}[${index}]`;
    if (!resourceClaims.some((one) => (one.name ?? '') === name)) {
      const detail = 'must match the name of an entry in `spec.resourceClaims`';
      errors.push(invalid(`${at}.name`, name, detail));
    }
    if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    seen.add(name);
    if (claim !== undefined) addProblems(dnsSubdomain(claim), `${at}.${member}`, claim, errors);
  });
}

function checkExtended(
  { requestMappings = [], resourceClaimName: claim = '' }: PodExtendedResourceClaimStatus,
  { containers = [], initContainers = [] }: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.requestMappings`;
  const countsRequests = ownRelease().has('requestsOfExtendedClaims');
  if (requestMappings.length === 0) {
    errors.push(required(at, 'at least one request mapping is required'));
  }
  const byName = new Map([...initContainers, ...containers].map((one) => [one.name ?? '', one]));
  const seen = new Set<string>();
  requestMappings.forEach((mapping, index) => {
    const { containerName = '', resourceName = '', requestName = '' } = mapping;
    const path = `${at}[${index}]`;
    const container = byName.get(containerName);
    if (container === undefined) {
      const names = 'spec.initContainers.name or spec.containers.name';
      const detail = `must match the name of an entry in ${names}`;
      errors.push(invalid(`${path}.containerName`, containerName, detail));
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      const detail =
        'must match the extended resource name of an entry in ' +
        'spec.initContainers.resources.requests or spec.containers.resources.requests';
      errors.push(invalid(`${path}.resourceName`, resourceName, detail));
    }
    addProblems(dnsLabel(requestName), `${field}.requestName`, requestName, errors);
    const key = JSON.stringify([containerName, resourceName, countsRequests && requestName]);
    if (seen.has(key)) {
      errors.push(duplicate(`${path}.containerName`, containerName));
      errors.push(duplicate(`${path}.resourceName`, resourceName));
      if (countsRequests) errors.push(duplicate(`${path}.requestName`, requestName));
    }
    seen.add(key);
  });
  if (claim === '') errors.push(required(`${field}.resourceClaimName`));
  else addProblems(dnsSubdomain(claim), `${field}.resourceClaimName`, claim, errors);
}

const NOT_ALLOCATABLE = 'must be a node allocatable resource name';
const NOT_BELOW_ZERO = 'must be non-negative';

function checkAllocatable(
  status: NodeAllocatableResourceClaimStatus,
  { resourceClaimStatuses = [] }: PodStatus,
  { resourceClaims = [] }: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  const { resourceClaimName: claim = '', mapping = [], overhead = [] } = status;
  const isMapped = ownRelease().has('mappedAllocatable');
  if (claim === '') {
    if (isMapped) return;
    errors.push(required(`${field}.resourceClaimName`, 'must not be empty'));
  }
  if (
    ![...resourceClaims, ...resourceClaimStatuses].some((one) => one.resourceClaimName === claim)
  ) {
    const detail = 'no mapping found in pod reference';
    errors.push(invalid(`${field}.resourceClaimName`, claim, detail));
  }
  if (!isMapped) checkPlainAllocatable(status, field, errors);
  mapping.forEach((one, index) => checkMapping(one, `${field}.mapping[${index}]`, errors));
  overhead.forEach((one, index) => checkOverhead(one, `${field}.overhead[${index}]`, errors));
}

/** As it was before each resource was told apart. */
function checkPlainAllocatable(
  { containers = [], resources = {} }: NodeAllocatableResourceClaimStatus,
  field: string,
  errors: FieldError[],
): void {
  if (containers.length === 0) errors.push(required(`${field}.containers`, 'must not be empty'));
  const entries = Object.entries(resources);
  if (entries.length === 0) errors.push(required(`${field}.resources`, 'must not be empty'));
  for (const [name, amount] of entries) {
    const at = `${field}.resources[${name}]`;
    if (!isNative(name)) errors.push(invalid(at, name, NOT_ALLOCATABLE));
    checkNotNegative(amount, at, errors);
  }
}

function checkMapping(
  { name = '', quantity }: NodeAllocatableMappedResources,
  field: string,
  errors: FieldError[],
): void {
  checkAllocatableName(name, field, errors);
  if (quantity !== undefined) checkNotNegative(quantity, `${field}.quantity`, errors);
}

function checkOverhead(
  { name = '', perPod, perContainer }: NodeAllocatableOverheadResources,
  field: string,
  errors: FieldError[],
): void {
  checkAllocatableName(name, field, errors);
  if (perPod === undefined && perContainer === undefined) {
    errors.push(invalid(field, '', 'at least one of perPod or perContainer must be set'));
  }
  if (perPod !== undefined) checkNotNegative(perPod, `${field}.perPod`, errors);
  if (perContainer !== undefined) checkNotNegative(perContainer, `${field}.perContainer`, errors);
}

function checkAllocatableName(name: string, field: string, errors: FieldError[]): void {
  if (name === 'cpu' || name === 'memory' || name.startsWith(HUGE_PAGES)) return;
  errors.push(invalid(`${field}.name`, name, NOT_ALLOCATABLE));
}

function checkNotNegative(amount: string, field: string, errors: FieldError[]): void {
  if (quantitySign(amount) >= 0) return;
  errors.push(invalid(field, canonicalQuantity(amount), NOT_BELOW_ZERO));
}

const HEALTH_CONDITIONS_MAX = 16;
const HEALTH_REASON_MAX = 256;
const HEALTH_MESSAGE_MAX = 1024;

/** Adds the problems of the health of volumes, each of which the pod has. */
export function checkVolumeHealth(
  health: readonly PodVolumeHealth[],
  { volumes = [] }: PodSpec,
  field: string,
  errors: FieldError[],
): void {
  health.forEach(({ name = '', healthConditions = [] }, index) => {
    const at = `${field}[${index}]`;
    if (name === '') errors.push(required(`${at}.name`));
    else if (!volumes.some((volume) => volume.name === name)) {
      errors.push(notFound(`${at}.name`, name));
    }
    const count = healthConditions.length;
    const list = `${at}.healthConditions`;
    if (count > HEALTH_CONDITIONS_MAX) errors.push(tooMany(list, count, HEALTH_CONDITIONS_MAX));
    healthConditions.forEach((condition, place) => {
      checkHealthCondition(condition, `${list}[${place}]`, errors);
    });
  });
}

function checkHealthCondition(
  { status = '', reason = '', message = '' }: VolumeHealthCondition,
  field: string,
  errors: FieldError[],
): void {
  if (status === '') errors.push(required(`${field}.status`));
  checkReason(reason, `${field}.reason`, errors, HEALTH_REASON_MAX);
  if (Buffer.byteLength(message) <= HEALTH_MESSAGE_MAX) return;
  errors.push(tooLong(`${field}.message`, HEALTH_MESSAGE_MAX));
}
