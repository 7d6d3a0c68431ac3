/**
 * The specification of a claim: of a PersistentVolumeClaim, of the template of an ephemeral volume
 * or of a StatefulSet (README.md#volumes).
 */
import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '#messages/core.v1';
import { deepEqual } from '../../../base/deep-equal.ts';
import { quantitySign } from '../../../codec/leaves/quantity.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { DEFAULT_GATES } from '../../../release/own-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import {
  addProblems,
  invalid,
  invalidPrinted,
  required,
  showsJson,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { checkLabelSelector } from '../../../semantics/metadata/label-validation.ts';
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { checkAccessModes } from './access-modes.ts';

const CLAIM_KIND = 'PersistentVolumeClaim';
/** Snapshots are of a custom group, which clients name in either dialect. */
const SNAPSHOT_GROUPS = ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'];

/** Facts that rules for a specification need besides it. */
export interface ClaimRules {
  readonly gates?: FeatureGates;
  /** A specification that is replaced: what is wrong in it may stay. */
  readonly stored?: PersistentVolumeClaimSpec | undefined;
}

/** Adds the problems of the specification at the path `field` to `errors`. */
export function checkClaimSpec(
  spec: PersistentVolumeClaimSpec,
  field: string,
  errors: FieldError[],
  { gates = DEFAULT_GATES, stored }: ClaimRules = {},
): void {
  checkAccessModes(spec.accessModes, `${field}.accessModes`, errors, {
    whenMissing: 'at least 1 access mode is required',
    gates,
    stored: stored?.accessModes ?? [],
  });
  checkLabelSelector(spec.selector, `${field}.selector`, errors, stored?.selector);
  checkRequest(spec.resources?.requests?.['storage'], `${field}.resources[storage]`, errors);
  // The empty class is valid: it asks for a volume without a class.
  if (spec.storageClassName) {
    const { storageClassName: name } = spec;
    addProblems(dnsSubdomain(name), `${field}.storageClassName`, name, errors);
  }
  checkSources(spec, field, stored, errors);
  const { volumeAttributesClassName: name = '' } = spec;
  const knowsAttributes =
    gates.has('VolumeAttributesClass') || stored?.volumeAttributesClassName !== undefined;
  if (name === '' || !knowsAttributes) return;
  addProblems(dnsSubdomain(name), `${field}.volumeAttributesClassName`, name, errors);
}

function checkSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  field: string,
  stored: PersistentVolumeClaimSpec | undefined,
  errors: FieldError[],
): void {
  const checksGroup = ![stored?.dataSource, stored?.dataSourceRef].some(hasGroup);
  if (dataSource) checkDataSource(dataSource, `${field}.dataSource`, checksGroup, errors);
  if (dataSourceRef) {
    const refField = `${field}.dataSourceRef`;
    checkDataSource(dataSourceRef, refField, checksGroup, errors);
    const { namespace = '' } = dataSourceRef;
    if (namespace !== '') {
      addProblems(dnsLabel(namespace), `${refField}.namespace`, namespace, errors);
    }
  }
  if (!dataSource || !dataSourceRef) return;
  if (dataSourceRef.namespace) {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    errors.push(invalidPrinted(field, printPath(`${field}.dataSource`), detail));
  } else if (!isSameSource(dataSource, dataSourceRef)) {
    const printed = printPath(`${field}.dataSource`);
    errors.push(invalidPrinted(field, printed, 'must match dataSourceRef'));
  }
}

/** The reference shows the path of a member in the place of its value. */
function printPath(path: string): string {
  return showsJson() ? '{}' : JSON.stringify(path);
}

function isSameSource(source: TypedLocalObjectReference, reference: TypedObjectReference): boolean {
  if (!ownRelease().has('sourcesOfClaims')) return deepEqual(source, reference);
  const { apiGroup, kind = '', name = '' } = source;
  return (
    apiGroup === reference.apiGroup &&
    kind === (reference.kind ?? '') &&
    name === (reference.name ?? '')
  );
}

/** Whether a stored source has a group: then it may be no name. */
function hasGroup(source: TypedLocalObjectReference | undefined): boolean {
  return source?.apiGroup !== undefined;
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
  checksGroup: boolean,
  errors: FieldError[],
): void {
  const release = ownRelease();
  if (name === '') errors.push(required(`${field}.name`));
  if (kind === '') errors.push(required(`${field}.kind`));
  if (apiGroup === '' && kind !== CLAIM_KIND) {
    const detail = release.has('sourcesOfClaims')
      ? `must be '${CLAIM_KIND}' when referencing the default apiGroup`
      : '';
    errors.push(invalid(field, kind, detail));
  }
  if (apiGroup === '' || !checksGroup || !release.has('namedSourceGroups')) return;
  addProblems(dnsSubdomain(apiGroup), `${field}.apiGroup`, apiGroup, errors);
}

/**
 * Drops sources whose features are off, and sources in the older member that are neither a claim
 * nor a snapshot. Values that the stored claim has may stay. Then both members say the same, unless
 * the source is in another namespace, which the older one cannot say.
 */
export function settleDataSources(
  spec: PersistentVolumeClaimSpec,
  gates: FeatureGates,
  stored?: PersistentVolumeClaimSpec,
): void {
  if (!gates.has('AnyVolumeDataSource')) {
    dropDataSources(spec, stored);
    return;
  }
  const isElsewhere = Boolean(spec.dataSourceRef?.namespace);
  if (isElsewhere && !gates.has('CrossNamespaceVolumeDataSource') && !stored?.dataSourceRef) {
    delete spec.dataSourceRef;
  }
  const isNew = stored?.dataSource === undefined && stored?.dataSourceRef === undefined;
  const { dataSource, dataSourceRef } = spec;
  if (isNew && dataSource && !dataSourceRef && !isClaimOrSnapshot(dataSource)) {
    delete spec.dataSource;
  }
  matchDataSources(spec);
}

/** Fills in the member that is absent. */
export function matchDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = sourceOf(dataSource);
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    spec.dataSource = sourceOf(dataSourceRef);
  }
}

function sourceOf({ apiGroup, kind, name }: TypedLocalObjectReference): TypedLocalObjectReference {
  return {
    ...(apiGroup !== undefined && { apiGroup }),
    ...(kind !== undefined && { kind }),
    ...(name !== undefined && { name }),
  };
}

/**
 * Drops the newer member for the source, whose feature is off, and sources that are neither a claim
 * nor a snapshot, which need that feature.
 */
function dropDataSources(
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
