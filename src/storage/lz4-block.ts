/**
 * Writes blocks of LZ4 (its block format) that refer to a dictionary. The library of the store
 * reads them; where it writes them, each costs a task of the thread pool (README.md).
 */
const HASH_BITS = 12;
const MATCH_BYTES_MIN = 4;
/** A block ends with at least this many literals, and no match begins in its last bytes. */
const LAST_LITERALS = 5;
const LAST_MATCH_BYTES = 12;
const OFFSET_MAX = 65_535;
/** After two to this power bytes without a match every second one is looked at, and so on. */
const SKIP_BITS = 6;
/** The highest length that a token has room for, of literals and of matches. */
const RUN_MAX = 15;

/** The buffer in which this thread writes blocks: dictionary and source, one after the other. */
let joined = Buffer.allocUnsafeSlow(64 * 1024);
let view = viewOf(joined);
const newest = new Int32Array(1 << HASH_BITS);

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function hashOf(word: number): number {
  return Math.imul(word, 0x9e37_79b1) >>> (32 - HASH_BITS);
}

/** The most bytes that a block of `bytes` can take. */
export function blockBytesMax(bytes: number): number {
  return bytes + Math.ceil(bytes / 255) + 16;
}

export class Lz4Dictionary {
  readonly #bytes: Buffer;
  /** By the hash of four bytes, where they are; 0 where there are none. */
  readonly #places: Int32Array;

  /** Only the last `OFFSET_MAX` bytes can be referred to. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#places = new Int32Array(1 << HASH_BITS);
    const dictionary = viewOf(bytes);
    for (let at = 0; at + MATCH_BYTES_MIN <= bytes.length; at++) {
      this.#places[hashOf(dictionary.getUint32(at, true))] = at;
    }
  }

  /**
   * Writes the block of `source` and `spare` more bytes, at most `LAST_LITERALS`, to `target` at
   * `start`, where there is room; returns its end. It ends with the spare bytes, of any value.
   */
  encode(source: Uint8Array, spare: number, target: Buffer, start: number): number {
    const first = this.#bytes.length;
    const end = first + source.length + spare;
    if (joined.length < end) {
      joined = Buffer.allocUnsafeSlow(2 * end);
      view = viewOf(joined);
    }
    joined.set(this.#bytes, 0);
    joined.set(source, first);
    newest.set(this.#places);
    return encodeJoined(first, end, target, start);
  }
}

/**
 * Unpacks a block of `bytes` bytes with the dictionary that it was written with; undefined where it
 * is none.
 */
export function decodeBlock(block: Buffer, dictionary: Buffer, bytes: number): Buffer | undefined {
  const first = dictionary.length;
  const all = Buffer.allocUnsafe(first + bytes);
  dictionary.copy(all);
  let to = first;
  for (let at = 0; at < block.length;) {
    const token = block[at++] ?? 0;
    let literals = token >> 4;
    [literals, at] = withRest(block, at, literals);
    if (at + literals > block.length || to + literals > all.length) return undefined;
    block.copy(all, to, at, at + literals);
    at += literals;
    to += literals;
    if (at === block.length) break;
    const offset = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    let length: number;
    [length, at] = withRest(block, at + 2, token & RUN_MAX);
    length += MATCH_BYTES_MIN;
    if (offset === 0 || offset > to || to + length > all.length) return undefined;
    // What is copied may be a part of what it makes.
    for (const end = to + length; to < end; to++) all[to] = all[to - offset] ?? 0;
  }
  return to === all.length ? all.subarray(first) : undefined;
}

/** A length with the part for which the token has no room, and where that ends. */
function withRest(block: Buffer, start: number, length: number): [length: number, end: number] {
  if (length < RUN_MAX) return [length, start];
  let at = start;
  let whole = length;
  for (;;) {
    const part = block[at++] ?? 0;
    whole += part;
    if (part < 255) return [whole, at];
  }
}

function encodeJoined(first: number, end: number, target: Buffer, start: number): number {
  const matchesEnd = end - LAST_LITERALS;
  let literals = first;
  let at = first;
  let to = start;
  let misses = 1 << SKIP_BITS;
  while (at <= end - LAST_MATCH_BYTES) {
    const word = view.getUint32(at, true);
    const hash = hashOf(word);
    let from = newest[hash] ?? 0;
    newest[hash] = at;
    if (view.getUint32(from, true) !== word || at - from > OFFSET_MAX || from >= at) {
      at += misses++ >> SKIP_BITS;
      continue;
    }
    while (at > literals && from > 0 && joined[at - 1] === joined[from - 1]) {
      at--;
      from--;
    }
    const length = matchLength(from, at, matchesEnd);
    to = writeSequence(target, to, { literals, at, offset: at - from, length });
    at += length;
    literals = at;
    misses = 1 << SKIP_BITS;
    if (at <= end - LAST_MATCH_BYTES) newest[hashOf(view.getUint32(at - 2, true))] = at - 2;
  }
  return writeLiterals(target, to, literals, end);
}

function matchLength(from: number, at: number, end: number): number {
  let length = MATCH_BYTES_MIN;
  while (
    at + length + 4 <= end &&
    view.getUint32(from + length, true) === view.getUint32(at + length, true)
  ) {
    length += 4;
  }
  while (at + length < end && joined[from + length] === joined[at + length]) length++;
  return length;
}

interface Sequence {
  readonly literals: number;
  readonly at: number;
  readonly offset: number;
  readonly length: number;
}

function writeSequence(target: Buffer, start: number, sequence: Sequence): number {
  const { literals, at, offset, length } = sequence;
  const rest = length - MATCH_BYTES_MIN;
  let to = writeLiterals(target, start, literals, at);
  target[start] = (target[start] ?? 0) | Math.min(rest, RUN_MAX);
  target[to++] = offset & 0xff;
  target[to++] = offset >> 8;
  return writeRest(target, to, rest);
}

/** The token without its match, and the literals. */
function writeLiterals(target: Buffer, start: number, from: number, end: number): number {
  const length = end - from;
  target[start] = Math.min(length, RUN_MAX) << 4;
  let to = writeRest(target, start + 1, length);
  if (length > 32) {
    joined.copy(target, to, from, end);
    return to + length;
  }
  for (let at = from; at < end; at++) target[to++] = joined[at] ?? 0;
  return to;
}

/** Writes the part of a length for which the token has no room. */
function writeRest(target: Buffer, start: number, length: number): number {
  if (length < RUN_MAX) return start;
  let to = start;
  let rest = length - RUN_MAX;
  for (; rest >= 255; rest -= 255) target[to++] = 255;
  target[to++] = rest;
  return to;
}
