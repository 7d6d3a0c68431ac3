/**
 * The parts of the library of expressions that are not in every release. Expressions that are
 * stored may use them from the first minor here on; new ones from the minor after it, so that the
 * release before can still read them.
 */
import type { Life } from '../life.ts';

export const EXPRESSION_PARTS = {
  urls: { since: 23 },
  /** `isIP` as it is without the rest of addresses. */
  plainAddressTest: { until: 30 },
  numbersOfTypes: { since: 28 },
  optionals: { since: 28 },
  quantities: { since: 28 },
  formattedTexts: { since: 29 },
  sets: { since: 29 },
  /** Literals of times, durations and patterns are checked with types. */
  checkedLiterals: { since: 29 },
  addresses: { since: 30 },
  namedFormats: { since: 31 },
  twoVariables: { since: 32 },
  /** They came to new expressions and stored ones at once, with 1.33. */
  optionalItems: { since: 32 },
  versions: { since: 33 },
  lists: { since: 34 },
  includedItems: { since: 37 },
} as const satisfies Readonly<Record<string, Life>>;
