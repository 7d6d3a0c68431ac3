/**
 * Removes fields from the object that a manager applied before and now leaves out, unless somebody
 * else owns them (README.md#apply). Sets are of the versions they were written in, so the document
 * moves between versions for it.
 */
import type { Members } from '../../codec/model/schema-model.ts';
import type { VersionConverter } from './version-converter.ts';
import { difference, intersection, isEmptySet, union, type FieldSet } from './field-set.ts';
import type { StructType } from './field-types.ts';
import type { ManagedEntry } from './managed-fields.ts';
import { fieldSetOf, removeFields, withNamedFields } from './typed-document.ts';

/** The document in a version; itself when it is of that version. */
export function inVersion(
  versions: VersionConverter,
  document: Members,
  from: string,
  to: string,
): Members {
  return from === to ? document : versions.convert(document, from, to);
}

/**
 * The merged document without the fields of `last`, the former entry of the manager, that neither
 * `applied`, its new one, nor any of the `others` has. All entries must be of served versions.
 */
export function prune(
  merged: Members,
  last: ManagedEntry | undefined,
  applied: ManagedEntry,
  others: readonly ManagedEntry[],
  versions: VersionConverter,
): Members {
  const type = last && versions.typeOf(last.apiVersion);
  if (last === undefined || type === undefined) return merged;
  // Usually the new config leaves no field out, and the object needs no walk.
  const isOfVersion = last.apiVersion === applied.apiVersion;
  if (isOfVersion && isEmptySet(difference(last.fields, applied.fields))) return merged;
  const ofLast = { document: merged, apiVersion: applied.apiVersion };
  const whole = toVersion(versions, ofLast, last.apiVersion);
  const named = withNamedFields(type, last.fields);
  const pruned: Versioned = {
    document: removeFields(type, whole, named),
    apiVersion: last.apiVersion,
  };
  const owned = keepOwned(whole, pruned, [applied, ...others], versions);
  const kept = toVersion(versions, owned, last.apiVersion);
  const gone = difference(namedFieldsOf(type, whole), namedFieldsOf(type, kept));
  const left = removeFields(type, whole, intersection(gone, named));
  return inVersion(versions, left, last.apiVersion, applied.apiVersion);
}

interface Versioned {
  readonly document: Members;
  readonly apiVersion: string;
}

function toVersion(versions: VersionConverter, of: Versioned, to: string): Members {
  return inVersion(versions, of.document, of.apiVersion, to);
}

/**
 * Puts fields that the entries own back into the pruned document. The result is in the last version
 * that was looked at. The version of the pruned document comes first, so that members that
 * conversion needs are back in it then.
 */
function keepOwned(
  whole: Members,
  pruned: Versioned,
  entries: readonly ManagedEntry[],
  versions: VersionConverter,
): Versioned {
  const owned = new Map<string, FieldSet | undefined>([[pruned.apiVersion, undefined]]);
  for (const { apiVersion, fields } of entries) {
    const before = owned.get(apiVersion);
    owned.set(apiVersion, before === undefined ? fields : union(before, fields));
  }
  let all: Versioned = { document: whole, apiVersion: pruned.apiVersion };
  let kept = pruned;
  for (const [apiVersion, fields] of owned) {
    const type = versions.typeOf(apiVersion);
    if (type === undefined || fields === undefined) continue;
    const document = toVersion(versions, all, apiVersion);
    const there = namedFieldsOf(type, toVersion(versions, kept, apiVersion));
    const wanted = union(there, withNamedFields(type, fields));
    const gone = difference(namedFieldsOf(type, document), wanted);
    all = { document, apiVersion };
    kept = { document: removeFields(type, document, gone), apiVersion };
  }
  return kept;
}

function namedFieldsOf(type: StructType, document: Members): FieldSet {
  return withNamedFields(type, fieldSetOf(type, document));
}
