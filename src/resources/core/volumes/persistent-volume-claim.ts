/** PersistentVolumeClaim (README.md#volumes). */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { compareQuantities, quantitySign } from '../../../codec/leaves/quantity.ts';
import {
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { defineKind } from '../../kind.ts';
import { PERSISTENT_VOLUME_CLAIM_PRINTER } from './persistent-volume-claim-printer.ts';
import { checkClaimSpec, dropDataSources } from './persistent-volume-claim-spec.ts';

type Quantities = Readonly<Record<string, string>>;

const SPEC_IS_FIXED = 'spec is immutable after creation except resources.requests for bound claims';

export const PERSISTENT_VOLUME_CLAIM = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  message: 'core.v1.PersistentVolumeClaim',
  nameRule: 'dnsSubdomain',
  statusSubresource: { metadataWritable: true },
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'object',
  checksFinalizerNames: true,
  printer: PERSISTENT_VOLUME_CLAIM_PRINTER,

  /** Drops the progress of an expansion. */
  dropDisabled({ status }, gates, stored) {
    if (status === undefined || gates.has('RecoverVolumeExpansionFailure')) return;
    if (stored?.status?.allocatedResources === undefined) delete status.allocatedResources;
    if (stored?.status?.resizeStatus === undefined) delete status.resizeStatus;
  },

  prepareForCreate(object) {
    object.status = { phase: 'Pending' };
    if (object.spec) dropDataSources(object.spec);
  },

  prepareForUpdate(object, stored) {
    if (object.spec) dropDataSources(object.spec, stored.spec);
  },

  validate({ spec = {} }) {
    const errors: FieldError[] = [];
    checkClaimSpec(spec, 'spec', errors);
    return errors;
  },

  validateUpdate({ spec = {}, status }, { spec: stored = {} }) {
    const errors: FieldError[] = [];
    if (!keepsSpec(spec, stored, status?.phase === 'Bound')) {
      errors.push(fieldForbidden('spec', SPEC_IS_FIXED));
    }
    const size = spec.resources?.requests?.['storage'] ?? '0';
    if (compareQuantities(size, stored.resources?.requests?.['storage'] ?? '0') < 0) {
      const detail = 'field can not be less than previous value';
      errors.push(fieldForbidden('spec.resources.requests.storage', detail));
    }
    if (spec.volumeMode !== stored.volumeMode) {
      errors.push(invalid('volumeMode', spec.volumeMode, FIELD_IMMUTABLE));
    }
    return errors;
  },

  validateStatusUpdate({ status }) {
    return capacityErrors(status?.capacity ?? {});
  },
});

/** The binder may name the volume once, and a bound claim may ask for another size. */
function keepsSpec(
  spec: PersistentVolumeClaimSpec,
  stored: PersistentVolumeClaimSpec,
  isBound: boolean,
): boolean {
  const { resources, volumeName = '', ...rest } = spec;
  const { resources: storedResources, volumeName: storedName = '', ...storedRest } = stored;
  if (storedName !== '' && volumeName !== storedName) return false;
  const requests = resources?.requests ?? {};
  const storedRequests = storedResources?.requests ?? {};
  const except = isBound && 'storage' in requests ? 'storage' : undefined;
  return (
    quantitiesEqual(requests, storedRequests, except) &&
    quantitiesEqual(resources?.limits ?? {}, storedResources?.limits ?? {}) &&
    deepEqual(rest, storedRest)
  );
}

/** Compares amounts, which can be written in several ways. */
function quantitiesEqual(a: Quantities, b: Quantities, except?: string): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    if (name === except) continue;
    // Decoded maps have no prototype; the empty maps that stand for absent ones have one.
    if (!Object.hasOwn(a, name) || !Object.hasOwn(b, name)) return false;
    const [left = '', right = ''] = [a[name], b[name]];
    if (left !== right && compareQuantities(left, right) !== 0) return false;
  }
  return true;
}

function capacityErrors(capacity: Quantities): FieldError[] {
  return Object.entries(capacity)
    .filter(([, quantity]) => quantitySign(quantity) < 0)
    .map(([resource, quantity]) =>
      invalid(`status.capacity[${resource}]`, quantity, 'must be a valid resource quantity'),
    );
}
