/** Objects to the reference server's JSON text (../README.md#json). */
import { compareAsUtf8 } from '../../base/text/compare-texts.ts';
import { quoteGo } from './go-json.ts';
import { RawJson } from './raw-json.ts';
import { SCHEMA_MESSAGE, SCHEMA_VARIANTS } from '../model/schema-model.ts';
import type { FieldSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';

/** The JSON text of a value that is there, '' to leave the member out. */
type EncodeValue = (value: unknown) => string;

interface FieldEncoder {
  readonly name: string;
  /** `"name":`, after another member and as the first one. */
  readonly next: string;
  readonly first: string;
  readonly encode: EncodeValue;
  /** For members that are written even when absent. */
  readonly absent: (() => string) | undefined;
}

/** The members of a message: `"a":1,"b":2}`, without the opening brace. */
export type EncodeMembers = (object: object) => string;

/** The text of an empty list that is always written. */
export type EmptyList = '[]' | 'null';

/** Compiles message encoders, each once, on first use. */
export class EncoderCompiler {
  readonly #model: SchemaModel;
  readonly #encoders = new Map<string, EncodeMembers>();

  readonly #emptyList: EmptyList;

  constructor(model: SchemaModel, emptyList: EmptyList) {
    this.#model = model;
    this.#emptyList = emptyList;
  }

  message(name: string): EncodeMembers {
    const known = this.#encoders.get(name);
    if (known !== undefined) return known;
    const message = messageNamed(this.#model, name);
    let fields: FieldEncoder[] | undefined;
    const encode: EncodeMembers = (object) => {
      fields ??= jsonFields(this.#model, message).map((field) => this.#field(field, name));
      return encodeMembers(fields, object as Record<string, unknown>);
    };
    this.#encoders.set(name, encode);
    return encode;
  }

  #field(field: FieldSchema, messageName: string): FieldEncoder {
    const next = `,${JSON.stringify(field.name)}:`;
    const always = field.always === true;
    const absentText = always ? this.#absentText(field) : undefined;
    const keepZero = always || field.presence === true;
    const isVariant = SCHEMA_VARIANTS.has(`${messageName}.${field.name}`);
    return {
      name: field.name,
      next,
      first: next.slice(1),
      encode: isVariant ? this.#schemaVariant(field) : this.#encode(field, keepZero),
      absent: absentText,
    };
  }

  #encode(field: FieldSchema, keepZero: boolean): EncodeValue {
    if (field.container === 'list') {
      const item = this.#item(field.type, embeddedType(field));
      return listEncoder(item, field.always === true ? this.#emptyList : '');
    }
    if (field.container === 'map') return mapEncoder(this.#item(field.type), field.always === true);
    const item = this.#item(field.type);
    if (keepZero || isMessageType(field.type)) return item;
    // Absent bytes are `null` where they are always written, but empty ones are not.
    const zero = field.type === 'bytes' ? '""' : ZERO_TEXT_OF[field.type];
    return (value) => {
      const text = item(value);
      return text === zero ? '' : text;
    };
  }

  /** A schema, a list of them or of strings, a boolean, or text that was kept. */
  #schemaVariant({ container }: FieldSchema): EncodeValue {
    const schema = this.#item(SCHEMA_MESSAGE);
    const item: EncodeValue = (value) => {
      if (value instanceof RawJson) return value.text;
      if (Array.isArray(value)) return `[${value.map(item).join(',')}]`;
      if (typeof value === 'string') return quoteGo(value);
      return typeof value === 'boolean' ? String(value) : schema(value);
    };
    return container === 'map' ? mapEncoder(item, false) : item;
  }

  /** `start` comes before the members of a message. */
  #item(type: string, start = ''): EncodeValue {
    if (!isMessageType(type)) return encodeLeaf(type);
    let encode: EncodeMembers | undefined;
    return (value) => {
      encode ??= this.message(type);
      return `{${start}${encode(value as object)}`;
    };
  }

  /** The text of an absent member that is always written. */
  #absentText(field: FieldSchema): () => string {
    if (field.presence === true || field.container !== 'single') return () => 'null';
    if (!isMessageType(field.type)) {
      const text = ZERO_TEXT_OF[field.type] ?? 'null';
      return () => text;
    }
    let text: string | undefined;
    return () => (text ??= `{${this.message(field.type)({})}`);
  }
}

/** The kind and version that stand in each item of a list of whole objects. */
function embeddedType({ embeddedKind }: FieldSchema): string {
  if (embeddedKind === undefined) return '';
  const slash = embeddedKind.lastIndexOf('/');
  const kind = JSON.stringify(embeddedKind.slice(slash + 1));
  return `"kind":${kind},"apiVersion":${JSON.stringify(embeddedKind.slice(0, slash))},`;
}

/** Types without an entry are `null` when zero. */
const ZERO_TEXT_OF: Readonly<Record<string, string>> = {
  string: '""',
  bytes: 'null',
  bool: 'false',
  int32: '0',
  int64: '0',
  double: '0',
  IntOrString: '0',
  Quantity: '"0"',
  Duration: '"0s"',
};

function encodeMembers(fields: readonly FieldEncoder[], object: Record<string, unknown>): string {
  let out = '';
  for (const field of fields) {
    const value = object[field.name];
    let text: string;
    if (value !== undefined && value !== null) text = field.encode(value);
    else if (field.absent !== undefined) text = field.absent();
    else continue;
    if (text !== '') out += (out === '' ? field.first : field.next) + text;
  }
  return `${out}}`;
}

function encodeLeaf(type: string): EncodeValue {
  switch (type) {
    case 'string':
      return (value) => quoteGo(value as string);
    case 'bool':
    case 'int32':
    case 'int64':
    case 'double':
      return String;
    case 'Time':
    case 'MicroTime':
      return (value) => (value === '' ? 'null' : `"${value as string}"`);
    case 'bytes':
    case 'Duration':
    case 'Quantity':
      // Canonical text has nothing to escape.
      return (value) => `"${value as string}"`;
    case 'IntOrString':
      return (value) => (typeof value === 'string' ? quoteGo(value) : String(value));
    case 'RawExtension':
    case 'FieldsV1':
      return (value) => (value as RawJson).text;
    default:
      throw new Error(`leaf type ${type} is not known`);
  }
}

function listEncoder(item: EncodeValue, whenEmpty: EmptyList | ''): EncodeValue {
  return (value) => {
    if (value instanceof RawJson) return value.text;
    const items = value as readonly unknown[];
    if (items.length === 0) return whenEmpty;
    let out = '';
    for (const element of items) out += (out === '' ? '[' : ',') + item(element);
    return `${out}]`;
  };
}

function mapEncoder(item: EncodeValue, keepEmpty: boolean): EncodeValue {
  return (value) => {
    const map = value as Record<string, unknown>;
    const keys = sortedKeys(map);
    if (keys.length === 0) return keepEmpty ? '{}' : '';
    let out = '';
    for (const key of keys) {
      out += `${out === '' ? '{' : ','}${quoteGo(key)}:${item(map[key])}`;
    }
    return `${out}}`;
  };
}

const BEYOND_BMP_ORDER = /[\ud800-\uffff]/;

/** The keys in the order of their UTF-8 bytes. */
export function sortedKeys(map: Record<string, unknown>): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) >= (keys[index] as string)) {
      keys.sort();
      break;
    }
  }
  // Only for such characters the order of UTF-16 units differs from that of bytes.
  return keys.some((key) => BEYOND_BMP_ORDER.test(key)) ? keys.sort(compareAsUtf8) : keys;
}
