/**
 * Server-side apply: a partial document is merged into the live one, its manager owns the fields in
 * it, and nobody loses a field to it unasked (README.md#apply and README.md#conflicts).
 */
import { deepEqual } from '../../base/deep-equal.ts';
import { compareTexts } from '../../base/text/compare-texts.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { ownRelease } from '../../release/release.ts';
import { compareAsSent, compareFields, type Comparison } from './compare-fields.ts';
import {
  difference,
  equalSets,
  intersection,
  isEmptySet,
  pathTexts,
  type FieldSet,
} from './field-set.ts';
import type { StructType } from './field-types.ts';
import { CLI_MANAGER, lastAppliedFields, withLastApplied } from './last-applied.ts';
import { isSameOwner, ownerText, type ManagedEntry } from './managed-fields.ts';
import { inVersion, prune } from './prune.ts';
import {
  isNoChange,
  isSameList,
  lostFields,
  ownableChanges,
  ownableFields,
  trackedFields,
  trackUpdate,
  withFields,
  type Ownable,
  type Writer,
} from './track-update.ts';
import { MAY_REPEAT } from './list-items.ts';
import { checkDocument, checkStored } from './check-document.ts';
import { LiveTypedError, TypedError } from './typed-error.ts';
import { mergeDocuments } from './merge-documents.ts';
import { fieldSetOf } from './typed-document.ts';
import type { VersionConverter } from './version-converter.ts';

export interface ApplyInput {
  /** In the version of the writer; undefined when there is no object yet. */
  readonly live: Members | undefined;
  readonly config: Members;
  /** The entries of the live object; empty for one that is not tracked. */
  readonly entries: readonly ManagedEntry[];
  readonly writer: Writer;
  /** Takes fields from other managers instead of failing with a conflict. */
  readonly force: boolean;
  readonly versions: VersionConverter;
  readonly ownable: Ownable;
  /** An object of the kind with nothing set, in the version of the writer. */
  readonly emptyObject: Members;
  /** Whether an empty list or map in the place of none is a change, though nothing shows it. */
  readonly tellsEmpty?: boolean;
}

export interface Applied {
  readonly document: Members;
  readonly entries: readonly ManagedEntry[];
}

export interface ConflictCause {
  /** `conflict with "m" using v1 at 2021-12-07T10:11:12Z` */
  readonly message: string;
  /** `.spec.replicas` */
  readonly field: string;
}

/** Other managers own fields that the config changes; its texts: README.md#conflicts. */
export class ApplyConflictError extends Error {
  override readonly name = 'ApplyConflictError';
  readonly causes: readonly ConflictCause[];

  constructor(conflicts: readonly Conflict[]) {
    const byOwner = conflicts
      .toSorted((a, b) => compareTexts(ownerText(a.entry), ownerText(b.entry)))
      .map(({ entry, fields }) => ({ owner: shownOwner(entry), paths: pathTexts(fields) }));
    const causes = byOwner.flatMap(({ owner, paths }) =>
      paths.map((field) => ({ message: `conflict with ${owner}`, field })),
    );
    const [first] = causes;
    super(
      causes.length === 1 && first !== undefined
        ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
        : `Apply failed with ${causes.length} conflicts: ${byOwner.map(ownersLines).join('\n')}`,
    );
    this.causes = causes;
  }
}

/** Fields that the config changes and that this entry of another manager owns. */
interface Conflict {
  readonly entry: ManagedEntry;
  readonly fields: FieldSet;
}

/** An owner as errors show it, without the time of its update: the reference leaves that empty. */
function shownOwner({ manager, operation, apiVersion, subresource }: ManagedEntry): string {
  const through = subresource === '' ? '' : ` with subresource ${quoteText(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quoteText(manager)}${through}${using}`;
}

interface OwnersPaths {
  readonly owner: string;
  readonly paths: readonly string[];
}

function ownersLines({ owner, paths }: OwnersPaths): string {
  return `conflicts with ${owner}:\n${paths.map((path) => `- ${path}`).join('\n')}`;
}

/**
 * Applies a config. When nothing changes, neither in the object nor in who owns it, the result has
 * `live` and `entries` themselves. Throws TypedError for a config, and LiveTypedError for a live
 * object, that does not fit the schema, and ApplyConflictError. Inputs stay as they are. The caller
 * has checked the rest of a config: its version, its name, and that it brings no managedFields.
 */
export function applyConfig(input: ApplyInput): Applied {
  const { config, writer, versions, ownable } = input;
  const type = versions.typeOf(writer.apiVersion);
  if (type === undefined) throw new Error(`${writer.apiVersion} is not served`);
  // As in the reference, an object that is not tracked yet is checked first.
  if (input.entries.length === 0) checkLive(type, input.live);
  checkDocument(type, config);
  if (input.entries.length > 0) checkLive(type, input.live);
  const live = input.live ?? input.emptyObject;
  const owners = trackedEntries(input, type).filter(
    ({ apiVersion }) => versions.typeOf(apiVersion) !== undefined,
  );
  const applied: ManagedEntry = {
    manager: writer.manager,
    operation: 'Apply',
    apiVersion: writer.apiVersion,
    time: writer.time,
    subresource: writer.subresource,
    fields: ownableFields(fieldSetOf(type, config), ownable),
  };
  const last = owners.find((entry) => isSameOwner(entry, applied));
  const others = owners.filter((entry) => entry !== last);
  const laidOver = mergeDocuments(type, live, config, MAY_REPEAT);
  const merged = prune(laidOver, last, applied, others, versions);
  const sent = compareAsSent(type, live, merged);
  const changesIn = changesFrom(live, merged, sent, input);
  checkConflicts(input, type, others, changesIn);
  const isLive = COMPARES_VALUES
    ? isNoChange(sent) && deepEqual(live, merged)
    : isNoChange(changesIn(writer.apiVersion)) ||
      isNoChange(ownableChanges(compareFields(type, live, merged), ownable));
  const isKept = isLive && !(input.tellsEmpty === true && addsEmpty(live, merged));
  const document = withAnnotation(isKept ? live : merged, input);
  const entries = entriesAfter(owners, last, applied, changesIn);
  const isChanged = TELLS_CHANGES && !COMPARES_VALUES ? !isNoChange(sent) : !isKept;
  return inTime({ document, entries }, isChanged, last?.time ?? '', input);
}

/** Whether there is an empty list or map in `merged` where there is none in `live`. */
function addsEmpty(live: unknown, merged: unknown): boolean {
  if (typeof merged !== 'object' || merged === null || live === merged) return false;
  if (live === undefined) return Object.keys(merged).length === 0;
  return Object.entries(merged).some(([name, value]) =>
    addsEmpty((live as Members | null)?.[name], value),
  );
}

/**
 * Most kinds accept repeated items; where a release owns them one by one, their owners could not be
 * told apart.
 */
function checkLive(type: StructType, live: Members | undefined): void {
  try {
    if (live !== undefined) checkStored(type, live);
  } catch (error) {
    throw error instanceof TypedError ? new LiveTypedError(error.message) : error;
  }
}

/** An object that was not tracked: all of its fields belong to `before-first-apply`. */
function trackedEntries(input: ApplyInput, type: StructType): readonly ManagedEntry[] {
  const { live, entries, writer, ownable, emptyObject } = input;
  if (live === undefined || entries.length > 0) return entries;
  const former = { ...writer, manager: 'before-first-apply' };
  return trackUpdate([], former, () => compareFields(type, emptyObject, live), ownable);
}

/**
 * Compares in each served version. In the version of the config its values are compared as they
 * were sent, because other managers own fields under the values that are stored.
 */
type ChangesIn = (apiVersion: string) => Comparison;

function changesFrom(
  live: Members,
  merged: Members,
  comparison: Comparison,
  { writer, versions, ownable }: ApplyInput,
): ChangesIn {
  const { apiVersion } = writer;
  const changes = ownableChanges(comparison, ownable);
  const byVersion = new Map([[apiVersion, changes]]);
  return (version) => {
    // Objects that are equal in one version are equal in all, and need no conversion.
    const known = isNoChange(comparison) ? changes : byVersion.get(version);
    if (known !== undefined) return known;
    const before = inVersion(versions, live, apiVersion, version);
    const after = inVersion(versions, merged, apiVersion, version);
    const versionType = versions.typeOf(version) as StructType;
    const found = ownableChanges(compareFields(versionType, before, after), ownable);
    byVersion.set(version, found);
    return found;
  };
}

/** Throws ApplyConflictError for changed fields that others own, unless `force` is set. */
function checkConflicts(
  { live, writer, force }: ApplyInput,
  type: StructType,
  others: readonly ManagedEntry[],
  changesIn: ChangesIn,
): void {
  if (force) return;
  let conflicts = others
    .map((entry) => ({
      entry,
      fields: intersection(entry.fields, changesIn(entry.apiVersion).changed),
    }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (conflicts.length > 0 && live !== undefined && writer.manager === CLI_MANAGER) {
    const forced = lastAppliedFields(type, live, writer.apiVersion);
    conflicts = conflicts
      .map(({ entry, fields }) => ({ entry, fields: difference(fields, forced) }))
      .filter(({ fields }) => !isEmptySet(fields));
  }
  if (conflicts.length > 0) throw new ApplyConflictError(conflicts);
}

function withAnnotation(document: Members, { config, writer }: ApplyInput): Members {
  return writer.manager === CLI_MANAGER ? withLastApplied(document, config) : document;
}

function entriesAfter(
  owners: readonly ManagedEntry[],
  last: ManagedEntry | undefined,
  applied: ManagedEntry,
  changesIn: ChangesIn,
): ManagedEntry[] {
  const fields = trackedFields(applied.fields);
  const isKept = last?.apiVersion === applied.apiVersion && equalSets(last.fields, fields);
  const own = last !== undefined && isKept ? last : { ...applied, fields };
  const entries = owners.map((entry) =>
    entry === last ? own : withFields(entry, lostFields(entry.fields, changesIn(entry.apiVersion))),
  );
  if (last === undefined) entries.push(own);
  return entries.filter((entry) => !isEmptySet(entry.fields));
}

/** Whether any other value is a change, what nobody owns, and null in the place of none, too. */
const COMPARES_VALUES = ownRelease().has('wholeValuesApplied');

/** Whether an apply that changes owners alone has no time, and leaves theirs as it was. */
const TELLS_CHANGES = ownRelease().has('timesOfChanges');

/** Gives the manager's entry the time of the apply if anything changed, else that of before. */
function inTime(applied: Applied, isChanged: boolean, before: string, input: ApplyInput): Applied {
  const { entries, writer } = input;
  if (!isChanged && isSameList(applied.entries, entries)) return { ...applied, entries };
  const time = TELLS_CHANGES && !isChanged ? before : writer.time;
  const owner = { ...writer, operation: 'Apply' } as const;
  const timed = applied.entries.map((entry) =>
    entry.time !== time && isSameOwner(entry, owner) ? { ...entry, time } : entry,
  );
  return { ...applied, entries: timed };
}
