/** Semantic versions, as `1.37.0-alpha.1+build`. */

export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Numbers and words after the dash; a version with some precedes the one without. */
  readonly preRelease: readonly (bigint | string)[];
}

const NUMBER = '(?:0|[1-9][0-9]*)';
const WORD = '[0-9A-Za-z-]+';
const VERSION = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${WORD}(?:\\.${WORD})*))?(?:\\+${WORD}(?:\\.${WORD})*)?$`,
);
const DIGITS = /^[0-9]+$/;
const NUMBER_MAX = 2n ** 64n - 1n;
/** No number of a version has more digits. */
const LENGTH_MAX = 1_024;

/** Undefined for a text that is none. */
export function parseVersion(text: string): SemanticVersion | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const [, major = '', minor = '', patch = '', after = ''] = VERSION.exec(text) ?? [];
  if (major === '') return undefined;
  const words = after === '' ? [] : after.split('.');
  // A number has no zeros before it.
  if (words.some((word) => DIGITS.test(word) && word.length > 1 && word.startsWith('0'))) {
    return undefined;
  }
  const numbers = [major, minor, patch].map(BigInt);
  const preRelease = words.map((word) => (DIGITS.test(word) ? BigInt(word) : word));
  const tooLarge = [...numbers, ...preRelease].some(
    (part) => typeof part === 'bigint' && part > NUMBER_MAX,
  );
  return tooLarge ? undefined : { numbers, preRelease };
}

/** Negative where the first one is older. */
export function compareSemanticVersions(one: SemanticVersion, other: SemanticVersion): number {
  const byNumbers = compareParts(one.numbers, other.numbers);
  if (byNumbers !== 0) return byNumbers;
  const isRelease = (version: SemanticVersion): number => Number(version.preRelease.length === 0);
  return isRelease(one) - isRelease(other) || compareParts(one.preRelease, other.preRelease);
}

/** Numbers precede words; of two that begin alike the shorter one comes first. */
function compareParts(
  one: readonly (bigint | string)[],
  other: readonly (bigint | string)[],
): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    const byType = Number(typeof part === 'string') - Number(typeof against === 'string');
    if (byType !== 0) return byType;
    if (part !== against) return part < against ? -1 : 1;
  }
  return one.length - other.length;
}
