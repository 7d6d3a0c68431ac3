/** JSON values as Go prints them: in the texts of strategic merge patch errors. */
import type { Members } from '../../codec/model/schema-model.ts';
import { isContainer, isMembers, isRawNumber } from './document.ts';

/** Levels that are shown; deeper values are left out, so that no body overflows the stack. */
const LEVELS_MAX = 200;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** Digits that may be an int64. */
const INT64_DIGITS_MAX = 20;

/** The name of a value's type in Go. */
export type GoType =
  | 'map[string]interface {}'
  | '[]interface {}'
  | 'string'
  | 'bool'
  | 'int64'
  | 'float64'
  | '%!s(<nil>)';

export function goTypeOf(value: unknown): GoType {
  if (typeof value === 'string') return 'string';
  if (isMembers(value)) return 'map[string]interface {}';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (value === null || value === undefined) return '%!s(<nil>)';
  const number = numberOf(value);
  return typeof number === 'bigint' || isInt64(number) ? 'int64' : 'float64';
}

/** Whether it is a number that the reference has as an integer: one that 64 bits hold. */
export function isInt64(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

/**
 * A value that equals another one by `Map` key exactly when the two are equal scalars. Containers
 * equal themselves only.
 */
export function scalarIdentity(value: unknown): unknown {
  return isRawNumber(value) ? numberOf(value) : value;
}

/** Raw integers in the range of int64 as bigint, everything else as it is, or as a double. */
function numberOf(value: unknown): unknown {
  if (!isRawNumber(value)) return value;
  const text = value.rawJSON;
  if (text.length > INT64_DIGITS_MAX || !/^-?\d+$/.test(text)) return Number(text);
  const integer = BigInt(text);
  return integer >= INT64_MIN && integer <= INT64_MAX ? integer : Number(text);
}

/** As `%v` does: `map[a:1 b:[x <nil>]]`, keys in order. */
export function goValueText(value: unknown): string {
  return textOf(value, numberText, 0);
}

/** As `%s` prints it; a value that is no string shows its type: `%!s(int64=5)`. */
export function goStringText(value: unknown): string {
  return value === null ? '%!s(<nil>)' : textOf(value, notStringText, 0);
}

function notStringText(scalar: unknown): string {
  return `%!s(${goTypeOf(scalar)}=${numberText(scalar)})`;
}

function textOf(value: unknown, otherText: (scalar: unknown) => string, level: number): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '<nil>';
  if (!isContainer(value)) return otherText(value);
  if (level === LEVELS_MAX) return Array.isArray(value) ? '[...]' : 'map[...]';
  if (Array.isArray(value)) {
    return `[${value.map((item) => textOf(item, otherText, level + 1)).join(' ')}]`;
  }
  return `map[${membersText(value, otherText, level + 1)}]`;
}

function membersText(
  members: Members,
  otherText: (scalar: unknown) => string,
  level: number,
): string {
  const keys = Object.keys(members).toSorted();
  return keys.map((key) => `${key}:${textOf(members[key], otherText, level)}`).join(' ');
}

/**
 * Writes numbers and booleans. Fractions and numbers beyond int64 have an exponent from a million
 * on, in two digits at least.
 */
function numberText(scalar: unknown): string {
  const value = numberOf(scalar);
  if (typeof value !== 'number' || (isInt64(value) && !isRawNumber(scalar))) return String(value);
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
