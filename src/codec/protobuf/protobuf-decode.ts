/** Readers of fields: bytes to objects in the shapes that `json-codec.ts` documents. */
import { enterMessage, readNestedTuple, skipField, wrongWireType } from './protobuf-item.ts';
import type { ItemDecoder, Reader, WireType } from './protobuf-item.ts';
import { STRING } from './protobuf-leaf.ts';
import type { FieldSchema } from '../model/schema-model.ts';
import { isMessageType } from '../model/schema-walk.ts';

/** The members of a message read so far, in declaration order; undefined where absent. */
export type Slots = unknown[];

type ReadInto = (reader: Reader, slots: Slots, depth: number) => void;

export interface FieldReader {
  readonly name: string;
  readonly wireType: WireType;
  readonly read: ReadInto;
  /** For lists of numbers, which clients may write as one value. */
  readonly readPacked?: ReadInto;
}

/** By field number. */
export type FieldReaders = readonly (FieldReader | undefined)[];

/**
 * Reads the bytes to which the reader is confined into `slots`; unknown fields are skipped. `type`
 * is for errors. Throws `DecodeError`.
 */
export function readFields(
  reader: Reader,
  readers: FieldReaders,
  slots: Slots,
  depth: number,
  type: string,
): void {
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    const field = readers[tag >>> 3];
    const wireType = tag & 7;
    if (field === undefined) skipField(reader, tag, type);
    else if (wireType === field.wireType) field.read(reader, slots, depth);
    else if (wireType === 2 && field.readPacked) field.readPacked(reader, slots, depth);
    else throw wrongWireType(tag, `${field.name} of ${type}`);
  }
}

/** The reader of a field whose values are `item`s, into the slot of that number. */
export function fieldReader(field: FieldSchema, item: ItemDecoder, slot: number): FieldReader {
  const { name } = field;
  if (field.container === 'map') {
    return { name, wireType: 2, read: mapReader(item, slot, `${name} entry`) };
  }
  if (field.container === 'single') {
    return { name, wireType: item.wireType, read: singleReader(field, item, slot) };
  }
  const read = listReader(item, slot);
  if (item.wireType === 2) return { name, wireType: 2, read };
  return { name, wireType: item.wireType, read, readPacked: packedReader(read) };
}

/** The fields of an inline message, into the slots of its parent. */
export function inlineReader(field: FieldSchema, readers: FieldReaders): FieldReader {
  return {
    name: field.name,
    wireType: 2,
    read: (reader, slots, depth) => {
      const outer = enterMessage(reader);
      readFields(reader, readers, slots, depth, field.name);
      reader.len = outer;
    },
  };
}

function singleReader(field: FieldSchema, item: ItemDecoder, slot: number): ReadInto {
  // Kept text that is null is absent, tracked or not.
  const isKeptText = field.type === 'RawExtension' || field.type === 'FieldsV1';
  const isTracked = field.presence === true && !isKeptText;
  const keepsZero = isMessageType(field.type) || isTracked || field.mustBeSent === true;
  if (keepsZero) {
    return (reader, slots, depth) => {
      slots[slot] = item.read(reader, depth, slots[slot]);
    };
  }
  const zero = item.zero();
  return (reader, slots, depth) => {
    const value = item.read(reader, depth, slots[slot]);
    slots[slot] = value === zero ? undefined : value;
  };
}

function listReader(item: ItemDecoder, slot: number): ReadInto {
  return (reader, slots, depth) => {
    const element = item.read(reader, depth);
    const list = slots[slot] as unknown[] | undefined;
    if (list === undefined) slots[slot] = [element];
    else list.push(element);
  };
}

function packedReader(read: ReadInto): ReadInto {
  return (reader, slots, depth) => {
    const outer = enterMessage(reader);
    while (reader.pos < reader.len) read(reader, slots, depth);
    reader.len = outer;
  };
}

function mapReader(item: ItemDecoder, slot: number, type: string): ReadInto {
  const entry = [STRING, item];
  return (reader, slots, depth) => {
    const [key = '', value] = readNestedTuple(reader, type, entry, depth);
    // Without a prototype `__proto__` is a key like any other.
    const map = (slots[slot] ??= Object.create(null)) as Record<string, unknown>;
    map[key as string] = value === undefined ? item.zero() : value;
  };
}
