/**
 * Label selectors compiled for many objects. All requirements on a key become one test, so that an
 * object costs no more than it has labels.
 */
import { isLess } from './label-selector.ts';
import type { LabelRequirement, ParsedLabelSelector } from './label-selector.ts';

export type Labels = Readonly<Record<string, string>> | undefined;
export type LabelMatcher = (labels: Labels) => boolean;

/**
 * With this many optional keys, each label of an object is looked up among the keys instead of each
 * key among the labels.
 */
const LOOKED_UP_KEYS = 8;

/** The tests of all requirements on one key. */
class KeyTest {
  readonly key: string;
  /** An object without the key does not match. */
  isRequired = false;
  #isForbidden = false;
  #allowed: Set<string> | undefined;
  #refused: Set<string> | undefined;
  /** The bounds of the strictest comparisons. */
  #above: string | undefined;
  #below: string | undefined;

  constructor(key: string) {
    this.key = key;
  }

  add({ operator, values }: LabelRequirement): void {
    const [value = ''] = values;
    if (operator === 'DoesNotExist') this.#isForbidden = true;
    else if (operator === 'NotIn') this.#refuse(values);
    else this.isRequired = true;
    if (operator === 'In') this.#allow(values);
    if (operator === 'GreaterThan' && (this.#above === undefined || isLess(this.#above, value))) {
      this.#above = value;
    }
    if (operator === 'LessThan' && (this.#below === undefined || isLess(value, this.#below))) {
      this.#below = value;
    }
  }

  #allow(values: readonly string[]): void {
    const before = this.#allowed;
    this.#allowed = new Set(
      before === undefined ? values : values.filter((value) => before.has(value)),
    );
  }

  #refuse(values: readonly string[]): void {
    this.#refused ??= new Set();
    for (const value of values) this.#refused.add(value);
  }

  /** Whether an object may have this value of the key. */
  accepts(value: string): boolean {
    if (this.#isForbidden || this.#refused?.has(value) === true) return false;
    if (this.#allowed !== undefined && !this.#allowed.has(value)) return false;
    if (this.#above !== undefined && !isLess(this.#above, value)) return false;
    return this.#below === undefined || isLess(value, this.#below);
  }
}

/** Whether labels satisfy every requirement of a selector. */
export function labelMatcher({ requirements }: ParsedLabelSelector): LabelMatcher {
  const tests = new Map<string, KeyTest>();
  for (const requirement of requirements) {
    const { key } = requirement;
    let test = tests.get(key);
    if (test === undefined) tests.set(key, (test = new KeyTest(key)));
    test.add(requirement);
  }
  const required = [...tests.values()].filter(({ isRequired }) => isRequired);
  const optional = [...tests.values()].filter(({ isRequired }) => !isRequired);
  for (const { key } of required) tests.delete(key);
  const acceptsOptional =
    optional.length < LOOKED_UP_KEYS
      ? (labels: Labels) => optional.every((test) => acceptsIfThere(test, labels))
      : (labels: Labels) => acceptsAll(tests, labels);
  return (labels) => {
    // Every required key that passes has a label of its own, so that no more pass than there are
    // labels.
    for (const test of required) {
      const value = valueOf(labels, test.key);
      if (value === undefined || !test.accepts(value)) return false;
    }
    return acceptsOptional(labels);
  };
}

function acceptsIfThere(test: KeyTest, labels: Labels): boolean {
  const value = valueOf(labels, test.key);
  return value === undefined || test.accepts(value);
}

function acceptsAll(tests: ReadonlyMap<string, KeyTest>, labels: Labels): boolean {
  for (const key in labels) {
    const value = valueOf(labels, key);
    if (value !== undefined && tests.get(key)?.accepts(value) === false) return false;
  }
  return true;
}

/** A plain object may inherit values under a key, but none of them is a string. */
function valueOf(labels: Labels, key: string): string | undefined {
  const value: unknown = labels?.[key];
  return typeof value === 'string' ? value : undefined;
}
