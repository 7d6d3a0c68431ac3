/** PersistentVolumeClaim (README.md#volumes). */
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { compareQuantities, quantitySign } from '../../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../../semantics/metadata/names.ts';
import { checkReason } from '../../../semantics/validation/condition-validation.ts';
import { dropDisabledMember } from '../../disabled-members.ts';
import { defineKind } from '../../kind.ts';
import { PERSISTENT_VOLUME_CLAIM_PRINTER } from './persistent-volume-claim-printer.ts';
import { isNative } from '../resource-names.ts';
import {
  checkClaimSpec,
  matchDataSources,
  settleDataSources,
} from './persistent-volume-claim-spec.ts';
import { ATTRIBUTES_OFF } from './persistent-volume.ts';
import { CLASS_ANNOTATION, claimWarnings } from './volume-warnings.ts';

type Quantities = Readonly<Record<string, string>>;

const CANNOT_RESIZE = ownRelease().has('infeasibleResizes') ? 'Infeasible' : 'Failed';
const RESIZE_STATUSES = [
  `ControllerResize${CANNOT_RESIZE}`,
  'ControllerResizeInProgress',
  `NodeResize${CANNOT_RESIZE}`,
  'NodeResizeInProgress',
  'NodeResizePending',
].sort();
const OLD_RESIZE_STATUSES = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

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

  dropDisabled({ status }, gates, stored) {
    if (!ownRelease().has('healthOfClaimedVolumes')) return;
    dropDisabledMember(gates, 'CSIVolumeHealth', status, stored?.status, 'healthStatus');
  },

  prepareForCreate(object, gates) {
    object.status = { phase: 'Pending' };
    if (object.spec) settleDataSources(object.spec, gates);
  },

  prepareForUpdate(object, stored, gates) {
    if (object.spec) settleDataSources(object.spec, gates, stored.spec);
  },

  validate({ spec = {} }, stored, { gates }) {
    const errors: FieldError[] = [];
    checkClaimSpec(spec, 'spec', errors, { gates, stored: stored?.spec });
    return errors;
  },

  createWarnings: claimWarnings,

  updateWarnings: claimWarnings,

  validateUpdate(object, stored, _, gates) {
    const { spec = {} } = object;
    const { spec: before = {} } = stored;
    const errors: FieldError[] = [];
    if (!keepsSpec(object, stored, gates)) errors.push(fieldForbidden('spec', fixedText()));
    checkSize(spec, stored, gates, errors);
    if (spec.volumeMode !== before.volumeMode) {
      errors.push(invalid('volumeMode', spec.volumeMode, FIELD_IMMUTABLE));
    }
    checkAttributes(spec, stored, gates, errors);
    return errors;
  },

  validateStatusUpdate({ status = {} }, { status: stored = {} }, _, gates) {
    const errors = capacityErrors(status.capacity ?? {});
    status.healthStatus?.healthConditions?.forEach(({ reason = '' }, index) => {
      if (reason === '') return;
      checkReason(reason, `status.healthStatus.healthConditions[${index}].reason`, errors);
    });
    const knowsProgress =
      gates.has('RecoverVolumeExpansionFailure') ||
      stored.allocatedResources !== undefined ||
      stored.allocatedResourceStatuses !== undefined;
    if (knowsProgress) checkProgress(status, errors);
    return errors;
  },
});

function fixedText(): string {
  const free = ownRelease().has('attributesMayChange')
    ? 'resources.requests and volumeAttributesClassName'
    : 'resources.requests';
  return `spec is immutable after creation except ${free} for bound claims`;
}

/**
 * The binder may name the volume once, a bound claim may ask for another size and other attributes,
 * and one without a class may get one.
 */
function keepsSpec(
  { metadata, spec = {}, status }: PersistentVolumeClaim,
  stored: PersistentVolumeClaim,
  gates: FeatureGates,
): boolean {
  const release = ownRelease();
  const before = { ...stored.spec };
  // A stored claim may be older than the second member.
  if (gates.has('AnyVolumeDataSource')) matchDataSources(before);
  const { resources, volumeName = '', volumeAttributesClassName, storageClassName, ...rest } = spec;
  const {
    resources: storedResources,
    volumeName: storedName = '',
    volumeAttributesClassName: storedAttributes,
    storageClassName: storedClass,
    ...storedRest
  } = before;
  if (storedName !== '' && volumeName !== storedName) return false;
  const isBound = status?.phase === 'Bound';
  const mayChangeAttributes =
    isBound && release.has('attributesMayChange') && gates.has('VolumeAttributesClass');
  if (!mayChangeAttributes && volumeAttributesClassName !== storedAttributes) return false;
  if (
    storageClassName !== storedClass &&
    !mayNameClass(storageClassName, stored, metadata, gates)
  ) {
    return false;
  }
  const requests = resources?.requests ?? {};
  const storedRequests = storedResources?.requests ?? {};
  const except = isBound && 'storage' in requests ? 'storage' : undefined;
  return (
    quantitiesEqual(requests, storedRequests, except) &&
    quantitiesEqual(resources?.limits ?? {}, storedResources?.limits ?? {}) &&
    deepEqual(rest, storedRest)
  );
}

/** Whether the class is the first one, or the one that the annotation named. */
function mayNameClass(
  storageClassName: string | undefined,
  stored: PersistentVolumeClaim,
  { annotations = {} }: PersistentVolumeClaim['metadata'],
  gates: FeatureGates,
): boolean {
  if (storageClassName === undefined || stored.spec?.storageClassName !== undefined) return false;
  if (!ownRelease().has('laterClasses')) return false;
  const named = stored.metadata.annotations?.[CLASS_ANNOTATION];
  const isNamed = named === storageClassName;
  if (isNamed && (annotations[CLASS_ANNOTATION] ?? named) === named) return true;
  return gates.has('RetroactiveDefaultStorageClass') && (named === undefined || isNamed);
}

function checkSize(
  { resources }: PersistentVolumeClaimSpec,
  { spec: stored, status }: PersistentVolumeClaim,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const size = resources?.requests?.['storage'] ?? '0';
  if (compareQuantities(size, stored?.resources?.requests?.['storage'] ?? '0') >= 0) return;
  const field = 'spec.resources.requests.storage';
  const mayShrink =
    gates.has('RecoverVolumeExpansionFailure') ||
    (ownRelease().has('namedClaimResources') &&
      (status?.allocatedResources ?? status?.allocatedResourceStatuses) !== undefined);
  if (!mayShrink) {
    errors.push(fieldForbidden(field, 'field can not be less than previous value'));
  } else if (compareQuantities(size, status?.capacity?.['storage'] ?? '0') <= 0) {
    errors.push(fieldForbidden(field, 'field can not be less than status.capacity'));
  }
}

function checkAttributes(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  { spec: stored, status }: PersistentVolumeClaim,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const before = stored?.volumeAttributesClassName;
  if (name === before) return;
  const field = 'spec.volumeAttributesClassName';
  if (!gates.has('VolumeAttributesClass')) errors.push(fieldForbidden(field, ATTRIBUTES_OFF));
  const byForce = ownRelease().has('attributesInForce');
  const isFixed = (byForce ? status?.currentVolumeAttributesClassName : before) !== undefined;
  if (!isFixed || (name !== undefined && name !== '')) return;
  const value =
    byForce || name === undefined
      ? name === undefined
        ? 'nil'
        : 'empty string'
      : 'an empty string';
  const detail = byForce
    ? `update to ${value} is forbidden when status.currentVolumeAttributesClassName is not nil`
    : `update from non-nil value to ${value} is forbidden`;
  errors.push(fieldForbidden(field, detail));
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

/** How far the size of a claim has been changed. */
function checkProgress(status: PersistentVolumeClaimStatus, errors: FieldError[]): void {
  const { resizeStatus, allocatedResourceStatuses = {}, allocatedResources = {} } = status;
  if (resizeStatus !== undefined && !OLD_RESIZE_STATUSES.includes(resizeStatus)) {
    errors.push(notSupported('status.resizeStatus', resizeStatus, OLD_RESIZE_STATUSES));
  }
  const release = ownRelease();
  const member = release.has('ownNameOfResourceStatuses')
    ? 'allocatedResourceStatuses'
    : 'allocatedResourceStatus';
  for (const [name, value] of Object.entries(allocatedResourceStatuses)) {
    checkResourceName(name, `status.${member}`, errors);
    if (RESIZE_STATUSES.includes(value)) continue;
    // The reference tells the name.
    errors.push(notSupported(`status.${member}`, name, RESIZE_STATUSES));
  }
  for (const [name, quantity] of Object.entries(allocatedResources)) {
    const before = errors.length;
    checkResourceName(name, 'status.allocatedResources', errors);
    if (errors.length > before) continue;
    const field = `status.allocatedResources[${name}]`;
    if (quantitySign(quantity) < 0) {
      errors.push(invalid(field, quantity, 'must be a valid resource quantity'));
    }
  }
}

/** A claim has one of the resources of the cluster itself. */
function checkResourceName(name: string, field: string, errors: FieldError[]): void {
  if (!ownRelease().has('namedClaimResources')) {
    if (name !== 'storage') errors.push(notSupported(field, name, ['storage']));
    return;
  }
  const problems = qualifiedName(name);
  addProblems(problems, field, name, errors);
  if (problems.length > 0 || name === 'storage' || !isNative(name)) return;
  errors.push(notSupported(field, name, ['storage']));
}
