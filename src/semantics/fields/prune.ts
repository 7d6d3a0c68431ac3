/**
 * What a manager applied before and leaves out now goes from the object, unless somebody else owns
 * it (API-FACTS 6.4, step 4). Sets are of the versions they were written in, so the document moves
 * between versions for it.
 */
import type { Members } from '../../codec/schema-model.ts';
import type { VersionShapes } from './apply.ts';
import { difference, intersection, isEmptySet, union, type FieldSet } from './field-set.ts';
import type { StructType } from './field-types.ts';
import type { ManagedEntry } from './managed-fields.ts';
import { fieldSetOf, removeFields, withNamedFields } from './typed-document.ts';

/** The document in a version; itself when it is of that version. */
export function inVersion(
  shapes: VersionShapes,
  document: Members,
  from: string,
  to: string,
): Members {
  return from === to ? document : shapes.convert(document, from, to);
}

/**
 * The merged document without what `last`, the former entry of the manager, has and neither
 * `applied`, its new one, nor any of the `others` has. All entries must be of served versions.
 */
export function prune(
  merged: Members,
  last: ManagedEntry | undefined,
  applied: ManagedEntry,
  others: readonly ManagedEntry[],
  shapes: VersionShapes,
): Members {
  const type = last && shapes.typeOf(last.apiVersion);
  if (last === undefined || type === undefined) return merged;
  // The usual apply leaves nothing out, and walks over the whole object are spared.
  const isOfVersion = last.apiVersion === applied.apiVersion;
  if (isOfVersion && isEmptySet(difference(last.fields, applied.fields))) return merged;
  const ofLast = { document: merged, apiVersion: applied.apiVersion };
  const whole = toVersion(shapes, ofLast, last.apiVersion);
  const named = withNamedFields(type, last.fields);
  const pruned: Versioned = {
    document: removeFields(type, whole, named),
    apiVersion: last.apiVersion,
  };
  const owned = keepOwned(whole, pruned, [applied, ...others], shapes);
  const kept = toVersion(shapes, owned, last.apiVersion);
  const gone = difference(namedFieldsOf(type, whole), namedFieldsOf(type, kept));
  const left = removeFields(type, whole, intersection(gone, named));
  return inVersion(shapes, left, last.apiVersion, applied.apiVersion);
}

interface Versioned {
  readonly document: Members;
  readonly apiVersion: string;
}

function toVersion(shapes: VersionShapes, of: Versioned, to: string): Members {
  return inVersion(shapes, of.document, of.apiVersion, to);
}

/**
 * The pruned document with what the entries own in it again; the version of the result is the last
 * one that was looked at. That of the pruned document comes first: what conversion needs is back
 * in it then.
 */
function keepOwned(
  whole: Members,
  pruned: Versioned,
  entries: readonly ManagedEntry[],
  shapes: VersionShapes,
): Versioned {
  const owned = new Map<string, FieldSet | undefined>([[pruned.apiVersion, undefined]]);
  for (const { apiVersion, fields } of entries) {
    const before = owned.get(apiVersion);
    owned.set(apiVersion, before === undefined ? fields : union(before, fields));
  }
  let all: Versioned = { document: whole, apiVersion: pruned.apiVersion };
  let kept = pruned;
  for (const [apiVersion, fields] of owned) {
    const type = shapes.typeOf(apiVersion);
    if (type === undefined || fields === undefined) continue;
    const document = toVersion(shapes, all, apiVersion);
    const there = namedFieldsOf(type, toVersion(shapes, kept, apiVersion));
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
