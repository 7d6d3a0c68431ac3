/**
 * One conversion of JSON to protobuf under way: where it reads, where it writes, and the steps that
 * all values share. The JSON is text as the encoder writes it (../README.md#json); readers that
 * find anything else in it throw `NOT_CANONICAL`.
 */

import { stringEnd, valueEnd } from '../json/json-bytes.ts';
import { Trace } from './transcode-trace.ts';

/** Thrown by readers of text that the encoder would not have written so. */
export const NOT_CANONICAL: unique symbol = Symbol('not canonical');

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
/** The first byte of `null`: nothing else begins with it. */
export const NULL_START = 0x6e;
export const NULL_LENGTH = 4;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** More than any tag, length, number or time takes. */
const SLACK_BYTES = 64;
/** Larger scratch buffers are not kept for the next object. */
const KEPT_BYTES_MAX = 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
/**
 * The most objects that `skipObject` compares with, about as many as managers write to one object,
 * and the bytes of the longest.
 */
const OBJECTS_MAX = 4;
const OBJECT_BYTES_MAX = 4 * 1024;
/**
 * Messages that nest deeper are written where they stand. Moving the bytes of a message by its
 * length, or in the order of its fields, moves all bytes in it, at each level again.
 */
const MOVED_DEPTH_MAX = 100;
/** The bytes of a padded length. */
const PADDED_LENGTH_BYTES = 4;
/** Fewer are copied faster by a loop. */
const COPIED_BY_LOOP_MAX = 16;

const NO_BYTES = Buffer.alloc(0);
const NO_VIEW = new DataView(NO_BYTES.buffer, 0, 0);

export class Transcoding {
  source: Buffer = NO_BYTES;
  /** The source, of which it reads more than a byte at a time. */
  view: DataView = NO_VIEW;
  /** The end of the source. */
  limit = 0;
  /** Where it reads. */
  at = 0;
  out: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** A view of `out`, for writing more than a byte at a time. */
  outView: DataView = new DataView(this.out.buffer);
  /** Where it writes. */
  end = 0;
  /** Triples of a slot, the start and the end of its field, of messages in which order matters. */
  segmentsEnd = 0;
  /** Set while a message is written that is to be a template of others. */
  trace: Trace<Transcoding> | undefined;
  /** How deep the message lies that is being written. */
  depth = 0;
  #segments = new Int32Array(3 * 256);
  #spare: Buffer = NO_BYTES;
  #backslashAt = -1;
  readonly #trace = new Trace<Transcoding>();
  /** Read by `skipObject`, the latest first. */
  readonly #objects: Buffer[] = [];

  /** `head` bytes are left free in front of the result. */
  begin(source: Uint8Array, head: number): void {
    // Always of the same class: otherwise all loops over it are slower.
    this.source = Buffer.isBuffer(source)
      ? source
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    this.view = new DataView(source.buffer, source.byteOffset, source.length);
    this.limit = source.length;
    this.at = 0;
    this.end = head;
    this.segmentsEnd = 0;
    this.trace = undefined;
    this.depth = 0;
    this.#backslashAt = -1;
  }

  /**
   * Whether messages nest so deep that lengths are padded, and fields and entries keep the order of
   * the text.
   */
  get isDeep(): boolean {
    return this.depth > MOVED_DEPTH_MAX;
  }

  /** Goes back to a state in which less was read and written. */
  goBack(at: number, end: number): void {
    this.at = at;
    this.end = end;
    this.#backslashAt = -1;
  }

  /** Begins to trace a message: its text begins here, its bytes at `start`. */
  beginTrace(start: number): void {
    this.#trace.begin(this.at, start);
    this.trace = this.#trace;
  }

  /** Lets go of the text that was read. */
  finish(): void {
    this.source = NO_BYTES;
    this.view = NO_VIEW;
    this.trace = undefined;
    if (this.#spare.length > KEPT_BYTES_MAX) this.#spare = NO_BYTES;
    if (this.out.length > KEPT_BYTES_MAX) this.#writeTo(Buffer.allocUnsafeSlow(FIRST_BYTES));
  }

  /**
   * Makes room for `bytes`, and for the rest of the source, which becomes no longer in protobuf.
   */
  room(bytes: number): void {
    const needed = this.end + bytes + this.limit - this.at + SLACK_BYTES;
    if (needed <= this.out.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.out.length * 2));
    grown.set(this.out.subarray(0, this.end));
    this.#writeTo(grown);
  }

  #writeTo(out: Buffer): void {
    this.out = out;
    this.outView = new DataView(out.buffer);
  }

  /** Steps over this byte. */
  expect(byte: number): void {
    if (this.source[this.at] !== byte) throw NOT_CANONICAL;
    this.at += 1;
  }

  /** A whole number below 2^53 that is not negative. */
  varint(value: number): void {
    const { out } = this;
    let { end } = this;
    if (value <= 0x7f) {
      out[end] = value;
      this.end = end + 1;
      return;
    }
    let rest = value;
    for (; rest >= 2 ** 31; rest = Math.floor(rest / 0x80)) out[end++] = (rest % 0x80) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) out[end++] = (rest & 0x7f) | 0x80;
    out[end] = rest;
    this.end = end + 1;
  }

  bytes(bytes: Buffer, from: number, to: number): void {
    const { out } = this;
    let { end } = this;
    if (to - from <= COPIED_BY_LOOP_MAX) {
      for (let at = from; at < to; at += 1) out[end++] = bytes[at] as number;
      this.end = end;
    } else {
      bytes.copy(out, end, from, to);
      this.end = end + to - from;
    }
  }

  /** Leaves room for the length of a nested message: `expected` bytes. Returns how many it left. */
  reserve(expected: number): number {
    const reserved = this.isDeep ? PADDED_LENGTH_BYTES : expected;
    this.end += reserved;
    return reserved;
  }

  /** As `close`, where `reserve` has left the room. */
  closeReserved(start: number, reserved: number): number {
    if (!this.isDeep) return this.close(start, reserved);
    let rest = this.end - start - reserved;
    for (let at = start; at < start + reserved - 1; at += 1) {
      this.out[at] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.out[start + reserved - 1] = rest;
    return reserved;
  }

  /**
   * Writes the length of all bytes since `start` in front of them, where `reserved` bytes were left
   * free for that. Returns how many it took.
   */
  close(start: number, reserved: number): number {
    const from = start + reserved;
    const length = this.end - from;
    const taken = varintBytes(length);
    if (taken !== reserved) {
      this.out.copyWithin(start + taken, from, this.end);
      this.trace?.move(from, () => taken - reserved);
    }
    this.end = start;
    this.varint(length);
    this.end += length;
    return taken;
  }

  /** The first backslash that is not before `at`, `limit` when there is none. */
  backslashFrom(at: number): number {
    if (this.#backslashAt < at) {
      const found = this.source.indexOf(BACKSLASH, at);
      this.#backslashAt = found < 0 ? this.limit : found;
    }
    return this.#backslashAt;
  }

  /** Records the position of the field that was just written. */
  addSegment(slot: number, start: number): void {
    const at = this.segmentsEnd;
    if (at === this.#segments.length) {
      const grown = new Int32Array(2 * at);
      grown.set(this.#segments);
      this.#segments = grown;
    }
    this.#segments[at] = slot;
    this.#segments[at + 1] = start;
    this.#segments[at + 2] = this.end;
    this.segmentsEnd = at + 3;
  }

  /** Returns all segments. Those from `first` on are in the order of their slots. */
  sortSegments(first: number): Int32Array {
    const segments = this.#segments;
    for (let from = first + 3; from < this.segmentsEnd; from += 3) {
      const slot = segments[from] as number;
      let to = from;
      while (to > first && (segments[to - 3] as number) > slot) to -= 3;
      if (to === from) continue;
      const [start, end] = [segments[from + 1] as number, segments[from + 2] as number];
      segments.copyWithin(to + 3, to, from);
      segments.set([slot, start, end], to);
    }
    return segments;
  }

  /** Takes back all bytes written since `start`: they are valid until the next call. */
  takeBack(start: number): Buffer {
    const length = this.end - start;
    if (this.#spare.length < length) this.#spare = Buffer.allocUnsafeSlow(2 * length);
    this.out.copy(this.#spare, 0, start, this.end);
    this.end = start;
    return this.#spare.subarray(0, length);
  }

  /** Steps over a value of any kind. */
  skipValue(): void {
    const end = valueEnd(this.source, this.at);
    if (end > this.limit || end === this.at) throw NOT_CANONICAL;
    this.at = end;
  }

  /**
   * Skips a value that is mostly equal to an earlier object. Text that begins with all bytes of an
   * object is that object, and comparing bytes takes a tenth of the time of scanning them.
   */
  skipObject(): void {
    const { source, at, limit } = this;
    const last = limit - at;
    const objects = this.#objects;
    for (let place = 0; place < objects.length; place += 1) {
      const object = objects[place] as Buffer;
      const { length } = object;
      if (length > last || source.compare(object, 0, length, at, at + length) !== 0) continue;
      this.at += length;
      if (place > 0) objects.unshift(...objects.splice(place, 1));
      return;
    }
    this.skipValue();
    if (source[at] !== OPEN_BRACE || this.at - at > OBJECT_BYTES_MAX) return;
    objects.unshift(Buffer.from(source.subarray(at, this.at)));
    if (objects.length > OBJECTS_MAX) objects.pop();
  }

  /** Steps over a name with its quotes and its colon. */
  skipName(): void {
    if (this.source[this.at] !== QUOTE) throw NOT_CANONICAL;
    this.at = stringEnd(this.source, this.at);
    this.expect(COLON);
  }
}

/** The number of bytes that a length takes. */
export function varintBytes(length: number): number {
  let bytes = 1;
  for (let rest = length >>> 7; rest !== 0; rest >>>= 7) bytes += 1;
  return bytes;
}
