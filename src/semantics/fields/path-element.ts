/**
 * One step of a path into an object, as FieldsV1 writes it (README.md#field-sets): `f:` and the
 * name of a member, `k:` and the keys of an item of a keyed list, `v:` and an item of a set, `i:`
 * and an index. The text is canonical, so that equal elements are equal strings.
 */
import { quoteGo, stringifyGo } from '../../codec/json/go-json.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { nestsDeeperThan } from '../../codec/json/text-depth.ts';
import { FIELD_DEPTH_MAX } from './typed-error.ts';

/** A value in a key or a set: a scalar, or anything at all where a client made it up. */
export type ElementValue = unknown;

const BRANDS = 'fkvi';

export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The element of an item of a keyed list; `keys` may come in any order. */
export function keyElement(keys: Readonly<Record<string, ElementValue>>): string {
  let text = '';
  for (const name of Object.keys(keys).toSorted()) {
    text += `${text === '' ? '' : ','}${quoteGo(name)}:${scalarText(keys[name])}`;
  }
  return `k:{${text}}`;
}

/** The element of an item of a set. */
export function valueElement(value: ElementValue): string {
  return `v:${scalarText(value)}`;
}

/**
 * The canonical text of an element that a client wrote; undefined for one of an unknown sort, which
 * is to be ignored. Throws an Error for text that is no element.
 */
export function canonicalElement(text: string): string | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k': {
      const keys = sentValue(rest);
      if (typeof keys !== 'object' || keys === null || Array.isArray(keys)) {
        throw new Error(`not an object: ${text}`);
      }
      return keyElement(keys as Record<string, ElementValue>);
    }
    case 'v':
      return valueElement(sentValue(rest));
    case 'i':
      if (!/^[+-]?[0-9]+$/.test(rest)) throw new Error(`not an index: ${text}`);
      return `i:${Number(rest)}`;
    default:
      return undefined;
  }
}

function sentValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (nestsDeeperThan(text, FIELD_DEPTH_MAX)) throw new Error('value nests too deep');
  return value;
}

/** The element in paths of errors: `.name`, `[name="x"]`, `[="v"]`, `[0]` (README.md#conflicts). */
export function elementText(element: string): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'k': {
      const keys = Object.entries(JSON.parse(rest) as Record<string, ElementValue>);
      return `[${keys.map(([name, value]) => `${name}=${shownText(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${shownText(JSON.parse(rest))}]`;
    case 'i':
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

function shownText(value: ElementValue): string {
  return typeof value === 'string' ? quoteText(value) : scalarText(value);
}

/** The JSON text of a value, as elements have it. */
export function scalarText(value: ElementValue): string {
  if (typeof value === 'string') return quoteGo(value);
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value);
  return stringifyGo(value);
}

/** The order of the members of a FieldsV1 object: names, keys, values, indexes. */
export function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  const brand = a.charCodeAt(0);
  if (brand !== b.charCodeAt(0)) {
    return BRANDS.indexOf(a.charAt(0)) - BRANDS.indexOf(b.charAt(0));
  }
  if (brand === F) return a < b ? -1 : 1;
  const [left, right]: unknown[] = [JSON.parse(a.slice(2)), JSON.parse(b.slice(2))];
  return brand === K ? compareKeys(left as Keys, right as Keys) : compareValues(left, right);
}

const F = 0x66;
const K = 0x6b;

type Keys = Readonly<Record<string, ElementValue>>;

function compareKeys(a: Keys, b: Keys): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [leftName, leftValue] = left[at] as [string, ElementValue];
    const [rightName, rightValue] = right[at] as [string, ElementValue];
    if (leftName !== rightName) return leftName < rightName ? -1 : 1;
    const order = compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const TYPE_ORDER = ['number', 'string', 'boolean', 'object'];

function typeRank(value: ElementValue): number {
  return typeof value === 'bigint' ? 0 : TYPE_ORDER.indexOf(typeof value);
}

/** Numbers, strings, booleans, then anything else. */
export function compareValues(a: ElementValue, b: ElementValue): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  const order = typeRank(a) - typeRank(b);
  if (order !== 0) return order;
  const [left, right] =
    typeof a === 'object' ? [JSON.stringify(a), JSON.stringify(b)] : [a as string, b as string];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
