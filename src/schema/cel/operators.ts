/** Operators on values, and conversions of them. */
import { FALSE_TEXTS, TRUE_TEXTS } from '../../base/text/truth-texts.ts';
import { shownNumber } from '../go-value.ts';
import { compareAsUtf8 } from '../../base/text/compare-texts.ts';
import {
  boundedDuration,
  boundedInt,
  boundedTime,
  durationOf,
  durationSecondsText,
  INT_OVERFLOW,
  parseTime,
  timeBetween,
  timeText,
  unixSeconds,
} from './times.ts';
import {
  Bytes,
  compareNumbers,
  COMPARES_TYPES,
  concatenated,
  Duration,
  Failure,
  INT_MAX,
  INT_MIN,
  isCallable,
  isMap,
  isNumber,
  ListValue,
  NO_OVERLOAD,
  Timestamp,
  TypeName,
  typeName,
  Uint,
  UINT_MAX,
  type Value,
} from './values.ts';

type Binary = (one: Value, other: Value) => Value;

function noOverload(operator: string): Failure {
  return new Failure(`no such overload: ${operator}`);
}

const UINT_OVERFLOW = new Failure('unsigned integer overflow');

function boundedUint(value: bigint): Uint | Failure {
  return value < 0n || value > UINT_MAX ? UINT_OVERFLOW : new Uint(value);
}

/** Arithmetic of ints, of uints and of doubles. */
function arithmetic(
  onInts: (one: bigint, other: bigint) => bigint | Failure,
  onDoubles: ((one: number, other: number) => number) | undefined,
  others: Binary,
): Binary {
  return (one, other) => {
    if (typeof one === 'bigint') {
      if (typeof other !== 'bigint') return NO_OVERLOAD;
      const result = onInts(one, other);
      return result instanceof Failure ? result : boundedInt(result);
    }
    if (typeof one === 'number' && onDoubles !== undefined) {
      return typeof other === 'number' ? onDoubles(one, other) : NO_OVERLOAD;
    }
    if (one instanceof Uint) {
      if (!(other instanceof Uint)) return NO_OVERLOAD;
      const result = onInts(one.value, other.value);
      return result instanceof Failure ? result : boundedUint(result);
    }
    return others(one, other);
  };
}

function added(one: Value, other: Value): Value {
  if (typeof one === 'string') return typeof other === 'string' ? one + other : NO_OVERLOAD;
  if (one instanceof ListValue) {
    return other instanceof ListValue ? concatenated(one, other) : NO_OVERLOAD;
  }
  if (one instanceof Bytes) {
    return other instanceof Bytes ? new Bytes(Buffer.concat([one.data, other.data])) : NO_OVERLOAD;
  }
  if (one instanceof Duration) {
    if (other instanceof Duration) return boundedDuration(one.nanos + other.nanos);
    if (!(other instanceof Timestamp)) return NO_OVERLOAD;
    return boundedTime(other.nanos + one.nanos, other.offsetSeconds);
  }
  if (!(one instanceof Timestamp)) return noOverload('_+_');
  if (!(other instanceof Duration)) return NO_OVERLOAD;
  return boundedTime(one.nanos + other.nanos, one.offsetSeconds);
}

function subtracted(one: Value, other: Value): Value {
  if (one instanceof Duration) {
    return other instanceof Duration ? boundedDuration(one.nanos - other.nanos) : NO_OVERLOAD;
  }
  if (!(one instanceof Timestamp)) return noOverload('_-_');
  if (other instanceof Timestamp) return timeBetween(one, other);
  if (!(other instanceof Duration)) return NO_OVERLOAD;
  return boundedTime(one.nanos - other.nanos, one.offsetSeconds);
}

const DIVIDED_BY_ZERO = new Failure('division by zero');
const MODULUS_BY_ZERO = new Failure('modulus by zero');

/**
 * A number below, at or above zero as `one` is below, at or above `other`; a failure where they
 * have no order.
 */
export function compare(one: Value, other: Value, operator: string): number | Failure {
  switch (typeof one) {
    case 'boolean':
    case 'number':
    case 'bigint':
      if (typeof other !== typeof one) return compareMixed(one, other);
      return one < (other as typeof one) ? -1 : Number(one > (other as typeof one));
    case 'string':
      return typeof other === 'string' ? compareAsUtf8(one, other) : NO_OVERLOAD;
    default:
      break;
  }
  if (one instanceof Bytes) {
    return other instanceof Bytes ? Buffer.compare(one.data, other.data) : NO_OVERLOAD;
  }
  const left = orderOf(one);
  if (left === undefined) return noOverload(operator);
  if (one instanceof Uint && !(other instanceof Uint)) return compareMixed(one, other);
  const right = typeName(one) === typeName(other) ? orderOf(other) : undefined;
  if (right === undefined) return NO_OVERLOAD;
  return left < right ? -1 : Number(left > right);
}

function compareMixed(one: Value, other: Value): number | Failure {
  if (!COMPARES_TYPES || !isNumber(one) || !isNumber(other)) return NO_OVERLOAD;
  const order = compareNumbers(one, other);
  return Number.isNaN(order) ? new Failure('NaN values cannot be ordered') : order;
}

function orderOf(value: Value): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return value instanceof Duration || value instanceof Timestamp ? value.nanos : undefined;
}

function comparison(operator: string, holds: (order: number) => boolean): Binary {
  return (one, other) => {
    const order = compare(one, other, operator);
    return order instanceof Failure ? order : holds(order);
  };
}

/** Operators of two values, neither of which is a failure. */
export const BINARY: Readonly<Record<string, Binary>> = {
  '_+_': arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
    added,
  ),
  '_-_': arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
    subtracted,
  ),
  '_*_': arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
    () => noOverload('_*_'),
  ),
  '_/_': arithmetic(
    (a, b) => (b === 0n ? DIVIDED_BY_ZERO : a / b),
    (a, b) => a / b,
    () => noOverload('_/_'),
  ),
  '_%_': arithmetic(
    (a, b) => {
      if (b === 0n) return MODULUS_BY_ZERO;
      return a === INT_MIN && b === -1n ? INT_OVERFLOW : a % b;
    },
    undefined,
    () => noOverload('_%_'),
  ),
  '_<_': comparison('_<_', (order) => order < 0),
  '_<=_': comparison('_<=_', (order) => order <= 0),
  '_>_': comparison('_>_', (order) => order > 0),
  '_>=_': comparison('_>=_', (order) => order >= 0),
};

export function negated(value: Value): Value {
  if (typeof value === 'bigint') return boundedInt(-value);
  if (typeof value === 'number') return -value;
  if (value instanceof Duration) return boundedDuration(-value.nanos);
  return typeof value === 'boolean' ? NO_OVERLOAD : noOverload('-_');
}

export function inverted(value: Value): Value {
  return typeof value === 'boolean' ? !value : NO_OVERLOAD;
}

const RUNTIME_NAMES: Readonly<Record<string, string>> = {
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The result of `int(value)` and its like. */
export function converted(value: Value, to: string): Value {
  const result = conversion(value, to);
  if (result !== undefined) return result;
  const name = RUNTIME_NAMES[to] ?? to;
  return new Failure(`type conversion error from '${typeName(value)}' to '${name}'`);
}

function conversion(value: Value, to: string): Value | undefined {
  if (typeName(value) === (RUNTIME_NAMES[to] ?? to)) return value;
  if (typeof value === 'string') return fromText(value, to);
  switch (to) {
    case 'string':
      return toText(value);
    case 'int':
      return toInt(value);
    case 'uint':
      if (typeof value === 'bigint') return boundedUint(value);
      if (typeof value !== 'number') return undefined;
      return value >= 0 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : UINT_OVERFLOW;
    case 'double':
      if (typeof value === 'bigint') return Number(value);
      return value instanceof Uint ? Number(value.value) : undefined;
    case 'timestamp':
      return typeof value === 'bigint' ? boundedTime(value * 1_000_000_000n, 0) : undefined;
    default:
      return undefined;
  }
}

function toInt(value: Value): Value | undefined {
  if (typeof value === 'number') {
    return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : INT_OVERFLOW;
  }
  if (value instanceof Uint) return value.value > INT_MAX ? INT_OVERFLOW : value.value;
  if (value instanceof Timestamp) return unixSeconds(value.nanos);
  return value instanceof Duration ? value.nanos : undefined;
}

function toText(value: Value): Value | undefined {
  switch (typeof value) {
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return doubleText(value);
    default:
      break;
  }
  if (value === null) return 'null';
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timeText(value);
  if (value instanceof Duration) return durationSecondsText(value);
  if (value instanceof TypeName) return value.name;
  if (isCallable(value)) return value.text;
  if (!(value instanceof Bytes)) return undefined;
  const text = value.data.toString();
  if (Buffer.from(text).equals(value.data)) return text;
  return new Failure('invalid UTF-8 in bytes, cannot convert to string');
}

/** With an exponent from a million on. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const size = Number(exponent);
  const significant = digits.replace(/[-.]/g, '').length;
  if (size >= -4 && size < Math.max(21 > significant ? significant : 21, 6)) {
    return size < 0 ? value.toFixed(significant - 1 - size) : shownNumber(value);
  }
  const shown = String(Math.abs(size)).padStart(2, '0');
  return `${digits}e${size < 0 ? '-' : '+'}${shown}`;
}

const DIGITS = '\\d+(?:_\\d+)*';
const FRACTION = `\\.(?:${DIGITS})?`;
const DOUBLE = new RegExp(`^[+-]?(?:${DIGITS}(?:${FRACTION})?|\\.${DIGITS})(?:[eE][+-]?\\d+)?$`);
const ENDLESS = /^([+-]?)inf(?:inity)?$/i;
/** A number of more digits is none of 64 bits, if it does not begin with zeros. */
const DIGITS_MAX = 400;

function fromText(text: string, to: string): Value | undefined {
  switch (to) {
    case 'int': {
      if (!/^[+-]?\d+$/.test(text) || text.length > DIGITS_MAX) return undefined;
      const value = boundedInt(BigInt(text.replace('+', '')));
      return value instanceof Failure ? undefined : value;
    }
    case 'uint': {
      if (!/^\d+$/.test(text) || text.length > DIGITS_MAX) return undefined;
      const value = BigInt(text);
      return value <= UINT_MAX ? new Uint(value) : undefined;
    }
    case 'double': {
      const [, sign] = ENDLESS.exec(text) ?? [];
      if (sign !== undefined) return sign === '-' ? -Infinity : Infinity;
      if (text.toLowerCase() === 'nan') return NaN;
      const value = DOUBLE.test(text) ? Number(text.replaceAll('_', '')) : NaN;
      return Number.isFinite(value) ? value : undefined;
    }
    case 'bool':
      return TRUE_TEXTS.has(text) || (FALSE_TEXTS.has(text) ? false : undefined);
    case 'bytes':
      return new Bytes(Buffer.from(text));
    case 'timestamp':
      return parseTime(text);
    case 'duration':
      return durationOf(text);
    default:
      return undefined;
  }
}

/** Whether a list has an item, or a map a key. */
export function isIn(one: Value, other: Value, equal: (a: Value, b: Value) => Value): Value {
  if (isMap(other)) {
    const found = other.find(one);
    return found instanceof Failure ? found : found !== undefined;
  }
  if (!(other instanceof ListValue)) return NO_OVERLOAD;
  let failure: Failure | undefined;
  for (const item of other.items) {
    const same = equal(one, item);
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}
