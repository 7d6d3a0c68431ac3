/**
 * Reading one value in protobuf's wire format, without its tag: the unit from which fields, lists,
 * map entries and messages are composed.
 */
import protobuf from 'protobufjs/minimal.js';
import { DecodeError } from '../json/go-errors.ts';

export type Reader = protobuf.Reader;
export type Writer = protobuf.Writer;
export type WireType = 0 | 1 | 2;

export interface ItemReader {
  readonly wireType: WireType;
  /**
   * `before` is the value that the same field gave earlier in the same message: the last one counts
   * unless it is a message. Throws `DecodeError`, or the errors of the reader.
   */
  read(reader: Reader, depth: number, before?: unknown): unknown;
}

export interface ItemDecoder extends ItemReader {
  /** The value that stands for an absent one in a list or a map. */
  zero(): unknown;
}

/** The tag in front of a field: its number and the wire type of its value. */
export function tagOf(number: number, wireType: WireType): number {
  return (number << 3) | wireType;
}

/** Reads a length and confines the reader to it. Returns where to widen it again (`reader.len`). */
export function enterMessage(reader: Reader): number {
  const length = reader.size();
  const end = reader.pos + length;
  if (end > reader.len) throw unexpectedEnd();
  const outer = reader.len;
  reader.len = end;
  return outer;
}

/** Skips a field that the message does not have, after its tag. */
export function skipField(reader: Reader, tag: number, type: string): void {
  const wireType = tag & 7;
  if (tag >>> 3 === 0) {
    throw new DecodeError(`proto: ${type}: illegal tag 0 (wire type ${wireType})`);
  }
  if (wireType === 4) {
    throw new DecodeError(`proto: ${type}: wiretype end group for non-group`);
  }
  reader.skipType(wireType);
}

/** The error for a known field whose value is written as another type. */
export function wrongWireType(tag: number, field: string): DecodeError {
  return new DecodeError(`proto: wrong wireType = ${tag & 7} for field ${field}`);
}

/** The error for bytes that end in the middle of a value. */
export function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}

/** The most values that a tuple has, all absent. */
const NO_VALUES: readonly unknown[] = [undefined, undefined, undefined, undefined];

/**
 * The fields 1, 2, … of the message in which the reader is confined, one for each item; undefined
 * where absent.
 */
export function readTuple(
  reader: Reader,
  type: string,
  items: readonly ItemReader[],
  depth: number,
): unknown[] {
  // A slice has the right length: writing to an empty list would reserve room for many values.
  const values = NO_VALUES.slice(0, items.length);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    const index = (tag >>> 3) - 1;
    const item = items[index];
    if (item === undefined) skipField(reader, tag, type);
    else if ((tag & 7) === item.wireType) values[index] = item.read(reader, depth, values[index]);
    else throw wrongWireType(tag, `${index + 1} of ${type}`);
  }
  return values;
}

/** `readTuple` of a message behind its length. */
export function readNestedTuple(
  reader: Reader,
  type: string,
  items: readonly ItemReader[],
  depth: number,
): unknown[] {
  const outer = enterMessage(reader);
  const values = readTuple(reader, type, items, depth);
  reader.len = outer;
  return values;
}

/** A reader of bytes that are not copied. */
export function readerOf(bytes: Uint8Array): Reader {
  return protobuf.Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

export function newWriter(): Writer {
  return protobuf.Writer.create();
}

/**
 * Runs a decoding; an error of the reader becomes an error of the bytes. `isSyntax` as in the
 * error.
 */
export function decodingBytes<T>(decode: () => T, isSyntax = false): T {
  try {
    return decode();
  } catch (error) {
    throw errorOfBytes(error, isSyntax);
  }
}

function errorOfBytes(error: unknown, isSyntax: boolean): unknown {
  if (error instanceof DecodeError) return new DecodeError(error.message, isSyntax);
  if (error instanceof TypeError && hasBadEncoding(error)) {
    return new DecodeError('proto: a string is not valid UTF-8', isSyntax);
  }
  if (error instanceof RangeError) return new DecodeError('unexpected EOF', isSyntax);
  // The protobuf reader throws plain Errors; errors of other classes are bugs.
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  return new DecodeError(`proto: ${error.message}`, isSyntax);
}

/** Whether `stringVerify` threw the error. */
function hasBadEncoding(error: TypeError): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
