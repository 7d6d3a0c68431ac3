/**
 * The release that a data folder was last opened with. It goes up in place; down only where the
 * user says so, since a lower release does not know all that may be stored.
 */
import { ConfigError } from './base/options/config-error.ts';
import { DEFAULT_RELEASE, releaseName } from './release/release.ts';
import { hasVersions } from './sequencer/sequencer-actor.ts';
import type { Settings, Store } from './storage/store.ts';

const RELEASE = 'release';

/**
 * Writes down that the folder is opened with the release of that minor. Returns the minor that it
 * was opened with before, undefined for a new folder. Throws ConfigError where that was a later one
 * and `allowsLower` is not set.
 */
export function openInRelease(
  shared: Settings,
  minor: number,
  allowsLower: boolean,
): number | undefined {
  const before = storedRelease(shared);
  if (before !== undefined && before > minor && !allowsLower) {
    throw new ConfigError(
      `the data folder was last used with release ${releaseName(before)}: give --release ` +
        `${releaseName(before)}, or --allow-lower-release to go on with ${releaseName(minor)}, ` +
        'which drops what it does not know with the next write of each object',
    );
  }
  if (before !== minor) shared.swap(RELEASE, () => String(minor));
  return before;
}

/** The minor of the release that was used last; undefined where nothing was stored. */
export function storedRelease(shared: Settings): number | undefined {
  const text = shared.get(RELEASE);
  if (text !== undefined) return Number(text);
  // Before it was written down there was one.
  return hasVersions(shared) ? DEFAULT_RELEASE.minor : undefined;
}

/** The types that have records in the folder and no place in the release: they are kept. */
export function unservedTypes(store: Store, served: readonly string[]): readonly string[] {
  const others = store.notedLogs().filter((type) => !served.includes(type));
  return others.filter((type) => store.openLog(type).count() > 0);
}
