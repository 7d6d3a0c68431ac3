/**
 * Members that have one value or another in JSON and are messages in protobuf
 * (../README.md#protobuf): parts of the schema of custom resources, and lists of strings as map
 * values. Text that is none of those values is an empty message.
 */
import { quoteGo } from '../json/go-json.ts';
import { enterMessage, readTuple, tagOf } from './protobuf-item.ts';
import type { ItemDecoder, ItemReader } from './protobuf-item.ts';
import { BOOL, NULL_JSON, STRING } from './protobuf-leaf.ts';
import { RawJson } from '../json/raw-json.ts';
import { SCHEMA_VARIANTS, STRING_LIST_MAPS } from '../model/schema-model.ts';
import { listWriter } from './transcode-containers.ts';
import type { ItemTranscoder, WriteValue } from './transcode-containers.ts';
import { leafTranscoder } from './transcode-leaf.ts';
import { writeMessage } from './transcode-members.ts';
import type { MessageValue } from './transcode-members.ts';
import { OPEN_BRACE, OPEN_BRACKET } from './transcoding.ts';
import type { Transcoding } from './transcoding.ts';

/** A message with the fields 1, 2, …, one for each of `items`. */
interface Variant {
  readonly items: readonly ItemReader[];
  /** Reads the value, which is not null, and writes the fields that it has. */
  readonly write: WriteValue;
  /** The bytes that stand for null. */
  readonly zero: Buffer;
  /** The value of decoded fields, which are undefined where absent. */
  valueOf(fields: readonly unknown[]): unknown;
}

/** The codecs of the message of a schema, which the variants need. */
export interface SchemaCodecs {
  decoder(): ItemDecoder;
  /** The message as it is written. */
  message(): MessageValue;
}

const SCHEMA_OR = { list: schemaOrList, bool: schemaOrBool, strings: schemaOrStrings };

/** By message and member. */
const VARIANTS: Readonly<Record<string, (schema: SchemaItem) => Variant>> = {
  ...Object.fromEntries(
    Array.from(SCHEMA_VARIANTS, ([name, variant]) => [name, SCHEMA_OR[variant]]),
  ),
  ...Object.fromEntries([...STRING_LIST_MAPS].map((name) => [name, strings])),
};

/** Both ways of such members; undefined for every other member. */
export class VariantCodecs {
  readonly #schema: SchemaItem;

  constructor(codecs: SchemaCodecs) {
    this.#schema = schemaItem(codecs);
  }

  decoder(messageName: string, fieldName: string): ItemDecoder | undefined {
    const variant = this.#find(messageName, fieldName);
    return variant && variantDecoder(fieldName, variant);
  }

  transcoder(messageName: string, fieldName: string): ItemTranscoder | undefined {
    const variant = this.#find(messageName, fieldName);
    return variant && variantTranscoder(variant);
  }

  #find(messageName: string, fieldName: string): Variant | undefined {
    return VARIANTS[`${messageName}.${fieldName}`]?.(this.#schema);
  }
}

function variantDecoder(name: string, variant: Variant): ItemDecoder {
  return {
    wireType: 2,
    read: (reader, depth) => {
      const outer = enterMessage(reader);
      const value = variant.valueOf(readTuple(reader, name, variant.items, depth));
      reader.len = outer;
      return value;
    },
    zero: () => NULL_JSON,
  };
}

/** Writes a variant with few calls on the stack, since schemas nest. */
function variantTranscoder({ write, zero }: Variant): ItemTranscoder {
  let lengthBytes = 1;
  return {
    wireType: 2,
    isLeaf: false,
    write: (target) => {
      const start = target.end;
      target.trace?.open(start);
      const reserved = target.reserve(lengthBytes);
      target.room(0);
      write(target);
      const taken = target.closeReserved(start, reserved);
      if (!target.isDeep) lengthBytes = taken;
      target.trace?.close(target.end - start - taken);
    },
    zero: () => Buffer.concat([Buffer.of(zero.length), zero]),
  };
}

/** A schema where something else may stand too. */
interface SchemaItem extends ItemReader {
  message(): MessageValue;
  /** As items of a list. */
  readonly write: WriteValue;
}

function schemaItem(codecs: SchemaCodecs): SchemaItem {
  let decoder: ItemDecoder | undefined;
  let compiled: MessageValue | undefined;
  const message = (): MessageValue => (compiled ??= codecs.message());
  return {
    wireType: 2,
    read: (reader, depth) => {
      decoder ??= codecs.decoder();
      return decoder.read(reader, depth);
    },
    message,
    write: listWriter(tagOf(2, 2), {
      wireType: 2,
      isLeaf: false,
      write: (target) => writeMessage(target, message()),
      zero: () => {
        const { absent } = message().plan();
        return Buffer.concat([Buffer.of(absent.length), absent]);
      },
    }),
  };
}

const NOTHING = Buffer.alloc(0);

function isNext({ source, at }: Transcoding, byte: number): boolean {
  return source[at] === byte;
}

/** {allows 1, schema 2} */
function schemaOrBool(schema: SchemaItem): Variant {
  const bool = leafTranscoder('bool');
  return {
    items: [BOOL, schema],
    write: (target) => {
      target.varint(tagOf(1, 0));
      if (!isNext(target, OPEN_BRACE)) return bool.write(target);
      target.varint(1);
      target.varint(tagOf(2, 2));
      writeMessage(target, schema.message());
    },
    zero: Buffer.of(tagOf(1, 0), 0),
    valueOf: ([allows = false, one]) => one ?? allows,
  };
}

/** {schema 1, jSONSchemas 2} */
function schemaOrList(schema: SchemaItem): Variant {
  return {
    items: [schema, listOf(schema)],
    write: (target) => {
      if (isNext(target, OPEN_BRACE)) {
        target.varint(tagOf(1, 2));
        writeMessage(target, schema.message());
      } else if (isNext(target, OPEN_BRACKET)) schema.write(target);
      else target.skipValue();
    },
    zero: NOTHING,
    valueOf: ([one, list]) => list ?? one ?? NULL_JSON,
  };
}

const writeStrings = (number: number): WriteValue => {
  const { wireType, write, zero } = leafTranscoder('string');
  return listWriter(tagOf(number, wireType), { wireType, write, isLeaf: true, zero: () => zero });
};

/** {schema 1, property 2} */
function schemaOrStrings(schema: SchemaItem): Variant {
  const write = writeStrings(2);
  return {
    items: [schema, listOf(STRING)],
    write: (target) => {
      if (isNext(target, OPEN_BRACE)) {
        target.varint(tagOf(1, 2));
        writeMessage(target, schema.message());
      } else if (isNext(target, OPEN_BRACKET)) write(target);
      else target.skipValue();
    },
    zero: NOTHING,
    valueOf: ([one, list]) => list ?? one ?? NULL_JSON,
  };
}

/** {items 1} */
function strings(): Variant {
  const write = writeStrings(1);
  return {
    items: [listOf(STRING)],
    write: (target) => {
      if (isNext(target, OPEN_BRACKET)) write(target);
      else target.skipValue();
    },
    zero: NOTHING,
    valueOf: ([list = []]) => new RawJson(`[${(list as string[]).map(quoteGo).join(',')}]`),
  };
}

/** All items into one list. */
function listOf(item: ItemReader): ItemReader {
  return {
    wireType: item.wireType,
    read: (reader, depth, before) => {
      const list = (before ?? []) as unknown[];
      list.push(item.read(reader, depth));
      return list;
    },
  };
}
