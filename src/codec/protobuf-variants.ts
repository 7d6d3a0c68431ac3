/**
 * Members that the model keeps as JSON text because JSON has one value or another for them, and
 * that are messages in protobuf (README.md#protobuf): parts of the schema of custom resources, and
 * lists of strings as map values. Text that is none of those values is an empty message.
 */
import { DecodeError } from './go-errors.ts';
import { quoteGo } from './go-json.ts';
import type { JsonCodec } from './json-codec.ts';
import { JsonCursor } from './json-cursor.ts';
import { enterMessage, readTuple, tagOf } from './protobuf-item.ts';
import type { ItemCodec, ItemReader, Writer } from './protobuf-item.ts';
import { BOOL, NULL_JSON, STRING } from './protobuf-leaf.ts';
import { RawJson } from './raw-json.ts';
import { STRING_LIST_MAPS } from './schema-model.ts';

const SCHEMA_MESSAGE = 'apiextensions.v1.JSONSchemaProps';
/** What is written is parsed once more at each level; deeper ones would make that slow. */
const SCHEMA_TEXT_DEPTH_MAX = 32;

/** A message with the fields 1, 2, …, one for each of `items`. */
interface Variant {
  readonly items: readonly ItemReader[];
  write(text: string, writer: Writer): void;
  /** The JSON text of the fields, undefined where absent. */
  textOf(fields: readonly unknown[]): string;
}

/** What the variants need of the codecs of messages. */
export interface MessageCodecs {
  json(messageName: string): JsonCodec;
  item(messageName: string): ItemCodec;
}

/** By message and member. */
const VARIANTS: Readonly<Record<string, (schema: ItemCodec) => Variant>> = {
  [`${SCHEMA_MESSAGE}.items`]: schemaOrList,
  [`${SCHEMA_MESSAGE}.additionalItems`]: schemaOrBool,
  [`${SCHEMA_MESSAGE}.additionalProperties`]: schemaOrBool,
  [`${SCHEMA_MESSAGE}.dependencies`]: schemaOrStrings,
  ...Object.fromEntries([...STRING_LIST_MAPS].map((name) => [name, strings])),
};

/** The codecs of the items of such members. */
export class VariantCodecs {
  readonly #schema: ItemCodec;

  constructor(codecs: MessageCodecs) {
    this.#schema = schemaText(codecs);
  }

  /** undefined for every other member. */
  find(messageName: string, fieldName: string): ItemCodec | undefined {
    const variant = VARIANTS[`${messageName}.${fieldName}`];
    return variant && variantItem(fieldName, variant(this.#schema));
  }
}

function variantItem(name: string, variant: Variant): ItemCodec {
  return {
    wireType: 2,
    write: (value, writer) => {
      writer.fork();
      variant.write(value instanceof RawJson ? value.text : 'null', writer);
      writer.ldelim();
    },
    read: (reader, depth) => {
      const outer = enterMessage(reader);
      const text = variant.textOf(readTuple(reader, name, variant.items, depth));
      reader.len = outer;
      return text === 'null' ? NULL_JSON : new RawJson(text);
    },
    zero: () => NULL_JSON,
  };
}

/** JSON text of a schema, and its message. What is no schema is written as an empty one. */
function schemaText(codecs: MessageCodecs): ItemCodec {
  let compiledJson: JsonCodec | undefined;
  let compiledItem: ItemCodec | undefined;
  const json = (): JsonCodec => (compiledJson ??= codecs.json(SCHEMA_MESSAGE));
  const item = (): ItemCodec => (compiledItem ??= codecs.item(SCHEMA_MESSAGE));
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
    write: (value, writer) =>
      oneDeeper(() => item().write(schemaOf(json(), value as string), writer)),
    read: (reader, depth) =>
      oneDeeper(() => `{${json().encode(item().read(reader, depth) as object)}`),
    zero: () => '{}',
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
function schemaOrBool(schema: ItemCodec): Variant {
  return {
    items: [BOOL, schema],
    write: (text, writer) => {
      const isSchema = text.startsWith('{');
      writer.uint32(tagOf(1, 0)).bool(isSchema || text === 'true');
      if (isSchema) writeField(2, schema, text, writer);
    },
    textOf: ([allows = false, text]) => (text ?? String(allows)) as string,
  };
}

/** {schema 1, jSONSchemas 2} */
function schemaOrList(schema: ItemCodec): Variant {
  return {
    items: [schema, listOf(schema)],
    write: (text, writer) => {
      if (text.startsWith('{')) writeField(1, schema, text, writer);
      for (const element of elementsOf(text)) writeField(2, schema, element, writer);
    },
    textOf: ([text, list]) =>
      list === undefined ? ((text ?? 'null') as string) : `[${(list as string[]).join(',')}]`,
  };
}

/** {schema 1, property 2} */
function schemaOrStrings(schema: ItemCodec): Variant {
  return {
    items: [schema, listOf(STRING)],
    write: (text, writer) => {
      if (text.startsWith('{')) writeField(1, schema, text, writer);
      for (const element of stringsOf(text)) writeField(2, STRING, element, writer);
    },
    textOf: ([text, list]) =>
      list === undefined ? ((text ?? 'null') as string) : stringsText(list as string[]),
  };
}

/** {items 1} */
function strings(): Variant {
  return {
    items: [listOf(STRING)],
    write: (text, writer) => {
      for (const element of stringsOf(text)) writeField(1, STRING, element, writer);
    },
    textOf: ([list = []]) => stringsText(list as string[]),
  };
}

function writeField(number: number, item: ItemCodec, value: unknown, writer: Writer): void {
  writer.uint32(tagOf(number, item.wireType));
  item.write(value, writer);
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
    return typeof value === 'string' ? value : '';
  });
}

function stringsText(list: readonly string[]): string {
  return `[${list.map(quoteGo).join(',')}]`;
}
