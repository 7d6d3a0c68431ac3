/** ResourceClaimTemplate (README.md#claims). */
import type { ResourceClaimTemplate } from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { FIELD_IMMUTABLE, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { checkTemplateMetadata } from '../../semantics/metadata/template-metadata.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { adminRequestErrors } from './claim-rights.ts';
import { dropDisabledOfSpec } from './claim-gates.ts';
import { applyRequestDefaults, checkClaimSpec } from './claim-rules.ts';
import { flatVersions } from './claim-versions.ts';
import { RESOURCE_GROUP, releasedVersions } from './released-versions.ts';

export const RESOURCE_CLAIM_TEMPLATE = defineKind<ResourceClaimTemplate>({
  group: RESOURCE_GROUP,
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  namespaced: true,
  message: 'resource.v1.ResourceClaimTemplate',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: releasedVersions('ResourceClaimTemplate', [
    { version: 'v1beta2' },
    ...flatVersions('ResourceClaimTemplate'),
  ]),
  printer: definePrinter([NAME, AGE]),

  applyDefaults({ spec = {} }) {
    if (spec.spec !== undefined) applyRequestDefaults(spec.spec);
  },

  dropDisabled({ spec = {} }, gates, stored) {
    if (spec.spec !== undefined) dropDisabledOfSpec(spec.spec, gates, stored?.spec?.spec);
  },

  validatePlace({ spec = {} }, stored, { labels }) {
    if (stored !== undefined) return [];
    return adminRequestErrors(spec.spec?.devices?.requests ?? [], labels);
  },

  validate({ spec = {} }, _stored, context) {
    const errors: FieldError[] = [];
    checkTemplateMetadata(spec.metadata ?? {}, 'spec.metadata', 'cannot be set', errors);
    checkClaimSpec(spec.spec ?? {}, 'spec.spec', errors, context);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    return deepEqual(spec, stored.spec) ? [] : [invalid('spec', spec, FIELD_IMMUTABLE)];
  },
});
