/**
 * Skips objects and lists that mostly resemble earlier ones: objects that controllers make from one
 * template differ only in a few strings and numbers. Comparing the bytes between these takes a
 * tenth of the time of scanning for the end byte by byte.
 */
import { stringEnd, valueEnd } from './json-bytes.ts';

const QUOTE = 0x22;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Brackets differ from braces in this bit alone. */
const BRACE_BIT = 0x20;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const OPEN_BRACE = 0x7b;

/** The most values that are kept: most pods have no more containers than this. */
const KNOWN_MAX = 4;
/** Shorter values are scanned as fast as they are compared; much longer ones are rare. */
const BYTES_MIN = 64;
const BYTES_MAX = 8 * 1024;
/**
 * The most places in which two values may differ and still count as alike, in all and for one pair.
 */
const DIFFERENCES_MAX = 8;
const NEW_DIFFERENCES_MAX = 4;
/**
 * After this many values that resembled no earlier one, only some are compared: all may be unique.
 */
const MISSES_MAX = 8;
const LOOKED_AT_EVERY = 16;
/** Up to so many bytes a loop compares faster than the native function. */
const COMPARED_BY_LOOP_MAX = 32;

/** The text of a whole value, and the strings, numbers and words in it that differ in others. */
interface KnownValue {
  readonly text: Buffer;
  /** Start and end of each, in their order. */
  readonly differing: readonly number[];
}

/** The values skipped before in one place of a kind of object. */
export class SkippedValues {
  readonly #known: KnownValue[] = [];
  /** The value that followed each of them: mostly they come in the same order again. */
  readonly #followers: number[] = [];
  #latest = 0;
  #misses = 0;

  /** The position after the value that begins at `at`. */
  end(bytes: Uint8Array, at: number): number {
    if (((bytes[at] ?? 0) | BRACE_BIT) !== OPEN_BRACE) return valueEnd(bytes, at);
    if (this.#misses > MISSES_MAX && ++this.#misses % LOOKED_AT_EVERY !== 0) {
      return valueEnd(bytes, at);
    }
    const found = this.#endOfKnown(bytes, at);
    if (found !== NOT_FOUND) return found;
    const end = valueEnd(bytes, at);
    const length = end - at;
    const isKept = length >= BYTES_MIN && length <= BYTES_MAX;
    if (isKept) this.#learn(Buffer.from(bytes.subarray(at, end)));
    return end;
  }

  #endOfKnown(bytes: Uint8Array, at: number): number {
    const { length } = this.#known;
    if (length === 0) return NOT_FOUND;
    const expected = this.#followers[this.#latest]!;
    for (let tried = 0; tried < length; tried++) {
      const index = (expected + tried) % length;
      const end = endOfLike(this.#known[index]!, bytes, at);
      if (end === NOT_FOUND) continue;
      this.#cameNext(index);
      this.#misses = 0;
      return end;
    }
    return NOT_FOUND;
  }

  /**
   * Adds the new differences to a known value that is otherwise alike, or replaces a known value.
   */
  #learn(text: Buffer): void {
    const known = this.#known;
    for (let index = 0; index < known.length; index++) {
      const differing = differences(known[index]!, text);
      if (differing === undefined) continue;
      known[index] = { text, differing };
      this.#cameNext(index);
      return;
    }
    this.#misses++;
    const isNew = known.length < KNOWN_MAX;
    const index = isNew ? known.length : this.#followers[this.#latest]!;
    known[index] = { text, differing: [] };
    if (isNew) this.#followers.push(0);
    this.#cameNext(index);
  }

  #cameNext(index: number): void {
    this.#followers[this.#latest] = index;
    this.#latest = index;
  }
}

const NOT_FOUND = -1;

/**
 * The position after the value at `start` if it resembles a known one. The bytes between the
 * differing strings, numbers and words are equal in both, so that these play the same part in both
 * values, and both end at the same point.
 */
function endOfLike({ text, differing }: KnownValue, bytes: Uint8Array, start: number): number {
  let at = start;
  let from = 0;
  for (let index = 0; index < differing.length; index += 2) {
    const to = differing[index]!;
    if (!isSame(text, from, to, bytes, at)) return NOT_FOUND;
    at += to - from;
    if (!isPlain(bytes[at])) return NOT_FOUND;
    at = bytes[at] === QUOTE ? stringEnd(bytes, at) : valueEnd(bytes, at);
    from = differing[index + 1]!;
  }
  return isSame(text, from, text.length, bytes, at) ? at + text.length - from : NOT_FOUND;
}

function isSame(text: Buffer, from: number, to: number, bytes: Uint8Array, at: number): boolean {
  const length = to - from;
  if (at + length > bytes.length) return false;
  if (length > COMPARED_BY_LOOP_MAX) return text.compare(bytes, at, at + length, from, to) === 0;
  for (let index = 0; index < length; index++) {
    if (text[from + index] !== bytes[at + index]) return false;
  }
  return true;
}

/** Whether a string, a number or a word begins with this byte. */
function isPlain(byte = 0): boolean {
  const isDigit = byte >= DIGIT_0 && byte <= DIGIT_9;
  return byte === QUOTE || isDigit || byte === MINUS || (byte >= LOWER_A && byte <= LOWER_Z);
}

/**
 * The places where `text`, or values before it, differ from the known value; undefined for too
 * many.
 */
function differences(known: KnownValue, text: Buffer): number[] | undefined {
  const { text: other, differing } = known;
  const all: number[] = [];
  let at = 0;
  let otherAt = 0;
  let seen = 0;
  let added = 0;
  while (at < text.length && otherAt < other.length) {
    const isOne = isPlain(text[at]);
    const end = isOne ? valueEnd(text, at) : at + 1;
    const otherEnd = isPlain(other[otherAt]) ? valueEnd(other, otherAt) : otherAt + 1;
    const isSeen = differing[seen] === otherAt;
    const isEqual = end - at === otherEnd - otherAt && isSame(text, at, end, other, otherAt);
    if (isSeen || !isEqual) {
      if (!isOne || !isPlain(other[otherAt])) return undefined;
      if (isSeen) seen += 2;
      else added++;
      all.push(at, end);
      if (added > NEW_DIFFERENCES_MAX || all.length > 2 * DIFFERENCES_MAX) return undefined;
    }
    at = end;
    otherAt = otherEnd;
  }
  return at === text.length && otherAt === other.length ? all : undefined;
}
