/** ResourceClaim, in the releases in which a claim names a class (README.md). */
import type {
  AllocationResult,
  ResourceClaim,
  ResourceClaimStatus,
} from '#messages/resource.v1alpha2';
import type { AllocationResult as FirstResult } from '#messages/resource.v1alpha1';
import { deepEqual } from '../../../base/deep-equal.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { defineKind, type ApiObject } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { stateOfClaim } from '../claim-state.ts';
import { RESOURCE_GROUP, releasedVersions } from '../released-versions.ts';
import { alphaStatusErrors, applyModeDefault, checkAlphaSpec } from './alpha-claim-rules.ts';

export const ALPHA_RESOURCE_CLAIM = defineKind<ResourceClaim>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  namespaced: true,
  message: 'resource.v1alpha2.ResourceClaim',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: false, ownsSent: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: releasedVersions('ResourceClaim', [
    {
      version: 'v1alpha1',
      message: 'resource.v1alpha1.ResourceClaim',
      toStored: (object) =>
        withAllocation(object, ({ resourceHandle, ...allocation }: FirstResult) => ({
          ...allocation,
          ...(resourceHandle && { resourceHandles: [{ data: resourceHandle }] }),
        })),
      fromStored: (object) =>
        withAllocation(object, ({ resourceHandles = [], ...allocation }: AllocationResult) => ({
          ...allocation,
          ...(resourceHandles[0]?.data && { resourceHandle: resourceHandles[0].data }),
        })),
    },
  ]),
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('ResourceClassName', 'The class of the resource.', 'spec.resourceClassName'),
    text('AllocationMode', 'When the resource is allocated.', 'spec.allocationMode'),
    stateOfClaim('shareable'),
    AGE,
  ]),

  applyDefaults({ spec }) {
    applyModeDefault(spec);
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkAlphaSpec(spec, 'spec', errors);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    return deepEqual(spec, stored.spec) ? [] : [invalid('spec', spec, FIELD_IMMUTABLE)];
  },

  validateStatusUpdate: alphaStatusErrors,
});

/** The object with another allocation, where it has one. */
function withAllocation<From>(object: ApiObject, convert: (allocation: From) => object): ApiObject {
  const status = object['status'] as ResourceClaimStatus | undefined;
  if (status?.allocation === undefined) return object;
  return { ...object, status: { ...status, allocation: convert(status.allocation as From) } };
}
