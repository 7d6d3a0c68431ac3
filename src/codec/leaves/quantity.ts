/**
 * Quantities (../README.md#quantities): a decimal number with a suffix. Most are kept in canonical
 * text: `1024Mi` is `1Gi`, `0.5` is `500m`. The reference takes some texts for canonical by a quick
 * test, such as `1E3`, `01` and `+5`: these are kept as they are written. All arithmetic is exact.
 */

const FORMAT_ERROR =
  'quantities must match the regular expression ' +
  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR = "unable to parse quantity's suffix";
const NUMBER_ERROR = 'unable to parse numeric part of quantity';

/**
 * Sign, integer digits, fraction digits, suffix. The suffix may not start with a digit: otherwise
 * refusing a long number would take quadratic time.
 */
const SHAPE =
  /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?![0-9])([eEinumkKMGTP]*[-+]?[0-9]*)$/;
/** A sign alone is zero, as in the reference. */
const SIGN = /^[+-]$/;
/** Well-formed except that the number has no digit: another error text. */
const NO_DIGIT = /^[+-]?\.[eEinumkKMGTP]*[-+]?[0-9]*$/;
/** A fast path: counts of objects nearly always match this. */
const COUNT = /^[0-9]{1,15}$/;
const NON_ZERO_NUMBER = /^[+-]?[0.]*[1-9]/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;

type Format = 'decimalSI' | 'binarySI' | 'decimalExponent';

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The smallest exponents that are kept, anywhere and in lists of resources. */
const NANO = -9;
const MILLI = -3;
const EXA = 18;
const WHOLE_MAX = 2n ** 63n - 1n;
const INTEGER_DIGITS_MAX = 40;
const FRACTION_DIGITS_MAX = 80;

/**
 * The number is `digits * 10 ** exponent`. `digits` has no leading or trailing zeros, and is '' for
 * zero.
 */
interface Amount {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
  readonly format: Format;
}

/** The canonical text. Throws an Error with the reference's text when it is not a quantity. */
export function canonicalQuantity(text: string): string {
  return canonicalText(amountOfParts(partsOf(text), NANO));
}

/** The text that is kept of a quantity as it is written. Throws as `canonicalQuantity`. */
export function keptQuantity(text: string): string {
  const parts = partsOf(text);
  return isKept(parts) ? text : canonicalText(amountOfParts(parts, NANO));
}

/**
 * Rounds kept text in a list of resources up to a thousandth. Nearly all amounts are no smaller,
 * and then they stay as they are.
 */
export function resourceQuantity(kept: string): string {
  if (!MAY_BE_SMALL.test(kept)) return kept;
  const parts = partsOf(kept);
  const isWhole = parts.power > 0 || parts.exponent - parts.fraction.length >= MILLI;
  return isWhole ? kept : canonicalText(amountOfParts(parts, MILLI));
}

const MAY_BE_SMALL = /[nu.eE]/;

function canonicalText(amount: Amount): string {
  if (amount.digits === '') return '0';
  const sign = amount.negative ? '-' : '';
  const binary = amount.format === 'binarySI' ? binaryText(amount) : '';
  return sign + (binary === '' ? decimalText(amount) : binary);
}

/** Whether the reference parses the text on its fast path, which takes it for canonical. */
function isKept({ whole, fraction, exponent, power }: Parts): boolean {
  const digits = whole.replace(/^0+(?=.)/, '') || '0';
  if (power > 0) {
    const isShort = digits.length <= 14 - 3 * power;
    return fraction === '' && isShort && Number(digits) % 8 !== 0;
  }
  const all = digits + fraction;
  const scale = exponent - fraction.length;
  if (all.length > 18 || scale < NANO || scale % 3 !== 0) return false;
  return !all.endsWith('000') && !all.startsWith('0');
}

/** -1, 0 or 1 as `a` is less than, equal to or greater than `b`. Throws as `canonicalQuantity`. */
export function compareQuantities(a: string, b: string): number {
  const left = amountOfParts(partsOf(a), NANO);
  const right = amountOfParts(partsOf(b), NANO);
  const signs = signOf(left) - signOf(right);
  if (signs !== 0) return Math.sign(signs);
  const order = compareMagnitudes(left, right);
  return left.negative ? -order : order;
}

/** -1, 0 or 1: the sign of a quantity in its canonical text, whatever its unit. */
export function quantitySign(quantity: string): -1 | 0 | 1 {
  if (!NON_ZERO_NUMBER.test(quantity)) return 0;
  return quantity.startsWith('-') ? -1 : 1;
}

/** The sum: in the form of `a`, or of `b` where `a` is zero. Throws as `canonicalQuantity`. */
export function addQuantities(a: string, b: string): string {
  return combined(a, b, 1);
}

/** The difference, in such a form. Throws as `canonicalQuantity`. */
export function subtractQuantities(a: string, b: string): string {
  return combined(a, b, -1);
}

/** A quantity without a fraction, as it is; another one rounded away from zero. */
export function roundedQuantity(quantity: string): string {
  const { exponent } = amountOfParts(partsOf(quantity), NANO);
  return exponent < 0 ? canonicalText(amountOfParts(partsOf(quantity), 0)) : quantity;
}

function combined(a: string, b: string, sign: 1 | -1): string {
  if (COUNT.test(a) && COUNT.test(b)) {
    const sum = Number(a) + sign * Number(b);
    if (sum >= 0 && sum % 1000 !== 0) return String(sum);
  }
  const left = amountOfParts(partsOf(a), NANO);
  const right = amountOfParts(partsOf(b), NANO);
  const exponent = Math.min(left.exponent, right.exponent);
  const value = scaledTo(left, exponent) + BigInt(sign) * scaledTo(right, exponent);
  const { format } = left.digits === '' ? right : left;
  const negative = value < 0n;
  const digits = String(negative ? -value : value);
  return canonicalText(amountOf(negative, digits, exponent, format, NANO));
}

/** An amount in units of `10 ** scale`, which is not above its exponent. */
function scaledTo({ negative, digits, exponent }: Amount, scale: number): bigint {
  if (digits === '') return 0n;
  const isHuge = digits.length + exponent > INTEGER_DIGITS_MAX;
  const value = isHuge
    ? WHOLE_MAX * 10n ** BigInt(-Math.min(scale, 0))
    : BigInt(digits) * 10n ** BigInt(exponent - scale);
  return negative ? -value : value;
}

/** The whole number that a quantity is rounded to, away from zero, in 64 bits. */
export function wholeQuantity(quantity: string): bigint {
  return roundedTo(0, quantity);
}

/** A quantity in thousandths, rounded away from zero, in the bounds of whole quantities. */
export function milliQuantity(quantity: string): bigint {
  return roundedTo(MILLI, quantity);
}

function roundedTo(smallest: number, quantity: string): bigint {
  const { negative, digits, exponent: ofOne } = amountOfParts(partsOf(quantity), smallest);
  if (digits === '') return 0n;
  const exponent = ofOne - smallest;
  const isHuge = digits.length + exponent > INTEGER_DIGITS_MAX;
  const max = WHOLE_MAX * 10n ** BigInt(-smallest);
  const value = isHuge ? max : BigInt(digits) * 10n ** BigInt(exponent);
  const capped = value > max ? max : value;
  return negative ? -capped : capped;
}

function signOf({ digits, negative }: Amount): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareMagnitudes(a: Amount, b: Amount): number {
  if (a.digits === '' && b.digits === '') return 0;
  const heights = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (heights !== 0) return Math.sign(heights);
  if (a.digits === b.digits) return 0;
  // With equal heights the digits compare as those of fractions do, which is to compare text.
  return a.digits < b.digits ? -1 : 1;
}

/** A quantity as it is written. */
interface Parts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly format: Format;
  /** The power of ten; 0 for a binary suffix. */
  readonly exponent: number;
  /** The power of 1024; 0 for a decimal suffix. */
  readonly power: number;
}

function partsOf(text: string): Parts {
  const match = SHAPE.exec(text) ?? (SIGN.test(text) ? SHAPE.exec('0') : null);
  if (match === null) throw new Error(NO_DIGIT.test(text) ? NUMBER_ERROR : FORMAT_ERROR);
  const whole = match[2] ?? '';
  const fraction = match[3] ?? match[4] ?? '';
  const suffix = match[5] ?? '';
  const negative = match[1] === '-';
  const power = Math.max(BINARY_SUFFIXES.indexOf(suffix), 0);
  const [format, exponent] = power > 0 ? BINARY : decimalSuffix(suffix);
  return { negative, whole, fraction, format, exponent, power };
}

const BINARY: readonly [Format, number] = ['binarySI', 0];

function amountOfParts(parts: Parts, smallest: number): Amount {
  const { negative, whole, fraction, format, exponent, power } = parts;
  if (power > 0) return binaryAmount(parts, smallest);
  return amountOf(negative, whole + fraction, exponent - fraction.length, format, smallest);
}

function decimalSuffix(suffix: string): [Format, number] {
  const index = DECIMAL_SUFFIXES.indexOf(suffix);
  if (index >= 0) return ['decimalSI', 3 * index + NANO];
  const exponent = Number(EXPONENT.exec(suffix)?.[1] ?? Number.NaN);
  // The reference keeps exponents in 32 bits, and refuses larger ones.
  if (!(Math.abs(exponent) < 2 ** 31)) throw new Error(SUFFIX_ERROR);
  return ['decimalExponent', exponent];
}

/** No exponent is below `smallest`: smaller amounts are rounded away from zero. */
function amountOf(
  negative: boolean,
  all: string,
  exponent: number,
  format: Format,
  smallest: number,
): Amount {
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  const digits = all.slice(start, end);
  const scaled = exponent + (all.length - end);
  if (digits === '' || scaled >= smallest) {
    return { negative, digits, exponent: scaled, format };
  }
  return roundedUp(negative, digits, scaled, format, smallest);
}

/** Rounds up, so that even the smallest amount does not become zero. */
function roundedUp(
  negative: boolean,
  digits: string,
  exponent: number,
  format: Format,
  smallest: number,
): Amount {
  const kept = digits.slice(0, Math.max(0, digits.length - (smallest - exponent)));
  let end = kept.length;
  while (end > 0 && kept[end - 1] === '9') end -= 1;
  const carried = smallest + kept.length - end;
  const rounded = end === 0 ? '1' : kept.slice(0, end - 1) + String(Number(kept[end - 1]) + 1);
  return amountOf(negative, rounded, carried, format, smallest);
}

function binaryAmount({ negative, whole, fraction, power }: Parts, smallest: number): Amount {
  const integer = whole.replace(/^0+/, '');
  // The digits are as many as the client likes. Larger numbers are capped; and what follows 80
  // places, where 2^60 divides 10^(80 - 9), only decides whether the last nano is rounded up.
  const tail = fraction.slice(FRACTION_DIGITS_MAX);
  const sticky = /[1-9]/.test(tail) ? '1' : '';
  const places = fraction.slice(0, FRACTION_DIGITS_MAX) + sticky;
  const one = 10n ** BigInt(places.length);
  const capped = WHOLE_MAX * one;
  const isHuge = integer.length > INTEGER_DIGITS_MAX;
  const scaled = isHuge ? capped : BigInt(integer + places) * 1024n ** BigInt(power);
  const value = scaled > capped ? capped : scaled;
  const format = value < one ? 'decimalSI' : 'binarySI';
  return amountOf(negative, String(value), -places.length, format, smallest);
}

function decimalText({ digits, exponent, format }: Amount): string {
  // Powers of a thousand only: `12e4` is `120e3`.
  let shown = exponent - (((exponent % 3) + 3) % 3);
  if (format !== 'decimalExponent') shown = Math.min(shown, EXA);
  const mantissa = digits + '0'.repeat(exponent - shown);
  if (format === 'decimalExponent') return shown === 0 ? mantissa : `${mantissa}e${shown}`;
  return mantissa + DECIMAL_SUFFIXES[(shown - NANO) / 3];
}

/** '' when it has a fraction or is below 1024: such amounts are shown in decimal. */
function binaryText({ digits, exponent }: Amount): string {
  if (exponent < 0) return '';
  let value = BigInt(digits) * 10n ** BigInt(exponent);
  if (value < 1024n) return '';
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power += 1;
  }
  return `${value}${BINARY_SUFFIXES[power]}`;
}
