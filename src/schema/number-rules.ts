/** Bounds and multiples of numbers, as the reference computes them. */
import { floatText } from '../semantics/fields/typed-value-text.ts';
import { isFloat } from './go-value.ts';
import { valueError, type ValueError } from './value-errors.ts';
import type { NumberRange, NumberRules } from './value-rules.ts';

const JSON_INTEGER_MAX = 2 ** 53 - 1;
const EPSILON = 1e-9;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * Whether a float is an integer, or so little above one that the reference takes it for an integer.
 */
export function isNearInteger(value: number): boolean {
  if (Math.abs(value) > JSON_INTEGER_MAX) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < EPSILON;
}

/**
 * At most one error for each rule: multiples, then the minimum, then the maximum. Where the type is
 * to hold the numbers, also one for the value and for each bound that it does not hold; with such a
 * bound the value is compared as a float.
 */
export function numberErrors(
  rules: NumberRules,
  value: number | bigint,
  path: string,
): ValueError[] {
  const errors: ValueError[] = [];
  const { multipleOf, minimum, maximum, range } = rules;
  const isHeld = (what: string, number: number | bigint): boolean => {
    if (range === undefined || isInRange(range, number)) return true;
    errors.push(rangeError(range, what, path));
    return false;
  };
  isHeld('Checked', value);
  if (multipleOf !== undefined) {
    isHeld('MultipleOf', multipleOf);
    const problem = multipleProblem(value, multipleOf, path);
    if (problem !== undefined) errors.push(problem);
  }
  const refuse = (what: string, bound: number | bigint): void => {
    errors.push(valueError(path, `should be ${what} ${boundText(value, bound)}`, value));
  };
  if (minimum !== undefined) {
    const least = isHeld('Minimum boundary', minimum) ? boundFor(value, minimum) : minimum;
    if (rules.excludesMinimum ? value <= least : value < least) {
      refuse(rules.excludesMinimum ? 'greater than' : 'greater than or equal to', least);
    }
  }
  if (maximum !== undefined) {
    const most = isHeld('Maximum boundary', maximum) ? boundFor(value, maximum) : maximum;
    if (rules.excludesMaximum ? value >= most : value > most) {
      refuse(rules.excludesMaximum ? 'less than' : 'less than or equal to', most);
    }
  }
  return errors;
}

/** The bound for a value: an integer is compared with an integer, the fraction cut off. */
function boundFor(value: number | bigint, bound: number): number | bigint {
  if (isFloat(value)) return bound;
  const whole = Math.trunc(bound);
  if (Number.isSafeInteger(whole)) return whole;
  // A bound beyond int64 becomes the smallest int64 in the reference.
  const integer = BigInt(whole);
  return integer > INT64_MAX || integer < INT64_MIN ? INT64_MIN : integer;
}

/** Bounds of floats are floats, integers included. */
function boundText(value: number | bigint, bound: number | bigint): string {
  return isFloat(value) || isFloat(bound) ? floatText(Number(bound)) : String(bound);
}

const INT32_MAX = 2 ** 31 - 1;
const FLOAT_MAX = 3.4028235677973366e38;

function isInRange({ type, format }: NumberRange, value: number | bigint): boolean {
  if (type === 'number') return Math.abs(Number(value)) < FLOAT_MAX;
  if (format === 'int32') {
    return isInteger(value) && value >= -INT32_MAX - 1 && value <= INT32_MAX;
  }
  // The reference compares the digits of a float, whose last ones are zeros: -9223372036854776000.
  const isBelow = typeof value === 'bigint' ? value < INT64_MIN : value <= INT64_MIN;
  return isInteger(value) && !isBelow && value <= INT64_MAX;
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function rangeError({ type, format }: NumberRange, subject: string, path: string): ValueError {
  const ofFormat = format === '' ? '(default format)' : `with format ${format}`;
  const what = `${subject} value must be of type ${type} ${ofFormat} in ${path.replace(/^\./, '')}`;
  return { reason: 'whole', path: '', what, value: '' };
}

function multipleProblem(
  value: number | bigint,
  factor: number,
  path: string,
): ValueError | undefined {
  const whole = boundFor(value, factor);
  // An integer whose divisor is zero as an integer is treated as a float, where the reference would
  // divide by zero.
  const isInteger = !isFloat(value) && Number(whole) !== 0;
  const shown = isInteger ? String(whole) : floatText(factor);
  if (factor < 0) {
    const what = `factor MultipleOf declared for ${path} must be positive: ${shown}`;
    return { reason: 'whole', path, what, value: isInteger ? whole : factor };
  }
  const isMultiple = isInteger
    ? isIntegerMultiple(value, whole)
    : isNearInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  if (isMultiple) return undefined;
  return valueError(path, `should be a multiple of ${shown}`, value);
}

function isIntegerMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof value === 'number' && typeof factor === 'number') return value % factor === 0;
  return BigInt(value) % BigInt(factor) === 0n;
}
