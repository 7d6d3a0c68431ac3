/** Texts made of a format and values: `'%d of %s'.format([1, 'a'])`. */
import { NAMED_ESCAPES, quoteText } from '../../../codec/json/strict-quote.ts';
import { compareTexts } from '../../../base/text/compare-texts.ts';
import { converted } from '../operators.ts';
import { Bytes, Failure, isMap, ListValue, typeName, Uint, type Value } from '../values.ts';

const CLAUSE = /%(?:%|(?:\.(\d*))?([^]?))/g;
const PRECISION = 6;
const PRECISION_MAX = 100;
const WORDS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

/** The text, or why it cannot be made. */
export function formattedText(format: string, { items }: ListValue): Value {
  let failure: Failure | undefined;
  let next = 0;
  const text = format.replace(CLAUSE, (clause, precision: string | undefined, verb: string) => {
    if (clause === '%%' || failure !== undefined) return '%';
    const value = items[next];
    if (value === undefined) failure = new Failure(`index ${next} out of range`);
    else if (verb === '') failure = new Failure('unexpected end of string');
    next += 1;
    if (failure !== undefined || value === undefined) return '';
    const made = formatted(value, verb, precision === undefined ? PRECISION : Number(precision));
    if (typeof made === 'string') return made;
    failure = made;
    return '';
  });
  return failure ?? text;
}

function formatted(value: Value, verb: string, precision: number): string | Failure {
  switch (verb) {
    case 's':
      return plainText(value);
    case 'd':
      return (
        wholeText(value, (whole) => String(whole)) ?? onlyFor('decimal clause', 'integers', value)
      );
    case 'o':
      return (
        wholeText(value, (whole) => whole.toString(8)) ?? onlyFor('octal clause', 'integers', value)
      );
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return (
        wholeText(value, (whole) => whole.toString(2)) ??
        new Failure(
          `only integers and bools can be formatted as binary, was given ${typeName(value)}`,
        )
      );
    case 'x':
    case 'X':
      return hexText(value, verb === 'X');
    case 'f':
    case 'e': {
      const number = doubleOf(value);
      const clause = verb === 'f' ? 'fixed-point clause' : 'scientific clause';
      if (number === undefined) return onlyFor(clause, 'doubles', value);
      const digits = Math.min(precision, PRECISION_MAX);
      return verb === 'f' ? fixedText(number, digits) : scientificText(number, digits);
    }
    default:
      return new Failure(
        `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      );
  }
}

function onlyFor(clause: string, types: string, value: Value): Failure {
  return new Failure(`${clause} can only be used on ${types}, was given ${typeName(value)}`);
}

function wholeText(value: Value, text: (whole: bigint) => string): string | undefined {
  if (typeof value === 'bigint') return text(value);
  return value instanceof Uint ? text(value.value) : undefined;
}

function hexText(value: Value, isUpper: boolean): string | Failure {
  const data = typeof value === 'string' ? Buffer.from(value) : value;
  const text =
    wholeText(value, (whole) => whole.toString(16)) ??
    (data instanceof Buffer ? data.toString('hex') : undefined) ??
    (value instanceof Bytes ? value.data.toString('hex') : undefined);
  if (text !== undefined) return isUpper ? text.toUpperCase() : text;
  const types = 'only integers, byte buffers, and strings';
  return new Failure(`${types} can be formatted as hex, was given ${typeName(value)}`);
}

function doubleOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && WORDS.has(value) ? Number(value) : undefined;
}

/** With commas, as people write numbers in English. */
function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return endlessText(value);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return value.toLocaleString('en-US', { ...options, roundingMode: 'halfEven' } as object);
}

function scientificText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return endlessText(value);
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  const raised = Array.from(size, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join('');
  return `${mantissa}\u00a0×\u00a010${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

function endlessText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

function plainText(value: Value): string | Failure {
  if (value instanceof ListValue) {
    return joined(value.items.map(innerText), '[', ']');
  }
  if (isMap(value)) {
    const entries = value.keys.map((key) => {
      const [name, its] = [innerText(key), innerText(value.find(key) ?? null)];
      if (name instanceof Failure) return name;
      return its instanceof Failure ? its : `${name}:${its}`;
    });
    return joined(entries, '{', '}', (texts) => texts.toSorted(compareTexts));
  }
  const text = value === null ? 'null' : converted(value, 'string');
  if (typeof text === 'string') return text;
  return new Failure(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, ' +
      `durations, and timestamps, was given ${typeName(value)}`,
  );
}

/** Inside of lists and maps. */
function innerText(value: Value): string | Failure {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value.toFixed(PRECISION) : quoteText(String(value));
  }
  const text = plainText(value);
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
