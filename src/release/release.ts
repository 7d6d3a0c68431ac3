/**
 * The release that this process behaves like (README.md): it is chosen once, before modules are
 * loaded that depend on it. No other source but the data beside this file knows a release's number.
 */
import { assert } from '../base/assert.ts';
import { CHANGES } from './data/changes.ts';
import { DEFAULT_MINOR, PATCHES } from './data/releases.ts';
import { isIn } from './life.ts';

/** A change by a release that has no feature gate. */
export type Change = keyof typeof CHANGES;

export interface Release {
  /** The number that rules about releases know it by: `23`. */
  readonly minor: number;
  /** As people name it: `1.23`. */
  readonly name: string;
  /** As programs of the reference say it: `v1.23.17`. */
  readonly version: string;
  /** Whether it has a change. */
  has(change: Change): boolean;
}

const MINORS = Object.keys(PATCHES).map(Number);
export const OLDEST_MINOR = Math.min(...MINORS);
export const NEWEST_MINOR = Math.max(...MINORS);

/** The release of a minor. Throws RangeError for one that is not served. */
export function releaseOf(minor: number): Release {
  if (!isKnown(minor)) {
    throw new RangeError(`there is no release 1.${minor} here, only ${RELEASE_RANGE}`);
  }
  return {
    minor,
    name: releaseName(minor),
    version: `v${releaseName(minor)}.${PATCHES[minor]}`,
    has: (change) => isIn(CHANGES[change], minor),
  };
}

function isKnown(minor: number): minor is keyof typeof PATCHES {
  return Object.hasOwn(PATCHES, minor);
}

/** `1.27` of 27. */
export function releaseName(minor: number): string {
  return `1.${minor}`;
}

/** For people: the first and the last release that are served. */
export const RELEASE_RANGE = `${releaseName(OLDEST_MINOR)} to ${releaseName(NEWEST_MINOR)}`;

export const DEFAULT_RELEASE = releaseOf(DEFAULT_MINOR);

/** Reads `1.27`, or one with a patch, which does not matter. Throws RangeError for others. */
export function parseRelease(text: string): Release {
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(text)?.[1];
  if (minor !== undefined && isKnown(Number(minor))) return releaseOf(Number(minor));
  throw new RangeError(`there is no release ${text} here, only ${RELEASE_RANGE}`);
}

let own: Release = DEFAULT_RELEASE;
/** Whether something depends on it already: it cannot change after that. */
let isTaken = false;

/**
 * Chooses the release of this process or thread; it is the default one where nobody chooses. Must
 * be called before a module is loaded that asks for it; choosing the same again changes nothing.
 */
export function chooseRelease(minor: number): void {
  assert(!isTaken || minor === own.minor, `release ${own.name} is in use, and not 1.${minor}`);
  own = releaseOf(minor);
}

/** The chosen release. */
export function ownRelease(): Release {
  isTaken = true;
  return own;
}
