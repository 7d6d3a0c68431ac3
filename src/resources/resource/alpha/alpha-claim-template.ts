/** ResourceClaimTemplate, in the releases in which a claim names a class (README.md). */
import type { ResourceClaimTemplate } from '#messages/resource.v1alpha2';
import { deepEqual } from '../../../base/deep-equal.ts';
import {
  FIELD_IMMUTABLE,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkTemplateMetadata } from '../../../semantics/metadata/template-metadata.ts';
import { defineKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { RESOURCE_GROUP, releasedVersions } from '../released-versions.ts';
import { applyModeDefault, checkAlphaSpec } from './alpha-claim-rules.ts';

export const ALPHA_RESOURCE_CLAIM_TEMPLATE = defineKind<ResourceClaimTemplate>({
  group: RESOURCE_GROUP,
  version: 'v1alpha2',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  namespaced: true,
  message: 'resource.v1alpha2.ResourceClaimTemplate',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: releasedVersions('ResourceClaimTemplate', [{ version: 'v1alpha1' }]),
  // prettier-ignore
  printer: definePrinter([
    NAME,
    text('ResourceClassName', 'The class of the resource.', 'spec.spec.resourceClassName'),
    text('AllocationMode', 'When the resource is allocated.', 'spec.spec.allocationMode'),
    AGE,
  ]),

  applyDefaults({ spec }) {
    applyModeDefault(spec?.spec);
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkTemplateMetadata(spec.metadata ?? {}, 'spec.metadata', 'cannot be set', errors);
    checkAlphaSpec(spec.spec ?? {}, 'spec.spec', errors);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    return deepEqual(spec, stored.spec) ? [] : [invalid('spec', spec, FIELD_IMMUTABLE)];
  },
});
