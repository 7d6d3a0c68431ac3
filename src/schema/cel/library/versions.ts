/** Semantic versions as values. */
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { Failure, type CallableValue, type Value } from '../values.ts';

const STRICT =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const NUMBER = /^(?:0|[1-9]\d*)$/;
const PARTS = ['major', 'minor', 'patch'];

class Version implements CallableValue {
  readonly typeName = 'kubernetes.Semver';
  readonly #numbers: readonly bigint[];
  readonly #pre: readonly string[];

  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    this.#numbers = numbers;
    this.#pre = pre;
  }

  equals(other: Value): boolean {
    return other instanceof Version && this.#compare(other) === 0;
  }

  call(name: string, [other]: readonly Value[]): Value | undefined {
    if (PARTS.includes(name)) return this.#numbers[PARTS.indexOf(name)];
    if (!(other instanceof Version)) return undefined;
    const order = this.#compare(other);
    if (name === 'compareTo') return BigInt(order);
    if (name === 'isGreaterThan') return order > 0;
    return name === 'isLessThan' ? order < 0 : undefined;
  }

  #compare(other: Version): number {
    for (const [at, number] of this.#numbers.entries()) {
      const its = other.#numbers[at] ?? 0n;
      if (number !== its) return number < its ? -1 : 1;
    }
    if (this.#pre.length === 0 || other.#pre.length === 0) {
      return Math.sign(other.#pre.length - this.#pre.length);
    }
    for (const [at, part] of this.#pre.entries()) {
      const its = other.#pre[at];
      if (its === undefined) return 1;
      const order = comparePre(part, its);
      if (order !== 0) return order;
    }
    return this.#pre.length === other.#pre.length ? 0 : -1;
  }
}

/** Numbers come before words. */
function comparePre(one: string, other: string): number {
  const areNumbers = [NUMBER.test(one), NUMBER.test(other)];
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] === true ? -1 : 1;
  if (areNumbers[0] !== true) return Math.sign(compareTexts(one, other));
  const [left, right] = [BigInt(one), BigInt(other)];
  return left < right ? -1 : Number(left > right);
}

/** The version that a text is; undefined for one that is none. */
function parseVersion(text: string, isLoose: boolean): Version | undefined {
  const [, major, minor, patch, pre] = STRICT.exec(isLoose ? normalized(text) : text) ?? [];
  if (major === undefined) return undefined;
  const parts = pre === undefined ? [] : pre.split('.');
  if (parts.some((part) => /^0\d+$/.test(part))) return undefined;
  return new Version(
    [major, minor, patch].map((number) => BigInt(number ?? 0)),
    parts,
  );
}

/** Without a `v`, with three numbers, none of which begins with a zero. */
function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

export function versionOf(text: string, isLoose = false): Value {
  const version = parseVersion(text, isLoose);
  if (version !== undefined) return version;
  return new Failure(text === '' ? 'Version string empty' : 'No Major.Minor.Patch elements found');
}

export function isVersion(text: string, isLoose = false): boolean {
  return parseVersion(text, isLoose) !== undefined;
}
