/** Says what a use of a version that goes means for somebody who goes to a release. */
import { dialectOf, neutralSpelling } from '../../src/conversion/convert.ts';
import type { DeprecatedUse } from '../../src/conversion/deprecations.ts';
import type { ManifestVersion } from '../../src/conversion/manifest-version.ts';
import { MANIFEST_KINDS } from '../../src/conversion/version-table.ts';
import { swapGroupVersion } from '../../src/semantics/dialect/names.ts';
import { compareVersionNames } from '../../src/types/custom/version-priority.ts';

/** The use with a replacement that the release has. */
export function useIn(use: DeprecatedUse, minor: number): DeprecatedUse {
  const { apiVersion, kind, replacement } = use;
  const versions = MANIFEST_KINDS.get(kind)?.versions ?? [];
  const there = versions.filter((version) => isServedIn(version, minor));
  const named = neutralSpelling(replacement);
  if (there.some(({ groupVersion }) => groupVersion === named)) return use;
  const best = there.map(({ groupVersion }) => groupVersion).sort(byPreference)[0] ?? '';
  const isNeutral = dialectOf(apiVersion, 'cluster.io') === 'cluster.io';
  return { ...use, replacement: isNeutral ? best : swapGroupVersion(best) };
}

function isServedIn({ introducedIn, removedIn }: ManifestVersion, minor: number): boolean {
  return minorOf(introducedIn, 0) <= minor && minor < minorOf(removedIn, Infinity);
}

/** 25 of `1.25`. */
export function minorOf(release: string | undefined, absent = NaN): number {
  return release === undefined ? absent : Number(release.split('.')[1]);
}

function byPreference(one: string, other: string): number {
  return compareVersionNames(nameOfVersion(one), nameOfVersion(other));
}

function nameOfVersion(groupVersion: string): string {
  return groupVersion.slice(groupVersion.lastIndexOf('/') + 1);
}
