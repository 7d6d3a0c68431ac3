/**
 * Values of the leaf types from canonical JSON to protobuf (../README.md#protobuf), without their
 * tags. Each reads one value, never null, and steps over it.
 */
import { parseDuration } from '../leaves/duration-text.ts';
import type { Trace } from './transcode-trace.ts';
import { BACKSLASH, NOT_CANONICAL, QUOTE, varintBytes } from './transcoding.ts';
import type { Transcoding } from './transcoding.ts';

type WriteLeaf = (target: Transcoding) => void;

export interface LeafTranscoder {
  readonly wireType: 0 | 1 | 2;
  /** The bytes of zero. Where a value has a length, that is one of them. */
  readonly zero: Buffer;
  readonly write: WriteLeaf;
}

/** The one of `LEAF_TYPES`. */
export function leafTranscoder(type: string): LeafTranscoder {
  const leaf = LEAVES[type];
  if (leaf === undefined) throw new Error(`leaf type ${type} is not known`);
  return leaf;
}

const NO_LENGTH = Buffer.of(0);

const LEAVES: Readonly<Record<string, LeafTranscoder>> = {
  string: { wireType: 2, zero: NO_LENGTH, write: writeString },
  bool: { wireType: 0, zero: Buffer.of(0), write: writeBool },
  int32: { wireType: 0, zero: Buffer.of(0), write: writeInteger },
  int64: { wireType: 0, zero: Buffer.of(0), write: writeInteger },
  double: { wireType: 1, zero: Buffer.alloc(8), write: writeDouble },
  bytes: { wireType: 2, zero: NO_LENGTH, write: writeBytes },
  Time: { wireType: 2, zero: NO_LENGTH, write: (target) => writeTime(target, 0) },
  MicroTime: { wireType: 2, zero: NO_LENGTH, write: (target) => writeTime(target, 6) },
  Duration: { wireType: 2, zero: Buffer.of(2, 0x08, 0), write: writeDuration },
  Quantity: { wireType: 2, zero: Buffer.of(3, 0x0a, 1, 0x30), write: writeQuantity },
  IntOrString: {
    wireType: 2,
    zero: Buffer.of(6, 0x08, 0, 0x10, 0, 0x1a, 0),
    write: writeIntOrString,
  },
  RawExtension: { wireType: 2, zero: NO_LENGTH, write: writeRawJson },
  FieldsV1: { wireType: 2, zero: NO_LENGTH, write: writeRawJson },
};

/** Writes a value, and down where it lies. */
export function writeTraced(
  target: Transcoding,
  trace: Trace<Transcoding>,
  write: WriteLeaf,
): void {
  const { at, end } = target;
  write(target);
  trace.add(write, at, target.at, end, target.end);
}

/** A length of one byte holds no more. */
const SHORT_LENGTH_MAX = 0x7f;

/** Length and bytes of a string. Most are short and have no escapes. */
export function writeString(target: Transcoding): void {
  target.expect(QUOTE);
  const { source, out, at: start, end: lengthAt } = target;
  const stop = Math.min(target.limit, start + SHORT_LENGTH_MAX + 1);
  const copied = copyPlain(target, start, lengthAt + 1, stop);
  let end = lengthAt + 1 + copied;
  for (let at = start + copied; at < stop; at += 1) {
    const byte = source[at] as number;
    if (byte === QUOTE) {
      out[lengthAt] = at - start;
      target.at = at + 1;
      target.end = end;
      return;
    }
    if (byte === BACKSLASH) break;
    out[end] = byte;
    end += 1;
  }
  writeLongString(target);
}

function writeLongString(target: Transcoding): void {
  const { source, at: start } = target;
  const quoteAt = source.indexOf(QUOTE, start);
  if (quoteAt < 0) throw NOT_CANONICAL;
  if (target.backslashFrom(start) > quoteAt) {
    target.varint(quoteAt - start);
    target.bytes(source, start, quoteAt);
    target.at = quoteAt + 1;
    return;
  }
  const lengthAt = target.end;
  const reserved = varintBytes(quoteAt - start);
  target.end += reserved;
  writeUnescaped(target);
  target.close(lengthAt, reserved);
}

function writeUnescaped(target: Transcoding): void {
  const { source, out, limit } = target;
  let { at, end } = target;
  while (at < limit) {
    const byte = source[at] as number;
    if (byte === QUOTE) {
      target.at = at + 1;
      target.end = end;
      return;
    }
    if (byte === BACKSLASH) {
      target.at = at;
      target.end = end;
      writeEscaped(target);
      const plain = copyPlain(target, target.at, target.end, limit);
      at = target.at + plain;
      end = target.end + plain;
    } else {
      out[end] = byte;
      at += 1;
      end += 1;
    }
  }
  throw NOT_CANONICAL;
}

const WORD_BYTES = 4;
/** Four of each. */
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * Copies four bytes at a time, up to those among which a quote or a backslash is; returns how many
 * bytes it has copied.
 */
function copyPlain({ view, outView }: Transcoding, from: number, to: number, stop: number): number {
  let copied = 0;
  for (; from + copied + WORD_BYTES <= stop; copied += WORD_BYTES) {
    const word = view.getInt32(from + copied, true);
    if (hasZero(word ^ QUOTES) || hasZero(word ^ BACKSLASHES)) break;
    outView.setInt32(to + copied, word, true);
  }
  return copied;
}

/** Whether one of its four bytes is zero. */
function hasZero(word: number): boolean {
  return ((word - 0x01010101) & ~word & 0x80808080) !== 0;
}

/** By the letter after the backslash; 0 for `u`, and for letters that no escape has. */
const ESCAPED = new Uint8Array(0x100);
for (const text of ['""', '//', '\\\\', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  ESCAPED[text.charCodeAt(0)] = text.charCodeAt(1);
}
const LETTER_U = 0x75;

function writeEscaped(target: Transcoding): void {
  const { source, out, at } = target;
  const letter = source[at + 1] ?? 0;
  if (letter === LETTER_U) {
    // Pairs of escapes are characters beyond 16 bits: the encoder writes those as they are.
    const code = Number.parseInt(source.toString('latin1', at + 2, at + 6), 16);
    if (Number.isNaN(code) || (code >= 0xd800 && code < 0xe000)) throw NOT_CANONICAL;
    target.end += out.write(String.fromCharCode(code), target.end);
    target.at = at + 6;
    return;
  }
  const byte = ESCAPED[letter] as number;
  if (byte === 0) throw NOT_CANONICAL;
  out[target.end] = byte;
  target.end += 1;
  target.at = at + 2;
}

const LETTER_T = 0x74;
const LETTER_F = 0x66;

function writeBool(target: Transcoding): void {
  const letter = target.source[target.at];
  if (letter !== LETTER_T && letter !== LETTER_F) throw NOT_CANONICAL;
  target.at += letter === LETTER_T ? 'true'.length : 'false'.length;
  target.out[target.end] = letter === LETTER_T ? 1 : 0;
  target.end += 1;
}

const MINUS = 0x2d;
const DIGIT_ZERO = 0x30;
/** Numbers of this many digits are always exact. */
const EXACT_DIGITS_MAX = 15;

function writeInteger(target: Transcoding): void {
  const { source, at: start } = target;
  const isNegative = source[start] === MINUS;
  let at = isNegative ? start + 1 : start;
  const first = at;
  let value = 0;
  for (let digit = digitAt(source, at); digit >= 0; digit = digitAt(source, at)) {
    value = value * 10 + digit;
    at += 1;
  }
  if (at === first) throw NOT_CANONICAL;
  target.at = at;
  if (!isNegative && at - first <= EXACT_DIGITS_MAX) target.varint(value);
  else writeLong(target, BigInt(source.toString('latin1', start, at)));
}

/** -1 for a byte that is no digit. */
function digitAt(source: Uint8Array, at: number): number {
  const digit = (source[at] ?? 0) - DIGIT_ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

/** Writes an integer of 64 bits, all of which a negative one takes. */
function writeLong(target: Transcoding, value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) {
    target.out[target.end] = Number(rest & 0x7fn) | 0x80;
    target.end += 1;
  }
  target.out[target.end] = Number(rest);
  target.end += 1;
}

function writeDouble(target: Transcoding): void {
  const value = Number(takeText(target));
  if (!Number.isFinite(value)) throw NOT_CANONICAL;
  target.end = target.out.writeDoubleLE(value, target.end);
}

/** A number or a string without escapes, quotes included. */
function takeText(target: Transcoding): string {
  const { at } = target;
  target.skipValue();
  return target.source.toString('latin1', at, target.at);
}

function writeBytes(target: Transcoding): void {
  target.expect(QUOTE);
  const { source, at: start } = target;
  const quoteAt = source.indexOf(QUOTE, start);
  if (quoteAt < 0 || (quoteAt - start) % 4 !== 0) throw NOT_CANONICAL;
  const text = source.toString('latin1', start, quoteAt);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  target.varint(length);
  if (target.out.write(text, target.end, 'base64') !== length) throw NOT_CANONICAL;
  target.end += length;
  target.at = quoteAt + 1;
}

const LETTER_Z = 0x5a;
const DAY_SECONDS = 86_400;
/** Where the parts of a time begin after the quote, and what ends it. */
const TIME_LENGTH = '2006-01-02T15:04:05'.length;

/** Writes a time in UTC with `fractionDigits` digits of a fraction. */
function writeTime(target: Transcoding, fractionDigits: number): void {
  target.expect(QUOTE);
  const { source, at } = target;
  const fractionLength = fractionDigits === 0 ? 0 : fractionDigits + 1;
  const endAt = at + TIME_LENGTH + fractionLength;
  if (source[endAt] !== LETTER_Z || source[endAt + 1] !== QUOTE) throw NOT_CANONICAL;
  const days = daysTo(number(source, at, 4), number(source, at + 5, 2), number(source, at + 8, 2));
  const hours = number(source, at + 11, 2);
  const minutes = number(source, at + 14, 2) + 60 * hours;
  const seconds = number(source, at + 17, 2) + 60 * minutes + DAY_SECONDS * days;
  const micros = fractionDigits === 0 ? 0 : number(source, at + TIME_LENGTH + 1, fractionDigits);
  const lengthAt = target.end;
  const { out } = target;
  out[lengthAt + 1] = 0x08;
  target.end = lengthAt + 2;
  if (seconds < 0) writeLong(target, BigInt(seconds));
  else target.varint(seconds);
  out[target.end] = 0x10;
  target.end += 1;
  target.varint(micros * 1_000);
  out[lengthAt] = target.end - lengthAt - 1;
  target.at = endAt + 2;
}

function number(source: Uint8Array, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const digit = digitAt(source, at);
    if (digit < 0) throw NOT_CANONICAL;
    value = value * 10 + digit;
  }
  return value;
}

/** From the first day of 1970, in the calendar that is in use now. */
function daysTo(year: number, month: number, day: number): number {
  // A year that begins in March has its leap day at the end.
  const shiftedYear = month <= 2 ? year - 1 : year;
  const shiftedMonth = month <= 2 ? month + 9 : month - 3;
  const leapDays =
    Math.floor(shiftedYear / 4) - Math.floor(shiftedYear / 100) + Math.floor(shiftedYear / 400);
  const dayOfYear = Math.floor((153 * shiftedMonth + 2) / 5) + day - 1;
  return 365 * shiftedYear + leapDays + dayOfYear - 719_468;
}

function writeDuration(target: Transcoding): void {
  const { at } = target;
  target.skipValue();
  const nanos = parseDuration(target.source.toString('utf8', at + 1, target.at - 1));
  const lengthAt = target.end;
  target.out[lengthAt + 1] = 0x08;
  target.end += 2;
  writeLong(target, nanos);
  target.out[lengthAt] = target.end - lengthAt - 1;
}

/** {string 1} */
function writeQuantity(target: Transcoding): void {
  const start = target.end;
  target.out[start + 1] = 0x0a;
  target.end += 2;
  writeString(target);
  target.close(start, 1);
}

/** {type 1: 0 number, 1 string; intVal 2, strVal 3} */
function writeIntOrString(target: Transcoding): void {
  const { out, end: start } = target;
  const isText = target.source[target.at] === QUOTE;
  out[start + 1] = 0x08;
  out[start + 2] = isText ? 1 : 0;
  out[start + 3] = 0x10;
  target.end += 4;
  if (isText) {
    out[target.end] = 0;
    target.end += 1;
  } else writeInteger(target);
  out[target.end] = 0x1a;
  target.end += 1;
  if (isText) writeString(target);
  else {
    out[target.end] = 0;
    target.end += 1;
  }
  target.close(start, 1);
}

/** {raw 1}: the JSON as it stands. */
function writeRawJson(target: Transcoding): void {
  const { at } = target;
  target.skipObject();
  const length = target.at - at;
  target.varint(1 + varintBytes(length) + length);
  target.out[target.end] = 0x0a;
  target.end += 1;
  target.varint(length);
  target.bytes(target.source, at, target.at);
}
