/** Values of documents as the reference's errors print them. */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { numberText } from './equal-values.ts';

/** Values nested deeper are cut: nobody reads them, and they must not fill the stack. */
const DEPTH_MAX = 50;

/** As `%v` prints the reference's wrapper of a value: `&{map[a:1]}`. */
export function plainText(value: unknown): string {
  return `&{${plain(value, 0)}}`;
}

/** As `%#v` prints the same: `&value.valueUnstructured{Value:1}`. */
export function syntaxText(value: unknown): string {
  return `&value.valueUnstructured{Value:${syntax(value, 0)}}`;
}

/** As `%T` prints the type of the value. */
export function typeText(value: unknown): string {
  if (value === null) return '<nil>';
  if (numberText(value) !== undefined) return 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

function plain(value: unknown, depth: number): string {
  if (value === null) return '<nil>';
  if (depth > DEPTH_MAX) return '...';
  const number = numberText(value);
  if (number !== undefined) return floatText(Number(number));
  if (Array.isArray(value)) return `[${value.map((item) => plain(item, depth + 1)).join(' ')}]`;
  if (typeof value !== 'object') return String(value as string | boolean);
  const members = sortedEntries(value as object).map(
    ([name, member]) => `${name}:${plain(member, depth + 1)}`,
  );
  return `map[${members.join(' ')}]`;
}

function syntax(value: unknown, depth: number): string {
  if (value === null) return 'interface {}(nil)';
  if (depth > DEPTH_MAX) return '...';
  const number = numberText(value);
  if (number !== undefined) return floatText(Number(number));
  if (typeof value === 'string') return quoteText(value);
  if (typeof value !== 'object') return String(value as string | boolean);
  const members = Array.isArray(value)
    ? value.map((item) => syntax(item, depth + 1))
    : sortedEntries(value).map(
        ([name, member]) => `${quoteText(name)}:${syntax(member, depth + 1)}`,
      );
  return `${typeText(value)}{${members.join(', ')}}`;
}

function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The shortest text of a float, with an exponent from a million on, as `%v` prints it. */
export function floatText(value: number): string {
  const [digits = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
}
