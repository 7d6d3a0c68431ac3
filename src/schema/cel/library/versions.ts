/** Semantic versions as values. */
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { Failure, type CallableValue, type Value } from '../values.ts';

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

const UINT_MAX = 2n ** 64n - 1n;
const DIGITS = /^\d*$/;
const WORD = /^[0-9A-Za-z-]+$/;

/** The version that a text is, or why it is none. */
function parseVersion(given: string, isLoose: boolean): Version | Failure {
  const text = isLoose ? normalized(given) : given;
  if (text === '') return new Failure('Version string empty');
  const [, major, minor, rest] = /^([^.]*)\.([^.]*)\.([^]*)$/.exec(text) ?? [];
  if (major === undefined || minor === undefined || rest === undefined) {
    return new Failure('No Major.Minor.Patch elements found');
  }
  const [patch = '', pre, build] = splitPatch(rest);
  const numbers = [major, minor, patch].map((part, at) => numberOf(part, PARTS[at] ?? ''));
  const parts = pre?.split('.') ?? [];
  const problems = [
    ...numbers.filter((number) => number instanceof Failure),
    ...parts.flatMap(preProblem),
    ...(build?.split('.') ?? []).flatMap(buildProblem),
  ];
  return problems[0] ?? new Version(numbers as bigint[], parts);
}

/** The number of a patch, and what follows `-` and `+` in it. */
function splitPatch(rest: string): (string | undefined)[] {
  const [before = '', ...builds] = rest.split('+');
  const [patch, ...pres] = before.split('-');
  const whole = (parts: string[], by: string) => (parts.length > 0 ? parts.join(by) : undefined);
  return [patch, whole(pres, '-'), whole(builds, '+')];
}

function numberOf(text: string, name: string): bigint | Failure {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (!DIGITS.test(text)) return illegal(`${name} number`, text);
  if (/^0\d/.test(text)) return leadingZeroes(`${title} number`, text);
  return whole(text);
}

function whole(digits: string): bigint | Failure {
  const start = `strconv.ParseUint: parsing ${quoteText(digits)}: `;
  if (digits === '') return new Failure(`${start}invalid syntax`);
  const number = digits.length > 20 ? UINT_MAX + 1n : BigInt(digits);
  return number > UINT_MAX ? new Failure(`${start}value out of range`) : number;
}

function preProblem(part: string): Failure[] {
  if (part === '') return [new Failure('Prerelease is empty')];
  if (!WORD.test(part)) return [illegal('prerelease', part)];
  if (!DIGITS.test(part)) return [];
  if (/^0\d/.test(part)) return [leadingZeroes('Numeric PreRelease version', part)];
  const number = whole(part);
  return number instanceof Failure ? [number] : [];
}

function buildProblem(part: string): Failure[] {
  if (part === '') return [new Failure('Build meta data is empty')];
  return WORD.test(part) ? [] : [illegal('build meta data', part)];
}

function illegal(what: string, text: string): Failure {
  return new Failure(`Invalid character(s) found in ${what} ${quoteText(text)}`);
}

function leadingZeroes(what: string, text: string): Failure {
  return new Failure(`${what} must not contain leading zeroes ${quoteText(text)}`);
}

/** Without a `v`, with three numbers, none of which begins with a zero. */
function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

/** The version that a text is; a failure for one that is none. */
export function versionOf(text: string, isLoose = false): Value {
  return parseVersion(text, isLoose);
}

export function isVersion(text: string, isLoose = false): boolean {
  return parseVersion(text, isLoose) instanceof Version;
}
