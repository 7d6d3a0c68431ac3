/** Strings and numbers as YAML scalars, in the styles that the reference's YAML library chooses. */
import { resolvePlain } from './yaml-scalar.ts';

/** Text is folded at the first space beyond this column. */
const LINE_WIDTH = 80;
/** The longest keys that stand before a colon; a question mark introduces longer ones. */
const SIMPLE_KEY_BYTES_MAX = 128;
const BYTES_OF_UNIT_MAX = 3;

/** Most strings: if they are long enough, no reader takes them for anything else. */
const PLAINEST = /^[A-Za-z/][\w/.-]*(?::[\w/.-]+)*$/;
const WORD_LENGTH_MAX = 5;
/**
 * Characters that only escapes can express; U+2028 and U+2029 end lines in YAML 1.1, not in 1.2.
 */
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const TO_ESCAPE =
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\u{10000}-\u{10ffff}]/gu;
/** Characters that plain text cannot hold, begin with or end with. */
const NOT_PLAIN = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@` ]|[?:-](?: |$))|:(?: |$)| #| $/;
/** Spaces at the end of a line, which readers do not see. */
const NOT_LITERAL = / (?:\n|$)/;
// oxlint-disable-next-line no-control-regex -- control characters are the point
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** A merge key and the default value of YAML 1.1: some readers take them for more than strings. */
const INDICATOR_WORDS: ReadonlySet<string> = new Set(['<<', '=']);
const NUMBER_START = /^[-+.0-9]/;
/** Numbers of any size, with underscores, in other bases; hours, minutes and seconds. */
const OLD_NUMBERS = [
  /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?$/,
  /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]\._*[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?0(?:[xX][0-9a-fA-F_]+|[bB][01_]+|[oO][0-7_]+)$/,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
];
const DATE = /^\d{4}-\d{1,2}-\d{1,2}/;
/** The rest of a text that begins with a date: nothing, or a time of day. */
const TIME =
  /^(?:$|(?:[Tt]| +)\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d*)? *(?:$|Z$|[-+]\d{1,2}(?::?\d{2})?$))/;

/**
 * A well-formed string, whose first character stands in `column` and whose further lines begin at
 * `indent`, counted from 0. The last of the line feeds at its end is left out, since each line of a
 * document ends with one.
 */
export function stringText(value: string, column: number, indent: number): string {
  if (PLAINEST.test(value)) return isWord(value) ? doubleQuoted(value, column, indent) : value;
  if (SPECIAL.test(value)) return doubleQuoted(value, column, indent);
  if (value.includes('\n')) {
    return NOT_LITERAL.test(value) ? doubleQuoted(value, column, indent) : literal(value, indent);
  }
  if (meansOther(value)) return doubleQuoted(value, column, indent);
  return NOT_PLAIN.test(value)
    ? singleQuoted(value, column, indent)
    : folded(value, column, indent);
}

/** A string without line breaks, on one line. */
export function oneLineText(value: string): string {
  return stringText(value, Number.NEGATIVE_INFINITY, 0);
}

/** Inside of braces and brackets, where more characters have a meaning. */
export function quotedText(value: string): string {
  return doubleQuoted(value, Number.NEGATIVE_INFINITY, 0);
}

/** Whether a key may stand before its colon. */
export function isSimpleKey(key: string): boolean {
  if (LINE_BREAK.test(key)) return false;
  if (key.length * BYTES_OF_UNIT_MAX <= SIMPLE_KEY_BYTES_MAX) return true;
  return Buffer.byteLength(key) <= SIMPLE_KEY_BYTES_MAX;
}

const INTEGER = /^-?[0-9]+$/;

/**
 * A JSON number: an integer as it is, with all its digits, others as Go writes them. A number with
 * an exponent gets a point as well: without one it is a string in YAML 1.1.
 */
export function numberText(number: string): string {
  if (INTEGER.test(number)) return number === '-0' ? '0' : number;
  const value = Number(number);
  if (!Number.isFinite(value)) return number;
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (value === 0 || (exponent >= -4 && exponent < 6)) return decimalText(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const point = mantissa.includes('.') ? '' : '.0';
  return `${mantissa}${point}e${exponent < 0 ? '-' : '+'}${digits}`;
}

function decimalText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Whether some reader takes the plain text for something else than a string. */
function meansOther(text: string): boolean {
  if (NUMBER_START.test(text)) {
    return (
      resolvePlain(text).kind !== 'string' ||
      OLD_NUMBERS.some((number) => number.test(text)) ||
      isTimestamp(text)
    );
  }
  return isWord(text);
}

function isWord(text: string): boolean {
  if (text.length > WORD_LENGTH_MAX) return false;
  return INDICATOR_WORDS.has(text) || resolvePlain(text).kind !== 'string';
}

function isTimestamp(text: string): boolean {
  const date = DATE.exec(text)?.[0];
  return date !== undefined && TIME.test(text.slice(date.length));
}

function singleQuoted(text: string, column: number, indent: number): string {
  return `'${folded(text.replaceAll("'", "''"), column + 1, indent)}'`;
}

function doubleQuoted(text: string, column: number, indent: number): string {
  return `"${folded(text.replace(TO_ESCAPE, escaped), column + 1, indent, true)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0000': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\u000b': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(character: string): string {
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/**
 * Text broken into lines at single spaces, which readers put back. Inside of double quotes also at
 * the first of several spaces, of which the next one is then escaped.
 */
function folded(text: string, column: number, indent: number, canEscape = false): string {
  if (column + text.length <= LINE_WIDTH) return text;
  let lines = '';
  let start = 0;
  let startColumn = column;
  for (;;) {
    const from = Math.max(start + LINE_WIDTH + 1 - startColumn, 1);
    const at = foldAt(text, from, canEscape);
    if (at < 0) return lines + text.slice(start);
    const mark = text.charAt(at + 1) === ' ' ? '\\' : '';
    lines += `${text.slice(start, at)}\n${' '.repeat(indent)}${mark}`;
    start = at + 1;
    startColumn = indent + mark.length;
  }
}

/** The first space from `from` on that a line break can replace; -1 when there is none. */
function foldAt(text: string, from: number, canEscape: boolean): number {
  for (let at = text.indexOf(' ', from); at >= 0; at = text.indexOf(' ', at + 1)) {
    if (at === text.length - 1) return -1;
    if (text.charAt(at - 1) === ' ') continue;
    if (canEscape || text.charAt(at + 1) !== ' ') return at;
  }
  return -1;
}

function literal(text: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const width = text.startsWith(' ') || text.startsWith('\n') ? '2' : '';
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = text.replace(/[^\n]+/g, (line) => pad + line);
  return `|${width}${chomping}\n${text.endsWith('\n') ? lines.slice(0, -1) : lines}`;
}
