/**
 * The levels of pods and their versions, and what a namespace asks for
 * (src/admission/README.md#podsecurity).
 */
import { ownName } from '../../semantics/dialect/own-names.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

/** From the loosest to the strictest. */
export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** `latest`, or `v1.` and a number. */
export type LevelVersion = string;
export const LATEST: LevelVersion = 'latest';

/** A level as it was in a version. */
export interface Standard {
  readonly level: Level;
  readonly version: LevelVersion;
}

/** Pods that are not of a standard are refused or noted, or their writers are warned. */
export const MODES = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof MODES)[number];

export type Policy = Readonly<Record<Mode, Standard>>;

const DOMAIN = ownName('pod-security.cluster.io/');
const LABELS = MODES.map((mode) => ({
  mode,
  level: `${DOMAIN}${mode}`,
  version: `${DOMAIN}${mode}-version`,
}));

/** Keys of what the audit log says. */
export const ANNOTATIONS = {
  enforced: `${DOMAIN}enforce-policy`,
  violations: `${DOMAIN}audit-violations`,
  exempt: `${DOMAIN}exempt`,
  error: `${DOMAIN}error`,
} as const;

export const LEVEL_RULE = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_RULE = 'must be "latest" or "v1.x"';

const VERSION = /^v1\.(?<minor>0|[1-9][0-9]*)$/;
const INT64_MAX = 2n ** 63n - 1n;

export function isLevel(text: string): text is Level {
  return (LEVELS as readonly string[]).includes(text);
}

export function isVersion(text: string): text is LevelVersion {
  if (text === LATEST) return true;
  const minor = VERSION.exec(text)?.groups?.['minor'];
  return minor !== undefined && (minor.length < 19 || BigInt(minor) <= INT64_MAX);
}

/** `baseline:v1.22`. */
export function standardText({ level, version }: Standard): string {
  return `${level}:${version}`;
}

export function isSameStandard(one: Standard, other: Standard): boolean {
  return one.level === other.level && one.version === other.version;
}

export function isStricter(one: Level, other: Level): boolean {
  return LEVELS.indexOf(one) > LEVELS.indexOf(other);
}

/**
 * The policy that the labels of a namespace ask for; `defaults` count where they say nothing. An
 * unknown level is the strictest one where pods are refused, else the loosest; an unknown version
 * is the latest. Adds an error for each such label.
 */
export function policyOf(
  labels: Readonly<Record<string, string>>,
  defaults: Policy,
  errors: FieldError[],
): Policy {
  const policy = { ...defaults };
  for (const { mode, ...labelOf } of LABELS) {
    const level = labels[labelOf.level];
    const version = labels[labelOf.version];
    if (level !== undefined) {
      const isKnown = isLevel(level);
      const otherwise = mode === 'enforce' ? 'restricted' : 'privileged';
      policy[mode] = { ...policy[mode], level: isKnown ? level : otherwise };
      if (!isKnown) errors.push(invalid(`metadata.labels[${labelOf.level}]`, level, LEVEL_RULE));
    }
    if (version !== undefined) {
      const isKnown = isVersion(version);
      policy[mode] = { ...policy[mode], version: isKnown ? version : LATEST };
      if (isKnown) continue;
      errors.push(invalid(`metadata.labels[${labelOf.version}]`, version, VERSION_RULE));
    }
  }
  return policy;
}
