/** Lists and maps from canonical JSON to protobuf (../README.md#protobuf). */
import { readerOf, tagOf } from './protobuf-item.ts';
import { writeString, writeTraced } from './transcode-leaf.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  NOT_CANONICAL,
  NULL_LENGTH,
  NULL_START,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  varintBytes,
} from './transcoding.ts';
import type { Transcoding } from './transcoding.ts';

/** Reads one value, which is not null, and writes it. */
export type WriteValue = (target: Transcoding) => void;

/** A value without its tag, in a field, a list or a map. */
export interface ItemTranscoder {
  readonly wireType: 0 | 1 | 2;
  readonly write: WriteValue;
  /** Whether it is of a leaf type: another one can replace it where it lies. */
  readonly isLeaf: boolean;
  /** The bytes for null in a list or a map, and for a single value that is absent. */
  zero(): Buffer;
}

/** A field for each item. */
export function listWriter(tag: number, item: ItemTranscoder): WriteValue {
  return (target) => {
    target.expect(OPEN_BRACKET);
    if (target.source[target.at] === CLOSE_BRACKET) {
      target.at += 1;
      return;
    }
    for (;;) {
      writeItem(target, tag, item);
      target.at += 1;
      const byte = target.source[target.at - 1];
      if (byte === CLOSE_BRACKET) return;
      if (byte !== COMMA) throw NOT_CANONICAL;
    }
  };
}

/** A value of a list or a map with its tag. */
function writeItem(target: Transcoding, tag: number, item: ItemTranscoder): void {
  target.room(0);
  target.varint(tag);
  if (target.source[target.at] !== NULL_START) {
    if (item.isLeaf && target.trace !== undefined) writeTraced(target, target.trace, item.write);
    else item.write(target);
  } else {
    const bytes = item.zero();
    target.room(bytes.length);
    target.bytes(bytes, 0, bytes.length);
    target.at += NULL_LENGTH;
  }
}

const KEY_TAG = tagOf(1, 2);

/** An entry {key 1, value 2} for each, sorted by the bytes of the key. */
export function mapWriter(tag: number, item: ItemTranscoder): WriteValue {
  const valueTag = tagOf(2, item.wireType);
  return (target) => {
    target.expect(OPEN_BRACE);
    const start = target.end;
    let previousAt = -1;
    let isSorted = true;
    while (target.source[target.at] !== CLOSE_BRACE) {
      if (previousAt >= 0) target.expect(COMMA);
      target.room(0);
      target.varint(tag);
      const lengthAt = target.end;
      target.trace?.open(lengthAt);
      const reserved = target.reserve(1);
      target.out[target.end++] = KEY_TAG;
      const keyAt = target.at;
      isSorted &&= previousAt < 0 || isBefore(target.source, previousAt, keyAt);
      previousAt = keyAt;
      writeString(target);
      target.expect(COLON);
      writeItem(target, valueTag, item);
      const taken = target.closeReserved(lengthAt, reserved);
      target.trace?.close(target.end - lengthAt - taken);
    }
    target.at += 1;
    if (!isSorted && !target.isDeep) sortEntries(target, start, varintBytes(tag));
  };
}

/**
 * Whether one key comes before another, given their opening quotes; false where that is not sure.
 */
function isBefore(source: Uint8Array, first: number, second: number): boolean {
  for (let offset = 1; ; offset += 1) {
    const a = source[first + offset] as number;
    const b = source[second + offset] as number;
    if (a === QUOTE) return b !== QUOTE;
    if (b === QUOTE || a === BACKSLASH || b === BACKSLASH) return false;
    if (a !== b) return a < b;
  }
}

/** Sorts keys with escapes, and names that were replaced. The last one of equal keys counts. */
function sortEntries(target: Transcoding, start: number, tagBytes: number): void {
  target.trace?.giveUp();
  const written = Buffer.from(target.out.subarray(start, target.end));
  const reader = readerOf(written);
  const entries: { key: Uint8Array; from: number; to: number }[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    reader.skip(tagBytes);
    const length = reader.uint32();
    const to = reader.pos + length;
    reader.skip(1);
    entries.push({ key: reader.bytes(), from, to });
    reader.pos = to;
  }
  entries.sort((a, b) => Buffer.compare(a.key, b.key));
  target.end = start;
  for (const [index, { key, from, to }] of entries.entries()) {
    const next = entries[index + 1];
    if (next !== undefined && Buffer.compare(key, next.key) === 0) continue;
    target.bytes(written, from, to);
  }
}
