/**
 * The rules for metadata that hold for every kind (../README.md#metadata). Both functions are pure
 * and expect what the write pipeline has settled already: names generated, namespace filled in,
 * server-kept members (creationTimestamp, generation) copied from the stored object.
 */
import { appendAll } from '../../base/append-all.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import { ownNamespaceFinalizer } from '../dialect/own-names.ts';
import {
  addProblems,
  FIELD_IMMUTABLE,
  fieldForbidden,
  invalid,
  NOT_NEGATIVE,
  notSupported,
  required,
  showsJson,
  tooLong,
  type FieldError,
} from '../errors/field-error.ts';
import { checkLabels } from './label-validation.ts';
import { objectName, dnsLabel, qualifiedName, type NameRule } from './names.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './object-meta.ts';
import type { ObjectMeta, OwnerReference } from './object-meta.ts';

const ANNOTATIONS_BYTES_MAX = 262_144;
const MANAGER_BYTES_MAX = 128;
const SUBRESOURCE_BYTES_MAX = 256;

/** Finalizers that need no domain (../README.md#metadata). */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  ownNamespaceFinalizer('cluster'),
  ORPHAN_FINALIZER,
  FOREGROUND_FINALIZER,
]);

/** The problem of finalizers that are neither of the two: see `isStandardFinalizer`. */
export const FINALIZER_NAME = 'name is neither a standard finalizer name nor is it fully qualified';

/** The part of a kind's definition that decides about metadata. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule;
  readonly checksFinalizerNames: boolean;
  readonly unconditionalUpdate: boolean;
}

/**
 * The error of an update without a version, for kinds that need one. Its Status names the resource
 * type as the kind (../README.md#metadata).
 */
export const RESOURCE_VERSION_MISSING: FieldError = Object.freeze({
  reason: 'FieldValueInvalid',
  field: 'metadata.resourceVersion',
  message: `Invalid value: ${showsJson() ? '0' : '0x0'}: must be specified for an update`,
});

/** Whether an update names no version: absent and "0" both mean "whatever is stored". */
export function isUnconditional(meta: ObjectMeta): boolean {
  const rv = meta.resourceVersion;
  return rv === undefined || rv === '' || rv === '0';
}

/**
 * The problems of the metadata itself, on every write, in the reference's order. The base of a
 * generated name may have a rule of its own.
 */
export function validateObjectMeta(
  meta: ObjectMeta,
  rules: ObjectMetaRules,
  generateNameRule: NameRule = rules.nameRule,
): FieldError[] {
  const errors: FieldError[] = [];
  checkNames(meta, rules.nameRule, generateNameRule, errors);
  checkNamespace(meta, rules, errors);
  if (meta.generation !== undefined && meta.generation < 0) {
    errors.push(invalid('metadata.generation', meta.generation, NOT_NEGATIVE));
  }
  if (meta.labels) checkLabels(meta.labels, 'metadata.labels', errors);
  if (meta.annotations) checkAnnotations(meta.annotations, 'metadata.annotations', errors);
  if (meta.ownerReferences) checkOwnerReferences(meta.ownerReferences, errors);
  if (meta.finalizers) checkFinalizers(meta.finalizers, rules, errors);
  return errors;
}

function checkNames(
  meta: ObjectMeta,
  nameRule: NameRule,
  generateNameRule: NameRule,
  errors: FieldError[],
): void {
  const { name = '', generateName = '' } = meta;
  if (generateName !== '') {
    addProblems(
      objectName(generateNameRule, generateName, true),
      'metadata.generateName',
      generateName,
      errors,
    );
  }
  if (name === '') {
    errors.push(required('metadata.name', 'name or generateName is required'));
    return;
  }
  addProblems(objectName(nameRule, name), 'metadata.name', name, errors);
}

function checkNamespace(meta: ObjectMeta, rules: ObjectMetaRules, errors: FieldError[]): void {
  const { namespace = '' } = meta;
  if (!rules.namespaced) {
    if (namespace !== '') {
      errors.push(fieldForbidden('metadata.namespace', 'not allowed on this type'));
    }
    return;
  }
  if (namespace === '') {
    errors.push(required('metadata.namespace'));
    return;
  }
  addProblems(dnsLabel(namespace), 'metadata.namespace', namespace, errors);
}

/** Keys are compared lower-cased; the sizes of all keys and values count together. */
export function checkAnnotations(
  annotations: Readonly<Record<string, string>>,
  field: string,
  errors: FieldError[],
): void {
  let bytes = 0;
  for (const key in annotations) {
    addProblems(qualifiedName(key.toLowerCase()), field, key, errors);
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  }
  if (bytes > ANNOTATIONS_BYTES_MAX) errors.push(tooLong(field, ANNOTATIONS_BYTES_MAX));
}

const UNSAID = { apiVersion: '', kind: '', name: '', uid: '' };

/** With the members that are always written. */
function whole(owner: OwnerReference): OwnerReference {
  return { ...UNSAID, ...owner };
}

function checkOwnerReferences(owners: readonly OwnerReference[], errors: FieldError[]): void {
  const field = 'metadata.ownerReferences';
  const release = ownRelease();
  const isIndexed = release.has('declaredRules');
  const namesKinds = release.has('kindsOfOwners');
  let controller: string | undefined;
  owners.forEach((owner, index) => {
    if (isIndexed) checkIndexedOwner(owner, `${field}[${index}]`, errors);
    else checkOwner(owner, field, errors);
    if (owner.controller !== true) return;
    const { kind, name } = whole(owner);
    const shown = namesKinds ? `${kind}/${name}` : name;
    if (controller !== undefined) {
      const detail =
        'Only one reference can have Controller set to true. ' +
        `Found "true" in references for ${controller} and ${shown}`;
      errors.push(invalid(field, isIndexed ? owners.map(whole) : owners, detail));
    }
    controller ??= shown;
  });
}

function checkIndexedOwner(
  owner: Partial<OwnerReference>,
  field: string,
  errors: FieldError[],
): void {
  const { apiVersion = '', kind = '' } = owner;
  const version = apiVersion.split('/');
  for (const member of ['apiVersion', 'kind', 'name', 'uid'] as const) {
    if (!owner[member]) errors.push(required(`${field}.${member}`, 'must not be empty'));
  }
  if (apiVersion !== '' && (version.length > 2 || version.at(-1) === '')) {
    const detail = 'must be <group>/<version> or <version>';
    errors.push(invalid(`${field}.apiVersion`, apiVersion, detail));
  }
  checkBanned(owner, apiVersion, kind, field, errors);
}

function checkBanned(
  owner: Partial<OwnerReference>,
  apiVersion: string,
  kind: string,
  field: string,
  errors: FieldError[],
): void {
  if (apiVersion !== 'v1' || kind !== 'Event') return;
  errors.push(invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
}

function checkOwner(owner: Partial<OwnerReference>, field: string, errors: FieldError[]): void {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
  const version = apiVersion.split('/');
  if (version.length > 2 || version[version.length - 1] === '') {
    errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  if (kind === '') errors.push(invalid(`${field}.kind`, kind, 'kind must not be empty'));
  if (name === '') errors.push(invalid(`${field}.name`, name, 'name must not be empty'));
  if (uid === '') errors.push(invalid(`${field}.uid`, uid, 'uid must not be empty'));
  checkBanned(owner, apiVersion, kind, field, errors);
}

function checkFinalizers(
  finalizers: readonly string[],
  rules: ObjectMetaRules,
  errors: FieldError[],
): void {
  const field = 'metadata.finalizers';
  for (const finalizer of finalizers) {
    addProblems(qualifiedName(finalizer), field, finalizer, errors);
  }
  if (finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER)) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid(field, finalizers, detail));
  }
  if (!rules.checksFinalizerNames) return;
  finalizers.forEach((finalizer, index) => {
    if (isStandardFinalizer(finalizer)) return;
    errors.push(invalid(`${field}[${index}]`, finalizer, FINALIZER_NAME));
  });
}

/** Whether a finalizer is a standard one or has a domain. */
export function isStandardFinalizer(finalizer: string): boolean {
  return finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer);
}

/** The members of a managedFields entry that have rules; the list's type belongs to apply. */
interface CheckedEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly subresource?: string;
}

const NOT_PRINTABLE = /[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/** The errors of the entries of `metadata.managedFields` that a client sent. */
export function validateManagedFields(entries: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  entries.forEach((value, index) => {
    const entry = value as CheckedEntry;
    const field = `metadata.managedFields[${index}]`;
    checkOperation(entry.operation ?? '', `${field}.operation`, errors);
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${field}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'));
    }
    appendAll(errors, validateFieldManager(entry.manager ?? '', `${field}.manager`));
    if (Buffer.byteLength(entry.subresource ?? '') > SUBRESOURCE_BYTES_MAX) {
      errors.push(tooLong(`${field}.subresource`, SUBRESOURCE_BYTES_MAX));
    }
  });
  return errors;
}

const OPERATIONS = ['Apply', 'Update'] as const;

function checkOperation(operation: string, field: string, errors: FieldError[]): void {
  if (operation === 'Apply' || operation === 'Update') return;
  if (!ownRelease().has('declaredRules')) {
    errors.push(invalid(field, operation, 'must be `Apply` or `Update`'));
  } else if (operation === '') errors.push(required(field, 'must not be empty'));
  else errors.push(notSupported(field, operation, OPERATIONS));
}

/** The name of a manager: at most 128 bytes, printable (../README.md#metadata). */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MANAGER_BYTES_MAX) {
    errors.push(tooLong(field, MANAGER_BYTES_MAX));
  }
  for (const { 0: character, index } of manager.matchAll(NOT_PRINTABLE)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = Buffer.byteLength(manager.slice(0, index));
    const detail = `invalid character U+${code} (at position ${position})`;
    errors.push(invalid(field, manager, detail));
  }
  return errors;
}

/** The problems of an update's metadata against the stored one, besides `validateObjectMeta`. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  stored: ObjectMeta,
  rules: ObjectMetaRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if (stored.deletionTimestamp !== undefined) checkNoNewFinalizers(meta, stored, errors);
  if (!rules.unconditionalUpdate && isUnconditional(meta)) errors.push(RESOURCE_VERSION_MISSING);
  checkUnchanged('name', meta.name ?? '', stored.name ?? '', errors);
  checkUnchanged('namespace', meta.namespace ?? '', stored.namespace ?? '', errors);
  if (meta.uid) checkUnchanged('uid', meta.uid, stored.uid, errors);
  if (meta.creationTimestamp !== undefined && stored.creationTimestamp !== undefined) {
    const { creationTimestamp } = stored;
    checkUnchanged('creationTimestamp', meta.creationTimestamp, creationTimestamp, errors);
  }
  // A client never sets it. Once set, it is kept from the stored object whatever the client sent.
  if (stored.deletionTimestamp === undefined && meta.deletionTimestamp !== undefined) {
    checkUnchanged('deletionTimestamp', meta.deletionTimestamp, undefined, errors);
  }
  if (meta.deletionGracePeriodSeconds !== undefined) {
    const { deletionGracePeriodSeconds } = stored;
    const sent = meta.deletionGracePeriodSeconds;
    checkUnchanged('deletionGracePeriodSeconds', sent, deletionGracePeriodSeconds, errors);
  }
  return errors;
}

function checkUnchanged(
  member: string,
  value: unknown,
  stored: unknown,
  errors: FieldError[],
): void {
  if (value !== stored) errors.push(invalid(`metadata.${member}`, value, FIELD_IMMUTABLE));
}

function checkNoNewFinalizers(meta: ObjectMeta, stored: ObjectMeta, errors: FieldError[]): void {
  const before = new Set(stored.finalizers);
  const added = [...new Set(meta.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
  if (added.length === 0) return;
  const detail =
    'no new finalizers can be added if the object is being deleted, ' +
    `found new finalizers []string{${added.map(quoteText).join(', ')}}`;
  errors.push(fieldForbidden('metadata.finalizers', detail));
}
