/** Writers of fields: objects to the reference server's bytes (README.md#protobuf). */
import { sortedKeys } from './json-encode.ts';
import { tagOf } from './protobuf-item.ts';
import type { ItemCodec, Writer } from './protobuf-item.ts';
import { STRING } from './protobuf-leaf.ts';
import type { FieldSchema } from './schema-model.ts';

/** Writes what the message `object` has of one field, tag included. */
export type WriteField = (object: Record<string, unknown>, writer: Writer) => void;

const KEY_TAG = tagOf(1, 2);

/** The writer of a field whose values are `item`s. */
export function fieldWriter(field: FieldSchema, item: ItemCodec): WriteField {
  const tag = tagOf(field.number, field.container === 'map' ? 2 : item.wireType);
  if (field.container === 'list') return listWriter(field.name, tag, item);
  if (field.container === 'map') return mapWriter(field.name, tag, item);
  // The reference tells absent bytes from empty ones, always.
  const tracked = field.presence === true || field.type === 'bytes';
  return tracked ? trackedWriter(field.name, tag, item) : singleWriter(field.name, tag, item);
}

/** The fields of an inline message: members of `object`, but one message in bytes. */
export function inlineWriter(field: FieldSchema, inner: () => readonly WriteField[]): WriteField {
  const tag = tagOf(field.number, 2);
  return (object, writer) => {
    writer.uint32(tag).fork();
    for (const write of inner()) write(object, writer);
    writer.ldelim();
  };
}

/** Zero is written too. */
function singleWriter(name: string, tag: number, item: ItemCodec): WriteField {
  return (object, writer) => {
    writer.uint32(tag);
    item.write(object[name], writer);
  };
}

function trackedWriter(name: string, tag: number, item: ItemCodec): WriteField {
  return (object, writer) => {
    const value = object[name];
    if (value === undefined || value === null) return;
    writer.uint32(tag);
    item.write(value, writer);
  };
}

function listWriter(name: string, tag: number, item: ItemCodec): WriteField {
  return (object, writer) => {
    const items = object[name] as readonly unknown[] | null | undefined;
    if (items === undefined || items === null) return;
    for (const element of items) {
      writer.uint32(tag);
      item.write(element, writer);
    }
  };
}

function mapWriter(name: string, tag: number, item: ItemCodec): WriteField {
  const valueTag = tagOf(2, item.wireType);
  return (object, writer) => {
    const map = object[name] as Record<string, unknown> | null | undefined;
    if (map === undefined || map === null) return;
    for (const key of sortedKeys(map)) {
      writer.uint32(tag).fork().uint32(KEY_TAG);
      STRING.write(key, writer);
      writer.uint32(valueTag);
      item.write(map[key], writer);
      writer.ldelim();
    }
  };
}
