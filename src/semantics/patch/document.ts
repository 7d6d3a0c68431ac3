/**
 * Documents: parsed JSON of whole objects, which patches change. Integers that a number cannot hold
 * are `JSON.rawJSON` objects, so that they come out as they went in. Keys are the clients' own, so
 * `__proto__` is one like any other. Nothing here recurses: nesting cannot overflow the stack.
 */
import { appendAll } from '../../base/append-all.ts';
import { setMember } from '../../base/set-member.ts';
import { stringEnd } from '../../codec/json/json-cursor.ts';
import { jsonText } from '../../codec/json/json-text.ts';
import type { Members } from '../../codec/model/schema-model.ts';

/** Functions that the runtime has and the compiler's library lacks. */
interface JsonWithRaw {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const { rawJSON, isRawJSON } = JSON as unknown as JsonWithRaw;

/** A number as it was written, because `Number` would change it. Frozen, so it may be shared. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** An object or a list of a document. */
export type Container = Members | unknown[];

/**
 * Where a number may stand that needs its text: 16 digits, or an exponent of three. It has to come
 * after a separator, so that names and identifiers with digits are not taken for one.
 */
const MAYBE_RAW = /(?:^|[[:,\s])-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;
/** A quick test that rules out most texts: raw numbers need many digits. */
const MANY_DIGITS = /\d{16}|\d[eE]\+?\d{3}/;
const INTEGER = /^-?\d+$/;
const WORD_END = /[\s,\]}]|$/g;

/**
 * Valid JSON text to a document. Integers beyond 2^53 and numbers that no double holds are raw.
 * Throws SyntaxError as `JSON.parse` does.
 */
export function parseDocument(text: string): unknown {
  const document: unknown = JSON.parse(text);
  return holdsLongNumbers(text) ? parseExactly(text) : document;
}

/** Whether the text has numbers that may be raw in its document, or lose digits outside of it. */
export function holdsLongNumbers(text: string): boolean {
  return MANY_DIGITS.test(text) && MAYBE_RAW.test(text);
}

/** The first number of a document that no double holds, as it was written. */
export function numberBeyondDoubles(document: unknown): string | undefined {
  const open = [document];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isContainer(value)) appendAll(open, Object.values(value).reverse());
    else if (isRawNumber(value) && !Number.isFinite(Number(value.rawJSON))) return value.rawJSON;
  }
  return undefined;
}

export function isRawNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/** Whether the value is a JSON object, and neither a list nor a raw number. */
export function isMembers(value: unknown): value is Members {
  return isContainer(value) && !Array.isArray(value);
}

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}

/** The member of that name, undefined when there is none: prototypes do not count. */
export function memberOf(target: Members, key: string): unknown {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}

/** Compact JSON text. */
export function documentText(document: unknown): string {
  return jsonText(document);
}

/** A copy that shares nothing that could change. */
export function cloneDocument(document: unknown): unknown {
  const pending: Container[] = [];
  const clone = beginClone(document, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (let at = 0; at < next.length; at++) next[at] = beginClone(next[at], pending);
    } else {
      for (const key of Object.keys(next)) {
        const value = next[key];
        if (isContainer(value)) next[key] = beginClone(value, pending);
      }
    }
  }
  return clone;
}

/** Begins a copy of a value; its members are copied later, from `pending`. */
function beginClone(source: unknown, pending: Container[]): unknown {
  if (!isContainer(source)) return source;
  const copy = Array.isArray(source) ? source.slice() : copyOf(source);
  pending.push(copy);
  return copy;
}

/**
 * Objects with more members are copied one by one: a client can choose names that make copying at
 * once slow.
 */
const COPIED_AT_ONCE_MAX = 64;

function copyOf(source: Members): Members {
  const names = Object.keys(source);
  if (names.length <= COPIED_AT_ONCE_MAX) return { ...source };
  const copy: Members = {};
  for (const name of names) setMember(copy, name, source[name]);
  return copy;
}

/** JSON equality: the order of members does not matter, numbers are compared by value. */
export function equalDocuments(a: unknown, b: unknown): boolean {
  const pending: Container[] = [];
  if (!maybeEqual(a, b, pending)) return false;
  for (;;) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === undefined || right === undefined) return true;
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right)) return false;
      if (!maybeEqualItems(left, right, pending)) return false;
    } else if (!maybeEqualMembers(left, right, pending)) return false;
  }
}

/** False when they certainly differ; containers are compared later, from `pending`. */
function maybeEqual(a: unknown, b: unknown, pending: Container[]): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b)) return equalNumbers(a, b);
  pending.push(a, b);
  return true;
}

function maybeEqualItems(a: unknown[], b: unknown[], pending: Container[]): boolean {
  return a.length === b.length && a.every((item, index) => maybeEqual(item, b[index], pending));
}

function maybeEqualMembers(a: Members, b: Members, pending: Container[]): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && maybeEqual(a[key], b[key], pending));
}

/** Compares values that are not the same: only a raw number can equal another one, or a number. */
function equalNumbers(a: unknown, b: unknown): boolean {
  if (!isRawJSON(a)) return isRawJSON(b) && equalNumbers(b, a);
  if (isRawJSON(b)) return a.rawJSON === b.rawJSON;
  return Number.isInteger(b) && BigInt(b as number).toString() === a.rawJSON;
}

/** Whether containers stand in one another more than `max` deep. */
export function nestsDeeper(document: unknown, max: number): boolean {
  let level: unknown[] = [document];
  for (let depth = 0; depth < max; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (!isContainer(value)) continue;
      for (const key of Object.keys(value)) below.push((value as Members)[key]);
    }
    if (below.length === 0) return false;
    level = below;
  }
  return level.some(isContainer);
}

/**
 * The bytes of the document's compact text, escaped as the reference server's encoder escapes.
 * Stops soon after `max`: then the result is above it, but not the whole size.
 */
export function documentBytes(document: unknown, max: number): number {
  const pending: Container[] = [];
  let bytes = beginBytes(document, pending);
  for (let next = pending.pop(); next !== undefined && bytes <= max; next = pending.pop()) {
    if (Array.isArray(next)) {
      bytes += Math.max(2, next.length + 1);
      for (const item of next) {
        bytes += beginBytes(item, pending);
        if (bytes > max) break;
      }
    } else {
      const keys = Object.keys(next);
      bytes += Math.max(2, 2 * keys.length + 1);
      for (const key of keys) {
        bytes += stringBytes(key) + beginBytes(next[key], pending);
        if (bytes > max) break;
      }
    }
  }
  return bytes;
}

/** The bytes of a scalar; a container is counted later, from `pending`. */
function beginBytes(value: unknown, pending: Container[]): number {
  if (typeof value === 'string') return stringBytes(value);
  if (isContainer(value)) {
    pending.push(value);
    return 0;
  }
  return isRawJSON(value) ? value.rawJSON.length : String(value).length;
}

/** Characters of a string that are more than one byte of JSON text. */
const LONG_CHARACTER = /[^ !#-%'-;=?-[\]-~]/;

function stringBytes(value: string): number {
  if (!LONG_CHARACTER.test(value)) return value.length + 2;
  let bytes = 2;
  for (let index = 0; index < value.length; index += 1) {
    bytes += characterBytes(value.charCodeAt(index));
  }
  return bytes;
}

/** Each half of a surrogate pair counts two of the pair's four bytes. */
function characterBytes(code: number): number {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d ? 2 : 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code === 0x3c || code === 0x3e || code === 0x26) return 6;
  if (code < 0x80) return 1;
  if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) return 2;
  return code === 0x2028 || code === 0x2029 ? 6 : 3;
}

/** As `JSON.parse`, for text that is known to be valid, with raw numbers. */
function parseExactly(text: string): unknown {
  const open: Container[] = [];
  let root: unknown;
  let key: string | undefined;
  const place = (value: unknown): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else setMember(parent, key ?? '', value);
    key = undefined;
    if (isContainer(value)) open.push(value);
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '{') place({});
    else if (character === '[') place([]);
    else if (character === '}' || character === ']') open.pop();
    else if (!' \t\r\n,:'.includes(character)) {
      const end = character === '"' ? stringEnd(text, at) : wordEnd(text, at);
      const word = text.slice(at, end);
      const isKey = key === undefined && isMembers(open.at(-1));
      if (isKey) key = JSON.parse(word) as string;
      else place(scalarOf(word));
      at = end - 1;
    }
  }
  return root;
}

/** The position after the number or literal that starts there. */
function wordEnd(text: string, start: number): number {
  WORD_END.lastIndex = start;
  return WORD_END.exec(text)?.index ?? text.length;
}

function scalarOf(word: string): unknown {
  const value: unknown = JSON.parse(word);
  if (typeof value !== 'number') return value;
  const isLost = !Number.isFinite(value) || (!Number.isSafeInteger(value) && INTEGER.test(word));
  return isLost ? rawJSON(word) : value;
}
