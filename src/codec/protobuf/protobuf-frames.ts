/**
 * Lists and watch streams in protobuf, put together around objects that are bytes already
 * (../README.md#protobuf). Every kind of list but one is {metadata 1, items 2}.
 */
import { EMPTY_CONTENT_FIELDS, writeUnknownStart } from './protobuf-envelope.ts';
import { newWriter, tagOf } from './protobuf-item.ts';
import { writeTextField } from './protobuf-leaf.ts';

/** The metadata of a list. */
interface ListFacts {
  readonly rv: number;
  /** '' when nothing is left. It is written all the same. */
  readonly continueToken: string;
  /** 0 is not told. */
  readonly remaining: number;
}

/** Tags 1 to 15 take one byte, as every one here does. */
const TAG_BYTES = 1;
const FIRST_TAG = tagOf(1, 2);
const SECOND_TAG = tagOf(2, 2);
const REMAINING_TAG = tagOf(4, 0);
/** Bytes of the length before a frame of a watch, an unsigned big-endian number. */
const FRAME_LENGTH_BYTES = 4;

/**
 * Everything of a list's document before its first item: magic, type, and the metadata.
 * `itemsLength` is the sum of the lengths of all items, each with its `protobufListItemHead`.
 */
export function protobufListHead(
  type: { readonly apiVersion: string; readonly kind: string },
  meta: ListFacts,
  itemsLength: number,
): Uint8Array {
  const metadata = listMeta(meta);
  const writer = newWriter();
  writeUnknownStart(type, metadata.length + itemsLength, writer);
  return writer.raw(metadata).finish();
}

/** The end of a list's document, after its last item. */
export const PROTOBUF_LIST_TAIL: Uint8Array = EMPTY_CONTENT_FIELDS;

/** `protobufListHead` of the PartialObjectMetadataList of `v1beta1`, {items 1, metadata 2}. */
export function protobufBetaListHead(
  type: { readonly apiVersion: string; readonly kind: string },
  meta: ListFacts,
  itemsLength: number,
): Uint8Array {
  const writer = newWriter();
  writeUnknownStart(type, itemsLength + listMeta(meta, SECOND_TAG).length, writer);
  return writer.finish();
}

/** The end of a list that `protobufBetaListHead` begins: its metadata come last. */
export function protobufBetaListTail(meta: ListFacts): Uint8Array {
  return Buffer.concat([listMeta(meta, SECOND_TAG), EMPTY_CONTENT_FIELDS]);
}

function listMeta({ rv, continueToken, remaining }: ListFacts, tag = FIRST_TAG): Uint8Array {
  const writer = newWriter().uint32(tag).fork();
  ['', String(rv), continueToken].forEach((text, index) => {
    writeTextField(index + 1, text, writer);
  });
  if (remaining !== 0) writer.uint32(REMAINING_TAG).int64(remaining);
  return writer.ldelim().finish();
}

/**
 * Tag and length that stand before an item of `length` bytes. `number` is 2, that of `items`, but
 * 1 in the list of `protobufBetaListHead`.
 */
export function protobufListItemHead(length: number, number: 1 | 2 = 2): Uint8Array {
  const head = Buffer.allocUnsafe(fieldHeadBytes(length));
  writeFieldHead(head, 0, number === 1 ? FIRST_TAG : SECOND_TAG, length);
  return head;
}

/**
 * A frame of a watch: its length, then a WatchEvent {type 1, object 2 {raw 1}} without an envelope
 * around `document`, which has one. `type` is one of the event types, such as `ADDED`.
 */
export function protobufWatchFrame(type: string, document: Uint8Array): Uint8Array {
  const objectBytes = fieldHeadBytes(document.length) + document.length;
  const typeBytes = Buffer.byteLength(type);
  const eventBytes =
    fieldHeadBytes(typeBytes) + typeBytes + fieldHeadBytes(objectBytes) + objectBytes;
  const frame = Buffer.allocUnsafe(FRAME_LENGTH_BYTES + eventBytes);
  let at = frame.writeUInt32BE(eventBytes);
  at = writeFieldHead(frame, at, FIRST_TAG, typeBytes);
  at += frame.write(type, at);
  at = writeFieldHead(frame, at, SECOND_TAG, objectBytes);
  at = writeFieldHead(frame, at, FIRST_TAG, document.length);
  frame.set(document, at);
  return frame;
}

function fieldHeadBytes(length: number): number {
  let bytes = TAG_BYTES + 1;
  for (let rest = length >>> 7; rest !== 0; rest >>>= 7) bytes += 1;
  return bytes;
}

/** Returns where the value begins. */
function writeFieldHead(target: Buffer, start: number, tag: number, length: number): number {
  let at = start;
  target[at] = tag;
  at += TAG_BYTES;
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) {
    target[at] = (rest & 0x7f) | 0x80;
    at += 1;
  }
  target[at] = rest;
  return at + 1;
}
