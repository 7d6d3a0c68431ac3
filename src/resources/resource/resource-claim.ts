/** ResourceClaim (README.md#claims). */
import type { ResourceClaim } from '#messages/resource.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { ownRelease } from '../../release/release.ts';
import { FIELD_IMMUTABLE, invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter } from '../printer.ts';
import { adminRequestErrors, adminResultErrors, rightsOfClaimStatus } from './claim-rights.ts';
import { dropDisabledOfSpec, dropDisabledOfStatus } from './claim-gates.ts';
import { applyRequestDefaults, checkClaimSpec } from './claim-rules.ts';
import { stateOfClaim } from './claim-state.ts';
import { claimStatusErrors, dropDeallocated } from './claim-status.ts';
import { flatVersions } from './claim-versions.ts';
import { RESOURCE_GROUP, releasedVersions } from './released-versions.ts';

export const RESOURCE_CLAIM = defineKind<ResourceClaim>({
  group: RESOURCE_GROUP,
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  namespaced: true,
  message: 'resource.v1.ResourceClaim',
  nameRule: 'dnsSubdomain',
  statusSubresource: {
    metadataWritable: false,
    ...(!ownRelease().has('statusOwnsNoMetadata') && { ownsSent: true }),
  },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  otherVersions: releasedVersions('ResourceClaim', [
    { version: 'v1beta2' },
    ...flatVersions('ResourceClaim'),
  ]),
  printer: definePrinter([NAME, stateOfClaim('nodeSelector'), AGE]),

  applyDefaults({ spec = {} }) {
    applyRequestDefaults(spec);
  },

  dropDisabled(claim, gates, stored) {
    dropDisabledOfSpec(claim.spec ?? {}, gates, stored?.spec);
    if (stored === undefined) return;
    dropDisabledOfStatus(claim, gates, stored);
    const tellsDevices = gates.has('DRAResourceClaimDeviceStatus');
    if (tellsDevices || stored.status?.devices !== undefined) dropDeallocated(claim, stored);
  },

  validatePlace({ spec = {}, status = {} }, stored, { part, labels }) {
    if (stored === undefined) return adminRequestErrors(spec.devices?.requests ?? [], labels);
    if (part !== 'status') return [];
    const before = stored.status?.allocation?.devices?.results ?? [];
    return adminResultErrors(status.allocation?.devices?.results ?? [], before, labels);
  },

  neededRights: rightsOfClaimStatus,

  validate({ spec = {} }, stored, context) {
    const errors: FieldError[] = [];
    if (stored === undefined) checkClaimSpec(spec, 'spec', errors, context);
    return errors;
  },

  validateUpdate({ spec }, stored) {
    if (deepEqual(spec, stored.spec)) return [];
    return [invalid('spec', ownRelease().has('declaredRules') ? null : spec, FIELD_IMMUTABLE)];
  },

  validateStatusUpdate: claimStatusErrors,
});
