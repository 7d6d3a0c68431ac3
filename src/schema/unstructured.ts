/**
 * The values of custom resources, which no message describes: plain JSON, exact (README.md#values).
 */
import { compareAsUtf8 } from '../base/text/compare-texts.ts';
import { setMember } from '../base/set-member.ts';
import { valueMismatch } from '../codec/json/go-errors.ts';
import { quoteGo } from '../codec/json/go-json.ts';
import { textWithoutRecursion, type TextForm } from '../codec/json/json-text.ts';
import type { Members } from '../codec/model/schema-model.ts';
import {
  holdsLongNumbers,
  isContainer,
  isRawNumber,
  parseDocument,
  type RawNumber,
} from '../semantics/patch/document.ts';
import { isSameList } from '../semantics/fields/field-types.ts';

const INTEGER = /^-?\d+$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** More digits are no int64, and slow to convert. */
const INT64_CHARACTERS_MAX = 20;

/**
 * Valid JSON text as values. Integers that a double does not hold are bigints, those beyond int64
 * are floats. Throws SyntaxError as `JSON.parse` does, and DecodeError for a number that no float
 * holds.
 */
export function parseUnstructured(text: string): unknown {
  if (!holdsLongNumbers(text)) return JSON.parse(text);
  return withPlainNumbers(parseDocument(text));
}

/**
 * A document of a patch as values: its raw numbers become bigints and floats, in place. Throws a
 * DecodeError for a number that no float holds.
 */
export function withPlainNumbers(document: unknown): unknown {
  if (isRawNumber(document)) return plainNumber(document);
  const pending: unknown[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isContainer(next)) continue;
    if (Array.isArray(next)) {
      for (const [at, item] of next.entries()) {
        if (isRawNumber(item)) next[at] = plainNumber(item);
        else if (isContainer(item)) pending.push(item);
      }
    } else {
      for (const name of Object.keys(next)) {
        const value = next[name];
        if (isRawNumber(value)) setMember(next, name, plainNumber(value));
        else if (isContainer(value)) pending.push(value);
      }
    }
  }
  return document;
}

function plainNumber({ rawJSON }: RawNumber): number | bigint {
  if (rawJSON.length <= INT64_CHARACTERS_MAX && INTEGER.test(rawJSON)) {
    const integer = BigInt(rawJSON);
    if (integer >= INT64_MIN && integer <= INT64_MAX) return integer;
  }
  const float = Number(rawJSON);
  if (!Number.isFinite(float)) throw valueMismatch(`number ${rawJSON}`, 'float64');
  return float;
}

/**
 * Compact JSON text, members sorted by name in the order of their UTF-8 bytes, as the reference
 * writes maps. Members that are undefined are left out.
 */
export function unstructuredText(value: unknown): string {
  return textOf(value, 0);
}

/** Values nested deeper are written without recursion, which is slower. */
const RECURSION_MAX = 500;
/** Characters of strings that JSON text does not have as they are. */
// oxlint-disable-next-line no-control-regex -- those are some of them
const NEEDS_QUOTING = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

function quoted(text: string): string {
  return NEEDS_QUOTING.test(text) ? quoteGo(text) : `"${text}"`;
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return String(value as number | bigint | boolean);
  if (depth === RECURSION_MAX) return textWithoutRecursion(value, FORM);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value) text += `${text === '' ? '' : ','}${textOf(item, depth + 1)}`;
    return `[${text}]`;
  }
  return `{${textOfMembers(value as Members, undefined, depth)}}`;
}

/** The text of all members but one, without the braces around them; '' where there are none. */
export function membersText(members: Members, omitted: string): string {
  return textOfMembers(members, omitted, 0);
}

function textOfMembers(members: Members, omitted: string | undefined, depth: number): string {
  const { names, heads } = orderOf(Object.keys(members));
  let text = '';
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const member = members[name];
    if (member === undefined || name === omitted) continue;
    text += `${text === '' ? '' : ','}${heads[at]}${textOf(member, depth + 1)}`;
  }
  return text;
}

/** The names of an object in the order in which they are written. */
interface Order {
  /** As the object has them. */
  readonly given: readonly string[];
  readonly names: readonly string[];
  /** `"name":` of each. */
  readonly heads: readonly string[];
}

/**
 * Caches sorted names, by a hash of the names; a new entry replaces another with its hash. Objects
 * of a type repeat the same names, and sorting them takes longer than writing them.
 */
const ORDERS: (Order | undefined)[] = Array.from({ length: 256 }, () => undefined);
/** Longer lists of names come from maps, not from types. */
const ORDERED_NAMES_MAX = 64;
const ORDERED_CHARACTERS_MAX = 4_096;

function orderOf(given: readonly string[]): Order {
  const { length } = given;
  if (length > ORDERED_NAMES_MAX) return newOrder(given);
  let hash = length;
  for (let at = 0; at < length; at++) hash = Math.imul(hash, 31) + (given[at] as string).length;
  const slot = (hash ^ (hash >>> 8)) & (ORDERS.length - 1);
  const known = ORDERS[slot];
  if (known !== undefined && isSameList(known.given, given)) return known;
  const made = newOrder(given);
  let characters = 0;
  for (const head of made.heads) characters += head.length;
  if (characters <= ORDERED_CHARACTERS_MAX) ORDERS[slot] = made;
  return made;
}

function newOrder(given: readonly string[]): Order {
  const names = given.toSorted(compareAsUtf8);
  return { given, names, heads: names.map((name) => `${quoted(name)}:`) };
}

const FORM: TextForm = {
  scalar: (value) => {
    return typeof value === 'object' && value !== null ? undefined : textOf(value, 0);
  },
  name: quoted,
  names: (members) => {
    return orderOf(Object.keys(members)).names.filter((name) => members[name] !== undefined);
  },
};
