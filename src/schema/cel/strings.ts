/** The functions of texts. Positions in them are of characters. */
import { ownRelease } from '../../release/release.ts';
import { parseIp } from '../../semantics/validation/ip-address.ts';
import { findPattern, matchesPattern, matchSteps, PatternError } from '../pattern.ts';
import type { Budget } from './cost/budget.ts';
import { Failure, LITERAL, ListValue, NO_OVERLOAD, type Value } from './values.ts';

/** A function of a text and the other arguments. */
export type TextFunction = (text: string, args: readonly Value[], budget: Budget) => Value;

/** A character costs a tenth of a step. */
export function textSteps(text: string): number {
  return text.length / 10;
}

const isText = (value: Value | undefined): value is string => typeof value === 'string';
const isInt = (value: Value | undefined): value is bigint => typeof value === 'bigint';

export const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  contains: (text, [part]) => (isText(part) ? text.includes(part) : NO_OVERLOAD),
  startsWith: (text, [part]) => (isText(part) ? text.startsWith(part) : NO_OVERLOAD),
  endsWith: (text, [part]) => (isText(part) ? text.endsWith(part) : NO_OVERLOAD),
  matches: (text, [pattern], budget) =>
    isText(pattern)
      ? byPattern(text, pattern, budget, '', () => matchesPattern(pattern, text))
      : NO_OVERLOAD,
  find: (text, [pattern], budget) =>
    isText(pattern)
      ? byPattern(
          text,
          pattern,
          budget,
          'Illegal regex: ',
          () => findPattern(pattern, text, 1)[0] ?? '',
        )
      : NO_OVERLOAD,
  findAll: (text, [pattern, limit = -1n], budget) =>
    isText(pattern) && isInt(limit)
      ? byPattern(text, pattern, budget, 'Illegal regex: ', () => {
          const most = limit < 0n ? Infinity : Number(limit);
          return new ListValue(findPattern(pattern, text, most), LITERAL);
        })
      : NO_OVERLOAD,
  charAt: (text, [at]) => (isInt(at) ? charAt(text, at) : NO_OVERLOAD),
  indexOf: (text, [part, from]) =>
    isText(part) && (from === undefined || isInt(from))
      ? indexOf(text, part, from ?? 0n)
      : NO_OVERLOAD,
  lastIndexOf: (text, [part, from]) =>
    isText(part) && (from === undefined || isInt(from))
      ? lastIndexOf(text, part, from)
      : NO_OVERLOAD,
  lowerAscii: (text) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase()),
  upperAscii: (text) => text.replace(/[a-z]+/g, (found) => found.toUpperCase()),
  trim: (text) => text.replace(EDGE_BLANKS, ''),
  replace: (text, [part, by, limit = -1n], budget) =>
    isText(part) && isText(by) && isInt(limit)
      ? replace(text, part, by, limit, budget)
      : NO_OVERLOAD,
  split: (text, [separator, limit = -1n], budget) => {
    if (!isText(separator) || !isInt(limit)) return NO_OVERLOAD;
    const parts = split(text, separator, limit);
    budget.spend(parts.length);
    return new ListValue(parts, LITERAL);
  },
  substring: (text, [from, to]) =>
    isInt(from) && (to === undefined || isInt(to)) ? substring(text, from, to) : NO_OVERLOAD,
};

/** The characters that are white space in Unicode. */
const BLANK = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
/** The second one looks only where blanks begin, so that many of them inside cost no more. */
const EDGE_BLANKS = new RegExp(`^${BLANK}+|(?<!${BLANK})${BLANK}+$`, 'g');

function byPattern(
  text: string,
  pattern: string,
  budget: Budget,
  start: string,
  match: () => Value,
): Value {
  budget.spend(textSteps(pattern) * 10 + matchSteps(pattern, text) / 20);
  try {
    return match();
  } catch (error) {
    if (error instanceof PatternError) return new Failure(start + error.message);
    throw error;
  }
}

/** An address of one of the two families, without zeros in front and not one in the other. */
export function isIpAddress(text: string): boolean {
  const address = parseIp(text);
  if (address === undefined || /(?:^|\.)0\d/.test(text)) return false;
  return text.includes(':') === (address.family === 'IPv6');
}

const SURROGATE = /[\ud800-\udfff]/;

/** The number of characters of a text. */
export function characterCount(text: string): number {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

/** Characters of a text, as something that has a length and slices. */
function characters(text: string): { length: number; slice(from: number, to?: number): string } {
  if (!SURROGATE.test(text)) return text;
  const all = Array.from(text);
  return { length: all.length, slice: (from, to) => all.slice(from, to).join('') };
}

function outOfRange(at: bigint): Failure {
  return new Failure(`index out of range: ${at}`);
}

function charAt(text: string, at: bigint): Value {
  const all = characters(text);
  if (at < 0n || at > all.length) return outOfRange(at);
  return all.slice(Number(at), Number(at) + 1);
}

const BEYOND = ownRelease().has('placesBeyondTexts');
const LONGER_IS_NOT_FOUND = ownRelease().has('longerTextsAreNotFound');
const BOUNDED_EMPTY = ownRelease().has('boundedEmptyTexts');

/** Where an empty text is found that is looked for from some place on. */
function emptyAt(from: bigint, length: number): Value {
  if (!BOUNDED_EMPTY) return from;
  if (from < 0n) return outOfRange(from);
  return from > length ? BigInt(length) : from;
}

function beyond(from: bigint): Value {
  return BEYOND && from >= 0n ? -1n : outOfRange(from);
}

function indexOf(text: string, part: string, from: bigint): Value {
  const all = characters(text);
  if (part === '') return emptyAt(from, all.length);
  if (from < 0n || from >= all.length) return beyond(from);
  const start = all.slice(0, Number(from)).length;
  const found = text.indexOf(part, start);
  return found === -1 ? -1n : BigInt(characterCount(text.slice(0, found)));
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): Value {
  const all = characters(text);
  if (part === '') return from === undefined ? BigInt(all.length) : emptyAt(from, all.length);
  if (from === undefined && LONGER_IS_NOT_FOUND && text === '') return -1n;
  const start = from ?? BigInt(all.length - 1);
  if (start < 0n || start >= all.length) return beyond(start);
  const found = text.lastIndexOf(part, all.slice(0, Number(start)).length);
  return found === -1 ? -1n : BigInt(characterCount(text.slice(0, found)));
}

function replace(text: string, part: string, by: string, limit: bigint, budget: Budget): Value {
  const pieces = part === '' ? ['', ...Array.from(text), ''] : text.split(part);
  const most = pieces.length - 1;
  const count = limit < 0n || limit > BigInt(most) ? most : Number(limit);
  budget.spend(textSteps(by) * count);
  return pieces.slice(0, count + 1).join(by) + rest(pieces.slice(count + 1), part);
}

function rest(pieces: readonly string[], part: string): string {
  return pieces.map((piece) => part + piece).join('');
}

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || limit >= BigInt(parts.length)) return parts;
  const most = Number(limit);
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function substring(text: string, from: bigint, to: bigint | undefined): Value {
  const all = characters(text);
  const end = to ?? BigInt(all.length);
  if (to !== undefined && from > to) {
    return new Failure(`invalid substring range. start: ${from}, end: ${to}`);
  }
  for (const at of [from, end]) if (at < 0n || at > all.length) return outOfRange(at);
  return all.slice(Number(from), Number(end));
}
