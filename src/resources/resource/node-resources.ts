/** Checks the resources of a node that an allocation of a device takes. */
import type {
  Device,
  NodeAllocatableMapping,
  NodeAllocatableOverhead,
} from '#messages/resource.v1';
import { quantitySign } from '../../codec/leaves/quantity.ts';
import {
  invalid,
  notFound,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { HUGE_PAGES } from '../core/resource-names.ts';

const NODE_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Adds the problems of the resources of a device at the path `field`. */
export function checkNodeResources(
  { nodeAllocatableResources = {}, capacity = {} }: Device,
  field: string,
  errors: FieldError[],
): void {
  for (const name of Object.keys(nodeAllocatableResources).sort()) {
    const at = `${field}.nodeAllocatableResources[${name}]`;
    if (!NODE_RESOURCES.has(name) && !name.startsWith(HUGE_PAGES)) {
      errors.push(invalid(at, name, 'must be a node allocatable resource name'));
    }
    const { mapping, overhead } = nodeAllocatableResources[name] ?? {};
    if (mapping === undefined && overhead === undefined) {
      errors.push(required(at, 'at least one of mapping or overhead must be set'));
    }
    if (mapping !== undefined) checkMapping(mapping, capacity, `${at}.mapping`, errors);
    if (overhead !== undefined) checkOverhead(overhead, `${at}.overhead`, errors);
  }
}

function checkMapping(
  { capacityKey, capacityMultiplier, deviceMultiplier }: NodeAllocatableMapping,
  capacity: Readonly<Record<string, object>>,
  field: string,
  errors: FieldError[],
): void {
  if (capacityKey === '') {
    const detail = 'capacityKey must not be an empty string';
    errors.push(invalid(`${field}.capacityKey`, '', detail));
  } else if (capacityKey !== undefined && capacity[capacityKey] === undefined) {
    errors.push(notFound(`${field}.capacityKey`, capacityKey));
  }
  if (capacityKey === undefined) {
    if (capacityMultiplier !== undefined) {
      const detail = 'capacityKey is required when capacityMultiplier is set';
      errors.push(required(`${field}.capacityKey`, detail));
    }
  } else if (capacityMultiplier === undefined) {
    const detail = 'capacityMultiplier is required when capacityKey is set';
    errors.push(required(`${field}.capacityMultiplier`, detail));
  } else checkPositive(capacityMultiplier, `${field}.capacityMultiplier`, errors);
  if (deviceMultiplier !== undefined) {
    checkPositive(deviceMultiplier, `${field}.deviceMultiplier`, errors);
  }
}

function checkPositive(amount: string, field: string, errors: FieldError[]): void {
  if (quantitySign(amount) <= 0) errors.push(invalid(field, amount, 'must be positive'));
}

function checkOverhead(
  { perPod, perContainer }: NodeAllocatableOverhead,
  field: string,
  errors: FieldError[],
): void {
  if (perPod === undefined && perContainer === undefined) {
    errors.push(invalid(field, '', 'at least one of perPod or perContainer must be set'));
  }
  for (const [member, amount] of Object.entries({ perPod, perContainer })) {
    if (amount === undefined || quantitySign(amount) >= 0) continue;
    errors.push(invalid(`${field}.${member}`, amount, 'must be non-negative'));
  }
}
