/**
 * Owners of fields after a write that is not an apply: the writer takes every changed field from
 * all others, whoever they are, and nobody owns removed fields any more (README.md#updates).
 */
import { compareTexts } from '../../base/text/compare-texts.ts';
import { ownRelease } from '../../release/release.ts';
import type { Comparison } from './compare-fields.ts';
import {
  difference,
  EMPTY_SET,
  equalSets,
  isEmptySet,
  recursiveDifference,
  recursiveIntersection,
  setOfPaths,
  union,
  type FieldSet,
} from './field-set.ts';
import { isSameOwner, ownerText, withTime, type ManagedEntry } from './managed-fields.ts';

/** The writer of an object and its write; `subresource` is '' for the object itself. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/** Compares the object before and after a write in a version; undefined when it is not served. */
export type CompareIn = (apiVersion: string) => Comparison | undefined;

/** The fields that writers through an endpoint may own: roots, with all that is below them. */
export interface Ownable {
  readonly only?: FieldSet;
  readonly except?: FieldSet;
  /** Whether fields that change through the endpoint are owned by nobody afterwards. */
  readonly ownsNothing?: true;
}

/** The most entries of updates: beyond it the oldest ones are merged. */
export const UPDATE_ENTRIES_MAX = 10;

const ANCIENT_CHANGES = 'ancient-changes';

/** The fields that no writer ever owns (README.md#field-sets). */
const UNTRACKED = setOfPaths([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'clusterName',
    'creationTimestamp',
    'generation',
    'managedFields',
    'name',
    'namespace',
    'resourceVersion',
    'selfLink',
    'uid',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

/** The fields without metadata that the server keeps for itself. */
export function trackedFields(set: FieldSet): FieldSet {
  return difference(set, UNTRACKED);
}

export function ownableFields(set: FieldSet, { only, except }: Ownable): FieldSet {
  const allowed = only === undefined ? set : recursiveIntersection(set, only);
  return except === undefined ? allowed : recursiveDifference(allowed, except);
}

export function ownableChanges(comparison: Comparison, ownable: Ownable): Comparison {
  const { changed, removed } = comparison;
  return { changed: ownableFields(changed, ownable), removed: ownableFields(removed, ownable) };
}

export function isNoChange({ changed, removed }: Comparison): boolean {
  return isEmptySet(changed) && isEmptySet(removed);
}

/** The changes in each version, of fields that the endpoint lets its writers own. */
export function ownableChangesIn(compareIn: CompareIn, ownable: Ownable): CompareIn {
  const byVersion = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (byVersion.has(apiVersion)) return byVersion.get(apiVersion);
    const comparison = compareIn(apiVersion);
    const changes = comparison && ownableChanges(comparison, ownable);
    byVersion.set(apiVersion, changes);
    return changes;
  };
}

/** The entry with these fields: itself when it has them already. */
export function withFields(entry: ManagedEntry, fields: FieldSet): ManagedEntry {
  return entry.fields === fields ? entry : { ...entry, fields };
}

/**
 * The entries after a write; `entries` itself when it changes none of them. The time of the writer
 * changes with its fields only. Entries of versions that are not served any more, and such as have
 * lost all their fields, go. The caller decides whether an object is tracked at all.
 */
export function trackUpdate(
  entries: readonly ManagedEntry[],
  writer: Writer,
  compareIn: CompareIn,
  ownable: Ownable,
): readonly ManagedEntry[] {
  const comparison = compareIn(writer.apiVersion);
  // Objects that are equal in one version are equal in all, so the others need no look.
  if (comparison === undefined || isNoChange(comparison)) return capManagers(entries);
  const written = ownableChanges(comparison, ownable);
  const changesIn = ownableChangesIn(compareIn, ownable);
  const owner = { ...writer, operation: 'Update' } as const;
  const taken = ownable.ownsNothing ? EMPTY_SET : trackedFields(written.changed);
  const tracked: ManagedEntry[] = [];
  let former: ManagedEntry | undefined;
  for (const entry of entries) {
    const isWriter = former === undefined && isSameOwner(entry, owner);
    const changes = entry.apiVersion === writer.apiVersion ? written : changesIn(entry.apiVersion);
    if (isWriter) former = entry;
    const after = isWriter
      ? ownedByWriter(entry, written, taken, writer.time)
      : changes && withFields(entry, lostFields(entry.fields, changes));
    if (after !== undefined && !isEmptySet(after.fields)) tracked.push(after);
  }
  if (former === undefined && !isEmptySet(taken)) tracked.push({ ...owner, fields: taken });
  const capped = capManagers(tracked);
  return isSameList(capped, entries) ? entries : capped;
}

export function lostFields(fields: FieldSet, { changed, removed }: Comparison): FieldSet {
  return difference(difference(fields, changed), removed);
}

/** Whether the time of an owner is that of its last change, though it owned all of it before. */
const TELLS_CHANGES = ownRelease().has('timesOfChanges');

/**
 * A write that only removes fields leaves the time of the writer as it was, as in the reference.
 */
function ownedByWriter(
  former: ManagedEntry,
  { removed }: Comparison,
  taken: FieldSet,
  time: string,
): ManagedEntry {
  const fields = union(difference(former.fields, removed), taken);
  if (isEmptySet(taken)) return withFields(former, fields);
  const isSame = fields === former.fields || equalSets(fields, former.fields);
  if (!isSame) return { ...former, fields, time };
  return TELLS_CHANGES && time !== former.time ? withTime(former, time) : former;
}

export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/**
 * Reduces the entries of updates to ten: the oldest ones of each version become one entry of the
 * manager `ancient-changes`, with the time of the youngest among them. More than ten remain where
 * all have different versions. Returns `entries` itself when there are not too many.
 */
export function capManagers(entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  let count = 0;
  for (const { operation } of entries) if (operation === 'Update') count += 1;
  if (count <= UPDATE_ENTRIES_MAX) return entries;
  const kept = new Set(entries);
  const oldest = new Map<string, ManagedEntry>();
  for (const entry of oldestFirst(entries)) {
    if (count <= UPDATE_ENTRIES_MAX) break;
    const first = oldest.get(entry.apiVersion);
    if (first === undefined) {
      oldest.set(entry.apiVersion, entry);
      continue;
    }
    if (!kept.has(entry)) continue;
    const bucket = bucketOf(kept, first);
    if (bucket === entry) continue;
    kept.delete(bucket);
    kept.delete(entry);
    const merged = ancientChanges(bucket, entry);
    kept.add(merged);
    oldest.set(entry.apiVersion, merged);
    count -= 1;
  }
  return [...kept];
}

function oldestFirst(entries: readonly ManagedEntry[]): ManagedEntry[] {
  return entries
    .filter(({ operation }) => operation === 'Update')
    .toSorted((a, b) => compareTexts(a.time, b.time) || compareTexts(ownerText(a), ownerText(b)));
}

/** The entry of old changes in a version, where there is one already, else the oldest entry. */
function bucketOf(kept: ReadonlySet<ManagedEntry>, first: ManagedEntry): ManagedEntry {
  const owner = { ...first, manager: ANCIENT_CHANGES, subresource: '' };
  for (const entry of kept) if (isSameOwner(entry, owner)) return entry;
  return first;
}

function ancientChanges(bucket: ManagedEntry, entry: ManagedEntry): ManagedEntry {
  const fields = union(entry.fields, bucket.fields);
  return { ...entry, manager: ANCIENT_CHANGES, subresource: '', fields };
}
