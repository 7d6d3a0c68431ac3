/** Texts made of a format and values: `'%d of %s'.format([1, 'a'])`. */
import { NAMED_ESCAPES, quoteText } from '../../../codec/json/strict-quote.ts';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { trimEndOf } from '../../../base/text/trim-end.ts';
import { converted } from '../operators.ts';
import { roundedText } from './rounded-text.ts';
import { Bytes, Failure, isMap, ListValue, typeName, Uint, type Value } from '../values.ts';
import { replaceClauses } from './format-clauses.ts';

const PRECISION = 6;
/** A precision that has more digits than this one is not read by the writer of numbers. */
const PRECISION_MAX = 10_000_009;
/** No double has more digits after its point. */
const EXACT_DIGITS = 1074;
const UNREAD = '%!(NOVERB)';
const WORDS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

/** Begins the failures of values. */
export const DURING = 'error during formatting: ';

/** The text, or why it cannot be made. */
export function formattedText(format: string, { items }: ListValue): Value {
  return replaceClauses(format, items.length, ({ verb, precision = PRECISION }, at) => {
    const made = formatted(items[at] as Value, verb, precision);
    return made instanceof Failure ? new Failure(DURING + made.message) : made;
  }).text;
}

function formatted(value: Value, verb: string, precision: number): string | Failure {
  return (
    (verb === 's' ? plainText(value) : otherText(value, verb, precision)) ?? refused(verb, value)
  );
}

/** Undefined for a value of a type that the clause does not take. */
function otherText(value: Value, verb: string, precision: number): string | undefined {
  switch (verb) {
    case 'd':
      return wholeText(value, (whole) => String(whole));
    case 'o':
      return wholeText(value, (whole) => whole.toString(8));
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return wholeText(value, (whole) => whole.toString(2));
    case 'x':
      return hexText(value);
    case 'X':
      return hexText(value)?.toUpperCase();
    case 'f':
      return numberText(value, precision, fixedText);
    default:
      return numberText(value, precision, scientificText);
  }
}

const ONLY_FOR: Readonly<Record<string, string>> = {
  s:
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, ' +
    'durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  o: 'octal clause can only be used on integers',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
};

/** Refuses a clause for a value of a type that it does not take. */
export function wrongType(verb: string, type: string): string {
  return `${ONLY_FOR[verb]}, was given ${type}`;
}

function refused(verb: string, value: Value): Failure {
  return new Failure(wrongType(verb, typeName(value)));
}

function wholeText(value: Value, text: (whole: bigint) => string): string | undefined {
  if (typeof value === 'bigint') return text(value);
  return value instanceof Uint ? text(value.value) : undefined;
}

function hexText(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Bytes) return value.data.toString('hex');
  return wholeText(value, (whole) => whole.toString(16));
}

function doubleOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && WORDS.has(value) ? Number(value) : undefined;
}

function numberText(
  value: Value,
  precision: number,
  text: (value: number, precision: number) => string,
): string | undefined {
  const double = doubleOf(value);
  if (double === undefined) return undefined;
  return precision > PRECISION_MAX ? UNREAD : text(double, precision);
}

/**
 * With commas, as people write numbers in English. The writer there counts digits in 16 bits with
 * a sign, and none is cut off where that is negative; zeros behind it counts in 8 bits.
 */
function fixedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return endlessText(value);
  const unsigned = value === 0 ? 0 : value;
  const [most, zeros] = [(precision << 16) >> 16, precision & 0xff];
  const text =
    most < 0 ? shortestText(unsigned) : roundedText(unsigned, Math.min(most, EXACT_DIGITS));
  const [whole = '', digits = ''] = text.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = trimEndOf(digits, '0').padEnd(zeros, '0');
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

/** The fewest digits that tell a number from all others, without an exponent. */
function shortestText(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const digits = mantissa.length - mantissa.indexOf('.') - 1;
  const places = mantissa.includes('.') ? digits - Number(exponent) : -Number(exponent);
  if (places >= 0) return roundedText(value, places);
  const sign = mantissa.startsWith('-') ? '-' : '';
  return sign + mantissa.replace(/\D/g, '') + '0'.repeat(-places);
}

/** What should be a precision is a width there, of 16 bits. */
function scientificText(value: number, width: number): string {
  const text = Number.isFinite(value) ? exponentText(value) : endlessText(value);
  return text.padStart(width & 0xffff);
}

function exponentText(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(PRECISION).split('e');
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  const raised = Array.from(size, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

function endlessText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

/** Undefined for a value that has no text. */
function plainText(value: Value): string | Failure | undefined {
  if (value instanceof ListValue) {
    return joined(value.items.map(innerText), '[', ']');
  }
  if (isMap(value)) {
    const entries = value.keys.map((key) => {
      if (typeof key === 'number') return new Failure(NO_DOUBLE_KEYS);
      const [name, its] = [innerText(key), innerText(value.find(key) ?? null)];
      if (name instanceof Failure) return name;
      return its instanceof Failure ? its : `${name}:${its}`;
    });
    return joined(entries, '{', '}', (texts) => texts.toSorted(compareTexts));
  }
  const text = value === null ? 'null' : converted(value, 'string');
  if (typeof text === 'string') return text;
  return value instanceof Bytes ? notText(text as Failure) : undefined;
}

const NO_DOUBLE_KEYS = 'no formatting function for map key of type double';

function notText({ message }: Failure): Failure {
  return new Failure(`could not convert argument ${quoteText(message)} to string`);
}

/** Inside of lists and maps. */
function innerText(value: Value): string | Failure {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? roundedText(value, PRECISION) : quoteText(String(value));
  }
  const text = plainText(value) ?? refused('s', value);
  if (text instanceof Failure) return text;
  if (typeof value === 'string') return quoteText(text);
  return value instanceof Bytes ? `b${quoteText(text)}` : text;
}

function joined(
  parts: readonly (string | Failure)[],
  open: string,
  close: string,
  ordered: (texts: readonly string[]) => readonly string[] = (texts) => texts,
): string | Failure {
  const texts: string[] = [];
  for (const part of parts) {
    if (part instanceof Failure) return part;
    texts.push(part);
  }
  return `${open}${ordered(texts).join(', ')}${close}`;
}

// oxlint-disable-next-line no-control-regex -- those are what is escaped
const ESCAPED = /[\u0007-\r\\"]/g;

/** A text in quotes, as an expression would write it. */
export function quotedText(text: string): string {
  return `"${text.toWellFormed().replace(ESCAPED, (found) => NAMED_ESCAPES[found] ?? found)}"`;
}
