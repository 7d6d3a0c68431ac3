/** Objects of one version as objects of another (README.md). */
import { appendAll } from '../base/append-all.ts';
import { swapDocument } from '../semantics/dialect/json-edits.ts';
import { swapApproval, swapGroupVersion, swapQualified } from '../semantics/dialect/names.ts';
import type { ApiObject } from '../resources/kind.ts';
import { writeOwnDefaults, writeStoredDefaults } from './defaults.ts';
import { withoutNulls, type Members } from './members.ts';
import type { ManifestVersion, Report } from './manifest-version.ts';
import {
  isUnknownVersion,
  MANIFEST_KINDS,
  versionNamed,
  type ManifestKind,
} from './version-table.ts';

/** Looks at an object of a version that is served, as the server would. */
export type CheckMembers = (
  version: ManifestVersion,
  object: Members,
) => {
  /** No value is of a wrong type. */
  readonly isReadable: boolean;
  /** With the members that are not in the version. */
  readonly problems: readonly string[];
};

export interface Conversion {
  /** The object in the other version. */
  readonly object: Members;
  /** Members that could not be kept, or that are missing: `spec.selector is required`. */
  readonly problems: readonly string[];
}

/** The dialect of an object's names, where its group does not show it. */
export type Dialect = 'cluster.io' | 'k8s.io';

export interface ConvertOptions {
  /**
   * The version to convert to; '' for the replacement of each version that is to go away or is
   * gone.
   */
  readonly outputVersion: string;
  readonly dialect: Dialect;
  readonly check: CheckMembers;
}

/**
 * Converts `object` to the other version, as a document without members that are null. Returns
 * undefined where it stays as it is: its kind has no such version, or its version is replaced by
 * none.
 */
export function convertObject(object: Members, options: ConvertOptions): Conversion | undefined {
  const { kind, apiVersion } = object;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return undefined;
  const isNeutral = dialectOf(apiVersion, options.dialect) === 'cluster.io';
  const neutralVersion = neutralSpelling(apiVersion);
  const known = MANIFEST_KINDS.get(kind);
  const from = versionNamed(neutralVersion, kind);
  const wanted = neutralSpelling(options.outputVersion) || (from?.replacement ?? '');
  const to = versionNamed(wanted, kind);
  if (known === undefined || from === undefined || to === undefined || from === to) {
    return undefined;
  }
  const neutral = isNeutral ? object : swapped(kind, object);
  const { object: result, problems } = converted(known, neutral, from, to, options.check);
  if (isNeutral) return { object: result, problems };
  return { object: swapped(kind, result), problems: problems.map(withSwappedNames) };
}

const NEUTRAL_NAME = /\b[a-z0-9.-]*\bcluster\.io\b(?:\/[a-z0-9.-]+)?/g;

function withSwappedNames(text: string): string {
  return text.replaceAll(NEUTRAL_NAME, (name) => {
    const spellings = [swapGroupVersion, swapApproval, swapQualified].map((swap) => swap(name));
    return spellings.find((spelling) => spelling !== name) ?? name;
  });
}

/** Why nothing is known of an object of a built-in kind: it names no version of it. */
export function unknownVersion({ kind, apiVersion }: Members): string | undefined {
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return undefined;
  const isUnknown = isUnknownVersion(neutralSpelling(apiVersion), kind);
  return isUnknown ? `${apiVersion} is no version that is known of this kind` : undefined;
}

/** The dialect that a group version is spelled in; `other` where both spell it so. */
export function dialectOf(groupVersion: string, other: Dialect): Dialect {
  if (swapGroupVersion(groupVersion) === groupVersion) return other;
  return neutralSpelling(groupVersion) === groupVersion ? 'cluster.io' : 'k8s.io';
}

/** A group version as this table has it. */
export function neutralSpelling(groupVersion: string): string {
  return /\.k8s\.io\//.test(groupVersion) ? swapGroupVersion(groupVersion) : groupVersion;
}

function swapped(kind: string, object: Members): Members {
  return JSON.parse(swapDocument(kind, JSON.stringify(object))) as Members;
}

function converted(
  kind: ManifestKind,
  object: Members,
  from: ManifestVersion,
  to: ManifestVersion,
  check: CheckMembers,
): Conversion {
  const stored = kind.versions[0] ?? from;
  const problems: string[] = [];
  const report: Report = (path, why) => problems.push(`${path} ${why}`);
  const sent = withoutNulls(object) as Members;
  const { isReadable, problems: unreadable } = check(from, sent);
  if (!isReadable) return { object, problems: unreadable };
  let result = { metadata: {}, ...sent } as ApiObject;
  writeOwnDefaults(result, from.defaults ?? []);
  result = from.toStored?.(result, report) ?? result;
  result = { ...result, kind: kind.kind, apiVersion: stored.groupVersion } as ApiObject;
  appendAll(problems, check(stored, result as Members).problems);
  if (to !== stored) {
    writeStoredDefaults(result, to.defaults ?? []);
    result = to.fromStored?.(result, report) ?? result;
  }
  const members = { ...result, apiVersion: to.groupVersion } as Members;
  if (object['metadata'] === undefined && Object.keys(result.metadata).length === 0) {
    delete members['metadata'];
  }
  if (object['status'] === undefined) delete members['status'];
  return { object: members, problems };
}
