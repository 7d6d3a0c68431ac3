/**
 * The specification of a volume: of a PersistentVolume, or inline in a VolumeAttachment
 * (README.md#volumes).
 */
import { posix } from 'node:path';
import type { NodeSelector, PersistentVolumeSpec } from '#messages/core.v1';
import { quantitySign, wholeQuantity } from '../../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkAccessModes } from './access-modes.ts';
import { checkNodeSelector } from '../nodes/node-selector.ts';
import { checkSecretReference, checkSources } from './persistent-volume-sources.ts';

/**
 * Adds the problems of a secret for staging that a new volume names. In an attachment it is not
 * checked, as in the reference, and in an update it does not change.
 */
export function checkStageSecret(
  { csi }: PersistentVolumeSpec,
  field: string,
  errors: FieldError[],
): void {
  checkSecretReference(csi?.nodeStageSecretRef, `${field}.csi.nodeStageSecretRef`, errors);
}

/** Facts that rules for a specification need besides it. */
export interface SpecRules {
  readonly gates: FeatureGates;
  readonly stored: PersistentVolumeSpec | undefined;
}

/** Adds the problems of the specification of a PersistentVolume to `errors`. */
export function checkVolumeSpec(
  spec: PersistentVolumeSpec,
  field: string,
  { gates, stored }: SpecRules,
  errors: FieldError[],
): void {
  checkAccessModes(spec.accessModes, `${field}.accessModes`, errors, {
    gates,
    stored: stored?.accessModes ?? [],
  });
  checkWords(spec, field, errors);
  checkCapacity(spec.capacity ?? {}, `${field}.capacity`, errors);
  const storedAffinity = stored?.nodeAffinity?.required;
  checkAffinity(spec.nodeAffinity, `${field}.nodeAffinity.required`, storedAffinity, errors);
  checkSources(spec, field, errors);
  checkLocal(spec, field, errors);
  checkRecycling(spec, field, errors);
  if (spec.storageClassName) {
    const { storageClassName: name } = spec;
    addProblems(dnsSubdomain(name), `${field}.storageClassName`, name, errors);
  }
  const knowsAttributes =
    gates.has('VolumeAttributesClass') || stored?.volumeAttributesClassName !== undefined;
  if (knowsAttributes) checkAttributesClass(spec, field, errors);
}

function checkAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  field: string,
  errors: FieldError[],
): void {
  if (name === undefined) return;
  const nameField = `${field}.volumeAttributesClassName`;
  if (name === '') errors.push(required(nameField, 'an empty string is disallowed'));
  else addProblems(dnsSubdomain(name), nameField, name, errors);
  if (csi !== undefined) return;
  errors.push(required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName'));
}

/**
 * Adds the problems of a specification inside an attachment: no claim, no class, one kind of
 * source.
 */
export function checkInlineSpec(
  spec: PersistentVolumeSpec,
  field: string,
  errors: FieldError[],
): void {
  const inline = 'in the context of inline volumes';
  for (const member of ['claimRef', 'capacity'] as const) {
    if (spec[member] === undefined) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `may not be specified ${inline}`));
  }
  if (spec.csi === undefined) {
    errors.push(required(`${field}.csi`, `has to be specified ${inline}`));
  }
  checkAccessModes(spec.accessModes, `${field}.accessModes`, errors);
  if ((spec.persistentVolumeReclaimPolicy || 'Retain') !== 'Retain') {
    const detail = `may only be Retain ${inline}`;
    errors.push(fieldForbidden(`${field}.persistentVolumeReclaimPolicy`, detail));
  }
  if (spec.nodeAffinity !== undefined) {
    errors.push(fieldForbidden(`${field}.nodeAffinity`, `may not be specified ${inline}`));
  }
  checkSources(spec, field, errors);
  checkLocal(spec, field, errors);
  if (spec.storageClassName) {
    errors.push(fieldForbidden(`${field}.storageClassName`, `may not be specified ${inline}`));
  }
  if ((spec.volumeMode ?? 'Filesystem') !== 'Filesystem') {
    const detail = `may not specify volumeMode other than Filesystem ${inline}`;
    errors.push(fieldForbidden(`${field}.volumeMode`, detail));
  }
}

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** Checks members with fixed values; an attachment has other rules for them. */
function checkWords(
  { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode: mode }: PersistentVolumeSpec,
  field: string,
  errors: FieldError[],
): void {
  if (!RECLAIM_POLICIES.includes(policy)) {
    const path = `${field}.persistentVolumeReclaimPolicy`;
    errors.push(notSupported(path, policy, RECLAIM_POLICIES));
  }
  if (mode === undefined || VOLUME_MODES.includes(mode)) return;
  errors.push(notSupported(`${field}.volumeMode`, mode, VOLUME_MODES));
}

/** A local volume must name its node. */
function checkLocal(
  { local, nodeAffinity }: PersistentVolumeSpec,
  field: string,
  errors: FieldError[],
): void {
  if (local === undefined || nodeAffinity !== undefined) return;
  errors.push(required(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
}

function checkAffinity(
  affinity: PersistentVolumeSpec['nodeAffinity'],
  field: string,
  stored: NodeSelector | undefined,
  errors: FieldError[],
): void {
  if (affinity === undefined) return;
  if (affinity.required) checkNodeSelector(affinity.required, field, errors, stored);
  else errors.push(required(field, 'must specify required node constraints'));
}

/** Exactly one entry, `storage`, above zero. */
function checkCapacity(
  capacity: Readonly<Record<string, string>>,
  field: string,
  errors: FieldError[],
): void {
  const resources = Object.keys(capacity).sort();
  if (resources.length === 0) errors.push(required(field));
  if (resources.length !== 1 || resources[0] !== 'storage') {
    errors.push(notSupported(field, capacity, ['storage']));
  }
  for (const resource of resources) {
    const quantity = capacity[resource] ?? '';
    if (quantitySign(quantity) > 0) continue;
    const at = `${field}[${resource}]`;
    const whole = wholeQuantity(quantity);
    if (whole < 0n) errors.push(invalid(at, whole, 'must be a valid resource quantity'));
    errors.push(invalid(at, quantity, 'must be greater than zero'));
  }
}

function checkRecycling(spec: PersistentVolumeSpec, field: string, errors: FieldError[]): void {
  const path = spec.hostPath?.path;
  if (path === undefined || spec.persistentVolumeReclaimPolicy !== 'Recycle') return;
  if (posix.normalize(path) !== '/') return;
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  errors.push(fieldForbidden(`${field}.persistentVolumeReclaimPolicy`, detail));
}
