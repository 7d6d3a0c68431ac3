/** Values of custom resources as field errors of the reference print them. */
import { compareAsUtf8 } from '../base/text/compare-texts.ts';
import { RawJson } from '../codec/json/raw-json.ts';
import { quoteText } from '../codec/json/strict-quote.ts';
import { floatText } from '../semantics/fields/typed-value-text.ts';
import { showsJson } from '../semantics/errors/field-error.ts';
import { parseUnstructured, unstructuredText } from './unstructured.ts';

/** Values nested deeper are cut: nobody reads them, and they must not fill the stack. */
const DEPTH_MAX = 50;

/** Whether a number is no integer to the reference: large ones that are integers are bigints. */
export function isFloat(value: unknown): value is number {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/**
 * Strings and null quoted, numbers and booleans bare, anything else as `%#v` prints it, or as JSON
 * where the release shows that.
 */
export function shownValue(value: unknown): string {
  if (showsJson())
    return typeof value === 'object' ? unstructuredText(value) : syntaxText(value, 0);
  return value === null || value === undefined ? '"null"' : syntaxText(value, 0);
}

/** A number, of floats with an exponent from a million on. */
export function shownNumber(value: number | bigint): string {
  return isFloat(value) ? floatText(value) : String(value);
}

function syntaxText(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return shownNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return 'interface {}(nil)';
  if (depth === DEPTH_MAX) return '...';
  if (value instanceof RawJson) return syntaxText(parseUnstructured(value.text), depth);
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map((item) => syntaxText(item, depth + 1)).join(', ')}}`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareAsUtf8(a, b))
    .map(([name, member]) => `${quoteText(name)}:${syntaxText(member, depth + 1)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
