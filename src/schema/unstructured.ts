/**
 * The values of custom resources, which no message describes: plain JSON, exact (README.md#values).
 */
import { setMember } from '../base/set-member.ts';
import { valueMismatch } from '../codec/go-errors.ts';
import { quoteGo, stringifyGo } from '../codec/go-json.ts';
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
  try {
    if (isInOrder(value)) return stringifyGo(value);
  } catch (error) {
    // It nests deeper than the stack allows; the other writer needs none.
    if (!(error instanceof RangeError)) throw error;
  }
  return sortedText(value);
}

/** Whether `JSON.stringify` can write all of it, and does so in the order of names. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) {
    for (const item of value) if (!isInOrder(item)) return false;
    return true;
  }
  const members = value as Members;
  const names = Object.keys(members);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    if (at > 0 && compareNames(names[at - 1] as string, name) > 0) return false;
    if (!isInOrder(members[name])) return false;
  }
  return true;
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

function sortedText(value: unknown): string {
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
    if (!writing.isList) parts.push(quoteGo(name), ':');
    beginText(writing.members[name], parts, open);
  }
  return parts.join('');
}

/** Writes a scalar, or opens what is to be written next. */
function beginText(value: unknown, parts: string[], open: Writing[]): void {
  if (typeof value === 'string') parts.push(quoteGo(value));
  else if (typeof value !== 'object' || value === null) parts.push(String(value ?? null));
  else {
    const isList = Array.isArray(value);
    const members = value as Members;
    const names = Object.keys(members);
    if (!isList) names.sort(compareNames);
    parts.push(isList ? '[' : '{');
    const there = isList ? names : names.filter((name) => members[name] !== undefined);
    open.push({ members, names: there, isList, at: 0 });
  }
}
