/**
 * The values of custom resources, which no message describes: plain JSON, exact (README.md#values).
 */
import { setMember } from '../base/set-member.ts';
import { valueMismatch } from '../codec/go-errors.ts';
import { quoteGo } from '../codec/go-json.ts';
import type { Members } from '../codec/schema-model.ts';
import {
  holdsLongNumbers,
  isContainer,
  isRawNumber,
  parseDocument,
  type RawNumber,
} from '../semantics/patch/document.ts';

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

/** What nests deeper is written without recursion, which is slower. */
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
  if (depth === RECURSION_MAX) return deepText(value);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value) text += `${text === '' ? '' : ','}${textOf(item, depth + 1)}`;
    return `[${text}]`;
  }
  const members = value as Members;
  let text = '';
  for (const name of sortedNames(members)) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${quoted(name)}:${textOf(member, depth + 1)}`;
  }
  return `{${text}}`;
}

function sortedNames(members: Members): string[] {
  const names = Object.keys(members);
  for (let at = 1; at < names.length; at++) {
    if (compareNames(names[at - 1] as string, names[at] as string) > 0) {
      return names.sort(compareNames);
    }
  }
  return names;
}

/** Characters whose order differs between UTF-16, which strings have, and UTF-8. */
const HIGH_CHARACTER = /[\ud800-\uffff]/;

/** The order of names in UTF-8, in which the reference sorts them. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  if (HIGH_CHARACTER.test(a) && HIGH_CHARACTER.test(b)) return compareCodePoints(a, b);
  return a < b ? -1 : 1;
}

function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return codePointRank(a.charCodeAt(at)) - codePointRank(b.charCodeAt(at));
}

/** Halves of pairs come last; the end of a string comes first. */
function codePointRank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** An object or a list that is being written. */
interface Writing {
  readonly members: Members;
  /** Of a list, its places. */
  readonly names: readonly string[];
  readonly isList: boolean;
  at: number;
}

function deepText(value: object): string {
  const parts: string[] = [];
  const open: Writing[] = [];
  beginText(value, parts, open);
  for (let writing = open.at(-1); writing !== undefined; writing = open.at(-1)) {
    const name = writing.names[writing.at];
    if (name === undefined) {
      parts.push(writing.isList ? ']' : '}');
      open.pop();
      continue;
    }
    if (writing.at > 0) parts.push(',');
    writing.at += 1;
    if (!writing.isList) parts.push(quoted(name), ':');
    beginText(writing.members[name], parts, open);
  }
  return parts.join('');
}

/** Writes a scalar, or opens what is to be written next. */
function beginText(value: unknown, parts: string[], open: Writing[]): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(textOf(value, 0));
    return;
  }
  const isList = Array.isArray(value);
  const members = value as Members;
  const names = isList
    ? Object.keys(members)
    : sortedNames(members).filter((name) => members[name] !== undefined);
  parts.push(isList ? '[' : '{');
  open.push({ members, names, isList, at: 0 });
}
