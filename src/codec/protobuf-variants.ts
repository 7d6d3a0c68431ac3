/**
 * Members that have one value or another in JSON and are messages in protobuf (README.md#protobuf):
 * parts of the schema of custom resources, and lists of strings as map values. Text that is none of
 * those values is an empty message.
 */
import { DecodeError } from './go-errors.ts';
import { quoteGo, wellFormed } from './go-json.ts';
import type { JsonCodec } from './json-codec.ts';
import { JsonCursor } from './json-cursor.ts';
import { enterMessage, newWriter, readTuple, tagOf } from './protobuf-item.ts';
import type { ItemDecoder, ItemReader, Writer } from './protobuf-item.ts';
import { BOOL, NULL_JSON, STRING } from './protobuf-leaf.ts';
import { RawJson } from './raw-json.ts';
import { SCHEMA_VARIANTS, STRING_LIST_MAPS } from './schema-model.ts';
import type { ItemTranscoder } from './transcode-containers.ts';

/** What is written is parsed once more at each level; deeper ones would make that slow. */
const SCHEMA_TEXT_DEPTH_MAX = 32;

/** A message with the fields 1, 2, …, one for each of `items`. */
interface Variant {
  readonly items: readonly ItemReader[];
  write(text: string, writer: Writer): void;
  /** What the fields, undefined where absent, are decoded to. */
  valueOf(fields: readonly unknown[]): unknown;
}

/** What the variants need of the message of a schema. */
export interface SchemaCodecs {
  json(): JsonCodec;
  decoder(): ItemDecoder;
  encode(schema: object): Uint8Array;
}

const SCHEMA_OR = { list: schemaOrList, bool: schemaOrBool, strings: schemaOrStrings };

/** By message and member. */
const VARIANTS: Readonly<Record<string, (schema: SchemaText) => Variant>> = {
  ...Object.fromEntries(
    Array.from(SCHEMA_VARIANTS, ([name, variant]) => [name, SCHEMA_OR[variant]]),
  ),
  ...Object.fromEntries([...STRING_LIST_MAPS].map((name) => [name, strings])),
};

/** Both ways of such members; undefined for every other member. */
export class VariantCodecs {
  readonly #schema: SchemaText;

  constructor(codecs: SchemaCodecs) {
    this.#schema = schemaText(codecs);
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

function variantTranscoder(variant: Variant): ItemTranscoder {
  const bytesOf = (text: string): Buffer => {
    const writer = newWriter().fork();
    variant.write(text, writer);
    return Buffer.from(writer.ldelim().finish());
  };
  return {
    wireType: 2,
    isLeaf: false,
    write: (target) => {
      const { at } = target;
      target.skipValue();
      const bytes = bytesOf(target.source.toString('utf8', at, target.at));
      target.room(bytes.length);
      target.bytes(bytes, 0, bytes.length);
    },
    zero: () => bytesOf('null'),
  };
}

/** A schema in its JSON text. */
interface SchemaText extends ItemReader {
  /** The bytes of the message; what is no schema is an empty one. */
  bytesOf(text: string): Uint8Array;
}

function schemaText(codecs: SchemaCodecs): SchemaText {
  let decoder: ItemDecoder | undefined;
  let textDepth = 0;
  const oneDeeper = <T>(run: () => T): T => {
    if (textDepth >= SCHEMA_TEXT_DEPTH_MAX) throw new DecodeError('proto: exceeded max depth');
    textDepth += 1;
    try {
      return run();
    } finally {
      textDepth -= 1;
    }
  };
  return {
    wireType: 2,
    bytesOf: (text) => oneDeeper(() => codecs.encode(schemaOf(codecs.json(), text))),
    read: (reader, depth) => {
      decoder ??= codecs.decoder();
      return decoder.read(reader, depth);
    },
  };
}

function schemaOf(json: JsonCodec, text: string): object {
  try {
    return json.decode(text).object;
  } catch (error) {
    if (error instanceof DecodeError) return {};
    throw error;
  }
}

/** {allows 1, schema 2} */
function schemaOrBool(schema: SchemaText): Variant {
  return {
    items: [BOOL, schema],
    write: (text, writer) => {
      const isSchema = text.startsWith('{');
      writer.uint32(tagOf(1, 0)).bool(isSchema || text === 'true');
      if (isSchema) writeField(2, schema.bytesOf(text), writer);
    },
    valueOf: ([allows = false, one]) => one ?? allows,
  };
}

/** {schema 1, jSONSchemas 2} */
function schemaOrList(schema: SchemaText): Variant {
  return {
    items: [schema, listOf(schema)],
    write: (text, writer) => {
      if (text.startsWith('{')) writeField(1, schema.bytesOf(text), writer);
      for (const element of elementsOf(text)) writeField(2, schema.bytesOf(element), writer);
    },
    valueOf: ([one, list]) => list ?? one ?? NULL_JSON,
  };
}

/** {schema 1, property 2} */
function schemaOrStrings(schema: SchemaText): Variant {
  return {
    items: [schema, listOf(STRING)],
    write: (text, writer) => {
      if (text.startsWith('{')) writeField(1, schema.bytesOf(text), writer);
      for (const element of stringsOf(text)) writer.uint32(tagOf(2, 2)).string(element);
    },
    valueOf: ([one, list]) => list ?? one ?? NULL_JSON,
  };
}

/** {items 1} */
function strings(): Variant {
  return {
    items: [listOf(STRING)],
    write: (text, writer) => {
      for (const element of stringsOf(text)) writer.uint32(tagOf(1, 2)).string(element);
    },
    valueOf: ([list = []]) => new RawJson(`[${(list as string[]).map(quoteGo).join(',')}]`),
  };
}

function writeField(number: number, bytes: Uint8Array, writer: Writer): void {
  writer.uint32(tagOf(number, 2)).bytes(bytes);
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

/** The text of each element, none of what is no list. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  if (!text.startsWith('[')) return elements;
  const cursor = new JsonCursor(text);
  cursor.forEachItem(() => elements.push(cursor.takeValue()));
  return elements;
}

function stringsOf(text: string): string[] {
  return elementsOf(text).map((element) => {
    const value: unknown = JSON.parse(element);
    return typeof value === 'string' ? wellFormed(value) : '';
  });
}
