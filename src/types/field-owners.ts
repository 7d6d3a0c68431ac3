/**
 * Owners of the fields of an object that is about to be written: `metadata.managedFields`
 * (src/semantics/fields/README.md#owners-of-fields). Works on objects in the stored version, as the
 * write pipeline has them.
 */
import { assert } from '../base/assert.ts';
import { deepEqual } from '../base/deep-equal.ts';
import { RawJson } from '../codec/json/raw-json.ts';
import type { Members } from '../codec/model/schema-model.ts';
import { ownRelease } from '../release/release.ts';
import { REQUEST_BODY_BYTES_MAX } from '../limits.ts';
import type { VersionConverter } from '../semantics/fields/version-converter.ts';
import { compareFields, type Comparison } from '../semantics/fields/compare-fields.ts';
import { equalSets, isEmptySet } from '../semantics/fields/field-set.ts';
import {
  isSameOwner,
  formatManagedFields,
  parseManagedFields,
  sentManagedFields,
  type ManagedEntry,
} from '../semantics/fields/managed-fields.ts';
import type { StructType } from '../semantics/fields/field-types.ts';
import { trackUpdate, type Ownable, type Writer } from '../semantics/fields/track-update.ts';
import { TypedError } from '../semantics/fields/typed-error.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import { validateManagedFields } from '../semantics/metadata/object-meta-validation.ts';
import { storedManagedFields as storedText } from '../semantics/metadata/object-meta.ts';
import { documentText, parseDocument } from '../semantics/patch/document.ts';
import { serverFailure, StatusError } from '../semantics/errors/status.ts';
import type { ResourceType } from './resource-type.ts';
import type { ServedVersion } from './served-version.ts';
import type { ApiObject } from '../resources/kind.ts';

/**
 * The owners that a client names: it may say nothing, or that there be none
 * (src/semantics/fields/README.md#updates).
 */
export type GivenOwners = ReturnType<typeof sentManagedFields>;

/**
 * Takes the entries out of a body that a client sent. `live` is the text of the stored object's
 * entries: most clients send back those that they have read.
 */
export function takeGivenOwners({ metadata }: ApiObject, live: string): GivenOwners {
  const { managedFields: sent } = metadata;
  delete metadata.managedFields;
  if (sent === undefined || sent instanceof RawJson || sentText(sent) === live) return undefined;
  return sentManagedFields(sent);
}

/** The errors of the owners of an object that is to be written, some of whom were given. */
export function ownerErrors(given: GivenOwners, owners: RawJson | undefined): FieldError[] {
  if (!Array.isArray(given) || owners === undefined) return [];
  return validateManagedFields(parseManagedFields(owners.text));
}

/**
 * The entries of an object that admission has sent back, in the form of objects that are about to
 * be written; undefined for none, and for entries that cannot be understood.
 */
export function ownersSentBack(sent: readonly unknown[]): RawJson | undefined {
  return Array.isArray(sentManagedFields(sent)) ? new RawJson(sentText(sent)) : undefined;
}

/**
 * The list in the form of objects that are about to be written; undefined when there is none.
 * Throws StatusError 500 for one that would be larger than any object: each applier adds the fields
 * that it applies.
 */
export function managedFieldsOf(entries: readonly ManagedEntry[]): RawJson | undefined {
  const text = formatManagedFields(entries);
  if (text.length > REQUEST_BODY_BYTES_MAX) throw serverFailure('request is too large');
  return text === '' ? undefined : new RawJson(text);
}

/** The owners of a new object, which has only members from clients and defaults. */
export function ownersOfNew(
  kind: ResourceType,
  object: ApiObject,
  given: GivenOwners,
  writer: Writer,
): RawJson | undefined {
  return tracked(kind, served(kind, given), undefined, object, writer);
}

/**
 * The owners of an object that is only sent with a question, and is never stored. Owners that the
 * client names do not count.
 */
export function ownersOfAsked(
  types: StructType,
  { metadata, ...members }: ApiObject,
  writer: Writer,
): RawJson | undefined {
  const asked = { ...members, metadata: { ...metadata, managedFields: undefined } };
  return unlessUntracked(undefined, () => {
    const changed = compareFields(types, { metadata: {} }, asked);
    return managedFieldsOf(trackUpdate(NO_ENTRIES, writer, () => changed, {}));
  });
}

/**
 * The owners of an object that replaces `stored`: those who owned it, or whom the client says, and
 * the writer. Without any, and without a reset, nobody is written down
 * (src/semantics/fields/README.md#field-sets).
 */
export function ownersOfUpdate(
  kind: ResourceType,
  updated: ApiObject,
  stored: ApiObject,
  given: GivenOwners,
  writer: Writer,
): RawJson | undefined {
  // managedFields that clients send through a subresource are ignored.
  if (given === undefined || writer.subresource !== '') {
    const live = storedText(stored.metadata);
    if (live === '') return undefined;
    return tracked(kind, live, stored, updated, writer);
  }
  const owners = tracked(kind, served(kind, given), stored, updated, writer);
  return TELLS_CHANGES && owners !== undefined ? inOldTimes(owners, updated, stored) : owners;
}

/** Whether times that clients name are those of changes, too. */
const TELLS_CHANGES = ownRelease().has('timesOfChanges');

/** Owners that a client names, or those of before where it changes nothing but their times. */
function inOldTimes(owners: RawJson, updated: ApiObject, stored: ApiObject): RawJson {
  const live = storedText(stored.metadata);
  if (live === '' || live === owners.text) return owners;
  // Most updates change something: entries are only read for those that do not.
  if (!isSameButRecords(updated, stored)) return owners;
  return onlyTimesDiffer(parseManagedFields(live), parseManagedFields(owners.text))
    ? new RawJson(live)
    : owners;
}

/**
 * The owners after an apply made `after` of `before`. Where nothing but the time of the applier
 * differs, in an object that defaults have made equal to the stored one, that stays too.
 */
export function ownersOfApply(
  updated: ApiObject,
  stored: ApiObject,
  before: readonly ManagedEntry[],
  after: readonly ManagedEntry[],
): RawJson | undefined {
  const live = storedText(stored.metadata);
  const isSame = live !== '' && onlyTimesDiffer(before, after) && isSameButRecords(updated, stored);
  return isSame ? new RawJson(live) : managedFieldsOf(after);
}

function onlyTimesDiffer(before: readonly ManagedEntry[], after: readonly ManagedEntry[]): boolean {
  return (
    before.length === after.length &&
    after.every((entry) => before.some((former) => isSameButTime(former, entry)))
  );
}

/** Whether nothing differs but the owners and the version. */
function isSameButRecords(updated: ApiObject, stored: ApiObject): boolean {
  // Most objects that differ have another generation, so that their metadata tells it first.
  return (
    sameMembers(updated.metadata, stored.metadata, ['managedFields', 'resourceVersion']) &&
    sameMembers(updated, stored, ['metadata'])
  );
}

/** Compares all members but some, without copies that lack those. */
function sameMembers(one: object, other: object, except: readonly string[]): boolean {
  const [a, b] = [one as Members, other as Members];
  const isSame = (name: string): boolean => except.includes(name) || deepEqual(a[name], b[name]);
  return Object.keys(a).every(isSame) && Object.keys(b).every((name) => name in a || isSame(name));
}

function isSameButTime(former: ManagedEntry, entry: ManagedEntry): boolean {
  return (
    isSameOwner(former, entry) &&
    former.apiVersion === entry.apiVersion &&
    equalSets(former.fields, entry.fields)
  );
}

/** `before` is '' or the text of the entries where they need not be looked into if all is equal. */
function tracked(
  kind: ResourceType,
  before: string | readonly ManagedEntry[],
  stored: ApiObject | undefined,
  object: ApiObject,
  writer: Writer,
): RawJson | undefined {
  const compareIn = comparisons(kind, stored, object);
  const isText = typeof before === 'string';
  const kept = KEEPS_OWNERS && stored !== undefined ? storedText(stored.metadata) : '';
  return unlessUntracked(kept === '' ? undefined : new RawJson(kept), () => {
    if (isText && changesNothing(kind, compareIn)) return new RawJson(before);
    const entries = isText ? parseManagedFields(before) : before;
    const after = trackUpdate(entries, writer, compareIn, ownableBy(kind, writer));
    return isText && after === entries ? new RawJson(before) : managedFieldsOf(after);
  });
}

/** Whether an update whose fields cannot be tracked leaves the owners as they were. */
const KEEPS_OWNERS = ownRelease().has('ownersOfUntracked');

/** Fields that cannot be tracked have no owners, or those of before. */
function unlessUntracked(
  kept: RawJson | undefined,
  track: () => RawJson | undefined,
): RawJson | undefined {
  try {
    return track();
  } catch (error) {
    // Objects with an item twice in a keyed list are valid, but cannot be tracked.
    if (error instanceof TypedError) return kept;
    // Nor does a write fail because the list of owners would be too long.
    if (error instanceof StatusError) return kept;
    throw error;
  }
}

function ownableBy(kind: ResourceType, { apiVersion, subresource }: Writer): Ownable {
  return kind.ownable(subresource, kind.versionNamed(apiVersion)?.index);
}

const NO_ENTRIES: readonly ManagedEntry[] = Object.freeze([]);

/**
 * The given entries without those of versions that are not served: nobody could take their fields.
 */
function served(kind: ResourceType, given: GivenOwners): readonly ManagedEntry[] {
  if (given === undefined || given === 'reset') return NO_ENTRIES;
  return given.filter(({ apiVersion }) => kind.versionNamed(apiVersion) !== undefined);
}

type CompareIn = (apiVersion: string) => Comparison | undefined;

/** Where objects look the same in all versions, one comparison is enough. */
function changesNothing(kind: ResourceType, compareIn: CompareIn): boolean {
  if (kind.versions.some((version) => !version.matchesStored)) return false;
  const comparison = compareIn(kind.stored.groupVersion);
  return (
    comparison !== undefined && isEmptySet(comparison.changed) && isEmptySet(comparison.removed)
  );
}

/**
 * Compares `after` with `before`, or with nothing, in each version. Versions in which objects look
 * the same are compared once.
 */
function comparisons(
  kind: ResourceType,
  before: ApiObject | undefined,
  after: ApiObject,
): CompareIn {
  const known = new Map<string, Comparison>();
  let isOnlyMetadata: boolean | undefined;
  /** No webhook is asked how changes of the metadata alone look in other versions. */
  const isLikeStored = ({ matchesStored, conversion }: ServedVersion): boolean => {
    if (matchesStored || conversion === undefined || before === undefined) return matchesStored;
    return (isOnlyMetadata ??= deepEqual(withoutMetadata(before), withoutMetadata(after), true));
  };
  return (apiVersion) => {
    const version = kind.versionNamed(apiVersion);
    if (version === undefined) return undefined;
    const source = isLikeStored(version) ? kind.stored : version;
    let comparison = known.get(source.groupVersion);
    if (comparison === undefined) {
      const from = before === undefined ? source.empty : source.fromStored(before);
      const to = before === undefined ? newIn(source, after) : source.fromStored(after);
      comparison = compareFields(source.fieldTypes, from, to);
      known.set(source.groupVersion, comparison);
    }
    return comparison;
  };
}

/**
 * A new object in a version. No webhook is told members that the server has made up for it: they
 * would be others each time that the request is handled again.
 */
function newIn(version: ServedVersion, object: ApiObject): ApiObject {
  if (version.matchesStored || version.conversion === undefined) return version.fromStored(object);
  const { namespace, labels, annotations } = object.metadata;
  const shown = version.fromStored({ ...object, metadata: { namespace, labels, annotations } });
  const { labels: itsLabels, annotations: itsAnnotations } = shown.metadata;
  const metadata = { ...object.metadata, labels: itsLabels, annotations: itsAnnotations };
  return { ...shown, metadata };
}

function withoutMetadata({ metadata: _metadata, ...members }: ApiObject): object {
  return members;
}

/** The versions of a kind, for fields that are owned in several of them. */
export function versionConverter(kind: ResourceType): VersionConverter {
  return {
    typeOf: (apiVersion) => kind.versionNamed(apiVersion)?.fieldTypes,
    convert(document, from, to) {
      const source = kind.versionNamed(from);
      const target = kind.versionNamed(to);
      assert(source && target, `${kind.key} is not served in ${from} and ${to}`);
      if (source.matchesStored && target.matchesStored) return { ...document, apiVersion: to };
      if (target.conversion !== undefined) {
        return parseDocument(target.conversion.document(documentText(document))) as Members;
      }
      const { object } = source.decode(documentText(document));
      return parseDocument(target.documentText(kind.stored.codec.encode(object))) as Members;
    },
  };
}

/**
 * The list of a body as the server writes it: most clients send back the one that they have read.
 */
function sentText(sent: readonly unknown[]): string {
  let text = '';
  for (const value of sent) {
    const { fieldsV1, subresource, ...members } = value as Record<string, unknown>;
    const last = subresource === undefined ? '' : `,"subresource":${JSON.stringify(subresource)}`;
    const fields = fieldsV1 instanceof RawJson ? fieldsV1.text : 'null';
    const first = JSON.stringify(members).slice(0, -1);
    text += `${text === '' ? '[' : ','}${first},"fieldsV1":${fields}${last}}`;
  }
  return `${text}]`;
}
