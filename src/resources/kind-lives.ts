/** Which versions of a kind the release has, and what it says of them (README.md#versions). */
import { STORAGE_VERSIONS } from '../release/data/storage-versions.ts';
import { BETAS_ARE_OFF_SINCE } from '../release/data/changes.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import { isIn, type Told, type VersionLife } from '../release/life.ts';
import { ownRelease, releaseName } from '../release/release.ts';
import { versionLife } from '../release/version-life.ts';
import { neutralGroup, ownText } from '../semantics/dialect/own-names.ts';
import { groupVersionOf } from './kind.ts';

/** A kind in one of its versions. */
export interface KindInVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The facts that users of a version that is to go away are told. */
export interface Deprecation {
  /** As `1.21`. */
  readonly since: string;
  /** '' where that is not known. */
  readonly removedIn: string;
  /** As `batch/v1 CronJob`; '' when nothing replaces it. */
  readonly replacement: string;
}

function lifeOf({ group, version, kind }: KindInVersion): VersionLife {
  return versionLife(groupVersionOf({ group: neutralGroup(group), version }), kind);
}

/** Whether the release has it. */
export function isReleased(view: KindInVersion): boolean {
  return isIn(lifeOf(view), ownRelease().minor);
}

/** Whether the feature is on without which it is not served at all. */
export function hasItsFeature(view: KindInVersion, gates: FeatureGates): boolean {
  const { gate } = lifeOf(view);
  return gate === undefined || gates.has(gate);
}

const ALPHA = /alpha/;
const BETA = /beta/;

/**
 * Whether it is served where nobody says so: alpha versions are not, nor are beta versions that
 * came later.
 */
export function isOnByDefault(view: KindInVersion): boolean {
  const { isOn, since = 0 } = lifeOf(view);
  if (isOn !== undefined) return isOn;
  if (BETA.test(view.version)) return since < BETAS_ARE_OFF_SINCE;
  return !ALPHA.test(view.version);
}

/** The release that has it first, and the one that has it no more, as `1.25`; absent for none. */
export function boundsOf(view: KindInVersion): {
  readonly introducedIn?: string;
  readonly removedIn?: string;
} {
  const { since, until } = lifeOf(view);
  return {
    ...(since !== undefined && { introducedIn: releaseName(since) }),
    ...(until !== undefined && { removedIn: releaseName(until) }),
  };
}

/** The deprecation of a version, in whichever release; undefined where there is none. */
export function everDeprecated(view: KindInVersion): Deprecation | undefined {
  return deprecationTold(lifeOf(view));
}

function deprecationTold({ deprecated, until, replacement = '' }: Told): Deprecation | undefined {
  if (deprecated === undefined) return undefined;
  const removedIn = until === undefined ? '' : releaseName(until);
  return { since: releaseName(deprecated), removedIn, replacement: ownText(replacement) };
}

/** Finds what the release says of a version: undefined for one that is deprecated later. */
export function deprecationOf(view: KindInVersion): Deprecation | undefined {
  const life = lifeOf(view);
  const { toldBefore } = life;
  const { minor } = ownRelease();
  const told = toldBefore !== undefined && minor < toldBefore.minor ? toldBefore : life;
  return (told.deprecated ?? Infinity) <= minor ? deprecationTold(told) : undefined;
}

/**
 * The warning to users of a deprecated version (README.md#versions): `batch/v1beta1 CronJob is
 * deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob`.
 */
export function deprecationText(
  what: string,
  { since, removedIn, replacement }: Deprecation,
): string {
  const until = removedIn === '' ? '' : `, unavailable in v${removedIn}+`;
  const instead = replacement === '' ? '' : `; use ${replacement}`;
  return `${what} is deprecated in v${since}+${until}${instead}`;
}

/** The version in which the reference stores objects that this server stores in `version`. */
export function referenceStorage({ group, version, kind }: KindInVersion): string {
  const steps = STORAGE_VERSIONS[`${neutralGroup(group)} ${kind}`]?.split(', ') ?? [];
  const { minor } = ownRelease();
  const last = steps.findLast((step) => Number(step.split(' ')[1]) <= minor);
  return last?.split(' ')[0] ?? version;
}
