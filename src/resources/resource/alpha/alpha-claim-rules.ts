/** Checks claims of classes, and writes of their status. */
import type {
  AllocationResult,
  ResourceClaim,
  ResourceClaimParametersReference,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceHandle,
} from '#messages/resource.v1alpha2';
import { deepEqual } from '../../../base/deep-equal.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  duplicate,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkNodeSelector } from '../../core/nodes/node-selector.ts';
import { checkDeallocation, checkUsers } from '../claim-users.ts';
import { checkDriver } from '../device-names.ts';
import { checkModel, notLonger } from './named-resources.ts';

const MODES = ['Immediate', 'WaitForFirstConsumer'];
const USERS_MAX = 32;
const HANDLES_MAX = 32;
const DATA_BYTES_MAX = 16 * 1024;

export function applyModeDefault(spec: ResourceClaimSpec | undefined): void {
  if (spec !== undefined) spec.allocationMode ||= 'WaitForFirstConsumer';
}

export function checkAlphaSpec(
  { resourceClassName = '', parametersRef, allocationMode = '' }: ResourceClaimSpec,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.resourceClassName`;
  addProblems(dnsSubdomain(resourceClassName), at, resourceClassName, errors);
  checkReference(parametersRef, `${field}.parametersRef`, errors);
  if (!MODES.includes(allocationMode)) {
    errors.push(notSupported(`${field}.allocationMode`, allocationMode, MODES));
  }
}

export function checkReference(
  reference: ResourceClaimParametersReference | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (reference === undefined) return;
  if (!reference.kind) errors.push(required(`${field}.kind`));
  if (!reference.name) errors.push(required(`${field}.name`));
}

export function alphaStatusErrors(claim: ResourceClaim, stored: ResourceClaim): FieldError[] {
  const errors: FieldError[] = [];
  const { status = {}, metadata } = claim;
  const before = stored.status ?? {};
  checkAllocated(status, errors);
  checkConsumers(status, errors);
  checkUsers(status, before, metadata.deletionTimestamp !== undefined, errors);
  const { allocation } = status;
  const isKept = before.allocation === undefined || deepEqual(allocation, before.allocation);
  if (ownRelease().has('allocationsStay') && allocation !== undefined && !isKept) {
    errors.push(invalid('status.allocation', allocation, FIELD_IMMUTABLE));
  }
  checkDeallocation(status, before, errors);
  return errors;
}

function checkAllocated(
  { driverName = '', allocation }: ResourceClaimStatus,
  errors: FieldError[],
): void {
  if (driverName !== '') checkDriver(driverName, 'status.driverName', errors);
  else if (allocation !== undefined) {
    errors.push(required('status.driverName', 'must be specified when `allocation` is set'));
  }
  if (allocation !== undefined) checkAllocation(allocation, 'status.allocation', errors);
}

function checkConsumers(
  { reservedFor = [], allocation }: ResourceClaimStatus,
  errors: FieldError[],
): void {
  const field = 'status.reservedFor';
  const seen = new Set<string>();
  reservedFor.forEach(({ resource, name, uid = '' }, index) => {
    const at = `${field}[${index}]`;
    if (seen.has(uid)) errors.push(duplicate(`${at}.uid`, uid));
    else {
      if (!resource) errors.push(required(`${at}.resource`));
      if (!name) errors.push(required(`${at}.name`));
      if (uid === '') errors.push(required(`${at}.uid`));
    }
    seen.add(uid);
  });
  if (reservedFor.length > USERS_MAX) errors.push(notLonger(field, USERS_MAX));
  if (allocation !== undefined && allocation.shareable !== true && reservedFor.length > 1) {
    errors.push(fieldForbidden(field, 'may not be reserved more than once'));
  }
}

function checkAllocation(
  { resourceHandles = [], availableOnNodes }: AllocationResult,
  field: string,
  errors: FieldError[],
): void {
  const at = `${field}.resourceHandles`;
  resourceHandles.forEach((handle, index) => {
    checkHandle(handle, `${at}[${index}]`, errors);
  });
  if (resourceHandles.length > HANDLES_MAX) errors.push(notLonger(at, HANDLES_MAX));
  if (availableOnNodes !== undefined) {
    checkNodeSelector(availableOnNodes, `${field}.availableOnNodes`, errors);
  }
}

function checkHandle(
  { driverName = '', data = '', structuredData }: ResourceHandle,
  field: string,
  errors: FieldError[],
): void {
  // The first version has one handle, without a driver.
  if (ownRelease().has('handlesOfDrivers')) checkDriver(driverName, `${field}.driverName`, errors);
  if (Buffer.byteLength(data) > DATA_BYTES_MAX) {
    errors.push(notLonger(`${field}.data`, DATA_BYTES_MAX));
  }
  if (structuredData === undefined) return;
  const { nodeName = '', results = [] } = structuredData;
  const at = `${field}.structuredData`;
  if (nodeName !== '') addProblems(dnsSubdomain(nodeName), `${at}.nodeName`, nodeName, errors);
  results.forEach(({ namedResources }, index) => {
    checkModel(namedResources, `${at}.results[${index}]`, errors, ({ name = '' }, named) => {
      addProblems(dnsSubdomain(name), `${named}.name`, name, errors);
    });
  });
  if (data !== '')
    errors.push(invalid(field, null, 'data and structuredData are mutually exclusive'));
}
