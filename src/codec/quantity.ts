/**
 * Quantities: a decimal number with a suffix. Their JSON form is canonical text (API-FACTS 3.8):
 * `1024Mi` is `1Gi`, `0.5` is `500m`, `1e3` keeps its exponent form. All arithmetic is exact.
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
/** Well-formed except that the number has no digit: another error text. */
const NO_DIGIT = /^[+-]?\.[eEinumkKMGTP]*[-+]?[0-9]*$/;
const NON_ZERO_NUMBER = /^[+-]?[0.]*[1-9]/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;

type Format = 'decimalSI' | 'binarySI' | 'decimalExponent';

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The smallest exponent that is kept; smaller amounts are rounded away from zero. */
const NANO = -9;
const EXA = 18;
const BINARY_MAX = 2n ** 63n - 1n;
const INTEGER_DIGITS_MAX = 40;
const FRACTION_DIGITS_MAX = 80;

/** Number is `digits * 10 ** exponent`; `digits` has no leading or trailing zero; none is zero. */
interface Amount {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
  readonly format: Format;
}

/** The canonical text. Throws an Error with the reference's text when it is not a quantity. */
export function canonicalQuantity(text: string): string {
  const amount = parse(text);
  if (amount.digits === '') return '0';
  const sign = amount.negative ? '-' : '';
  const binary = amount.format === 'binarySI' ? binaryText(amount) : '';
  return sign + (binary === '' ? decimalText(amount) : binary);
}

/** -1, 0 or 1 as `a` is less than, equal to or greater than `b`. Throws as `canonicalQuantity`. */
export function compareQuantities(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
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

function signOf({ digits, negative }: Amount): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareMagnitudes(a: Amount, b: Amount): number {
  const heights = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (heights !== 0) return Math.sign(heights);
  if (a.digits === b.digits) return 0;
  // The same height: the digits compare as fractions do, and those compare as text.
  return a.digits < b.digits ? -1 : 1;
}

function parse(text: string): Amount {
  const match = SHAPE.exec(text);
  if (match === null) throw new Error(NO_DIGIT.test(text) ? NUMBER_ERROR : FORMAT_ERROR);
  const whole = match[2] ?? '';
  const fraction = match[3] ?? match[4] ?? '';
  const suffix = match[5] ?? '';
  const negative = match[1] === '-';
  const power = BINARY_SUFFIXES.indexOf(suffix);
  if (power > 0) return binaryAmount(negative, whole, fraction, power);
  const [format, exponent] = decimalSuffix(suffix);
  return amountOf(negative, whole + fraction, exponent - fraction.length, format);
}

function decimalSuffix(suffix: string): [Format, number] {
  const index = DECIMAL_SUFFIXES.indexOf(suffix);
  if (index >= 0) return ['decimalSI', 3 * index + NANO];
  const exponent = Number(EXPONENT.exec(suffix)?.[1] ?? Number.NaN);
  // The reference keeps exponents in 32 bits; more is nobody's quantity.
  if (!(Math.abs(exponent) < 2 ** 31)) throw new Error(SUFFIX_ERROR);
  return ['decimalExponent', exponent];
}

function amountOf(negative: boolean, all: string, exponent: number, format: Format): Amount {
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  const digits = all.slice(start, end);
  const scaled = exponent + (all.length - end);
  if (digits === '' || scaled >= NANO) return { negative, digits, exponent: scaled, format };
  return roundedUpToNano(negative, digits, scaled, format);
}

/** Any amount, however small, stays an amount. */
function roundedUpToNano(
  negative: boolean,
  digits: string,
  exponent: number,
  format: Format,
): Amount {
  const kept = digits.slice(0, Math.max(0, digits.length - (NANO - exponent)));
  let end = kept.length;
  while (end > 0 && kept[end - 1] === '9') end -= 1;
  const carried = NANO + kept.length - end;
  const rounded = end === 0 ? '1' : kept.slice(0, end - 1) + String(Number(kept[end - 1]) + 1);
  return amountOf(negative, rounded, carried, format);
}

function binaryAmount(negative: boolean, whole: string, fraction: string, power: number): Amount {
  const integer = whole.replace(/^0+/, '');
  // The digits are as many as the client likes. Larger numbers are capped; and what follows 80
  // places, where 2^60 divides 10^(80 - 9), only decides whether the last nano is rounded up.
  const tail = fraction.slice(FRACTION_DIGITS_MAX);
  const sticky = /[1-9]/.test(tail) ? '1' : '';
  const places = fraction.slice(0, FRACTION_DIGITS_MAX) + sticky;
  const one = 10n ** BigInt(places.length);
  const capped = BINARY_MAX * one;
  const isHuge = integer.length > INTEGER_DIGITS_MAX;
  const scaled = isHuge ? capped : BigInt(integer + places) * 1024n ** BigInt(power);
  const value = scaled > capped ? capped : scaled;
  const format = value < one ? 'decimalSI' : 'binarySI';
  return amountOf(negative, String(value), -places.length, format);
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
