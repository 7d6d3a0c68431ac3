/**
 * The specification of a claim: of a PersistentVolumeClaim, of the template of an ephemeral volume
 * or of a StatefulSet (README.md#volumes).
 */
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quantitySign } from '../../../codec/leaves/quantity.ts';
import {
  addProblems,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelSelector } from '../../../semantics/metadata/label-validation.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkAccessModes } from './access-modes.ts';

const CLAIM_KIND = 'PersistentVolumeClaim';
/** Snapshots are of a custom group, which clients name in either dialect. */
const SNAPSHOT_GROUPS = ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'];

/** Adds the problems of the specification at the path `field` to `errors`. */
export function checkClaimSpec(
  spec: PersistentVolumeClaimSpec,
  field: string,
  errors: FieldError[],
): void {
  const noMode = 'at least 1 access mode is required';
  checkAccessModes(spec.accessModes, `${field}.accessModes`, errors, noMode);
  checkLabelSelector(spec.selector, `${field}.selector`, errors);
  checkRequest(spec.resources?.requests?.['storage'], `${field}.resources[storage]`, errors);
  // The empty class is valid: it asks for a volume without a class.
  if (spec.storageClassName) {
    const { storageClassName: name } = spec;
    addProblems(dnsSubdomain(name), `${field}.storageClassName`, name, errors);
  }
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) checkDataSource(dataSource, `${field}.dataSource`, errors);
  if (dataSourceRef) checkDataSource(dataSourceRef, `${field}.dataSourceRef`, errors);
  if (dataSource && dataSourceRef && !deepEqual(dataSource, dataSourceRef)) {
    errors.push(invalid(field, `${field}.dataSource`, 'must match dataSourceRef'));
  }
}

function checkRequest(storage: string | undefined, field: string, errors: FieldError[]): void {
  if (storage === undefined) errors.push(required(field));
  else if (quantitySign(storage) <= 0) {
    errors.push(invalid(field, storage, 'must be greater than zero'));
  }
}

function checkDataSource(
  { apiGroup = '', kind = '', name = '' }: TypedLocalObjectReference,
  field: string,
  errors: FieldError[],
): void {
  if (name === '') errors.push(required(`${field}.name`));
  if (kind === '') errors.push(required(`${field}.kind`));
  if (apiGroup === '' && kind !== CLAIM_KIND) errors.push(invalid(field, kind, ''));
}

/**
 * Drops the newer member for the source, since its feature is alpha and off, and sources that are
 * neither a claim nor a snapshot, which need that feature. Values that the stored claim has may
 * stay.
 */
export function dropDataSources(
  spec: PersistentVolumeClaimSpec,
  stored?: PersistentVolumeClaimSpec,
): void {
  if (stored?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const isNew = stored?.dataSource === undefined;
  if (isNew && spec.dataSource && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
}

function isClaimOrSnapshot({ apiGroup = '', kind }: TypedLocalObjectReference): boolean {
  if (apiGroup === '') return kind === CLAIM_KIND;
  return kind === 'VolumeSnapshot' && SNAPSHOT_GROUPS.includes(apiGroup);
}
