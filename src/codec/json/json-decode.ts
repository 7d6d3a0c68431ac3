/** Parsed JSON to objects in the shapes that `json-codec.ts` documents. */
import { setMember } from '../../base/set-member.ts';
import { decodeLeaf, fieldPath, mismatch } from './json-decode-leaf.ts';
import { DecodeError, goTypeName, valueKind } from './go-errors.ts';
import { wellFormed } from './go-json.ts';
import { RawJson } from './raw-json.ts';
import type { DecodeContext, DecodeValue, Site } from './json-decode-leaf.ts';
import { SCHEMA_MESSAGE, SCHEMA_VARIANTS, STRING_LIST_MAPS } from '../model/schema-model.ts';
import type { FieldSchema, Members, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';

export interface MessageDecoder {
  /** `source` is an object of the parsed document. Throws `DecodeError`. */
  decode(source: Members, context: DecodeContext): Members;
  /** The value of an absent message that is always there. */
  empty(): Members;
}

interface FieldDecoder {
  readonly name: string;
  /** Returns undefined for absent; zero is absent too unless presence is tracked. */
  readonly decode: DecodeValue;
  /** For messages that are there even when the document has null there, or nothing. */
  readonly empty: (() => Members) | undefined;
  /** A member that is not mentioned stays absent, even where it is always written. */
  readonly mustBeSent: boolean;
}

const NOTHING: Members = {};

/** Compiles message decoders, each once, on first use. */
export class DecoderCompiler {
  readonly #model: SchemaModel;
  readonly #decoders = new Map<string, MessageDecoder>();

  constructor(model: SchemaModel) {
    this.#model = model;
  }

  message(name: string): MessageDecoder {
    const known = this.#decoders.get(name);
    if (known !== undefined) return known;
    const decoder = this.#compile(name);
    this.#decoders.set(name, decoder);
    return decoder;
  }

  #compile(messageName: string): MessageDecoder {
    const message = messageNamed(this.#model, messageName);
    let fields: FieldDecoder[] | undefined;
    let embedded: FieldDecoder[] = [];
    const compiled = (): FieldDecoder[] => {
      if (fields === undefined) {
        fields = jsonFields(this.#model, message).map((field) => this.#field(field, messageName));
        embedded = fields.filter((field) => field.empty !== undefined && !field.mustBeSent);
      }
      return fields;
    };
    return {
      decode: (source, context) => decodeMembers(compiled(), source, context),
      empty: () => {
        compiled();
        return embedded.length === 0 ? {} : decodeMembers(embedded, NOTHING, NO_CONTEXT);
      },
    };
  }

  #field(field: FieldSchema, messageName: string): FieldDecoder {
    // Document members are looked up by name on objects that have a prototype.
    if (field.name in NOTHING) throw new Error(`${messageName}.${field.name}: name is reserved`);
    const struct = goTypeName(messageName).replace(/^.*\./, '');
    const site = { struct, name: field.name };
    const mustBeSent = field.mustBeSent === true;
    const keepZero = field.presence === true || mustBeSent;
    const isStringLists = STRING_LIST_MAPS.has(`${messageName}.${field.name}`);
    const variant = SCHEMA_VARIANTS.get(`${messageName}.${field.name}`);
    const decodeItem =
      variant === undefined
        ? this.#item(field, site, keepZero)
        : schemaVariantDecoder(variant, () => this.message(SCHEMA_MESSAGE), site);
    const item = isStringLists ? stringListDecoder(site) : decodeItem;
    if (field.container === 'list') {
      const type = `[]${goType(field.type)}`;
      const keepEmpty = keepZero || field.always === true;
      const decode = listDecoder(item, this.#zero(field.type), site, type, keepEmpty);
      return { name: field.name, decode, empty: undefined, mustBeSent };
    }
    if (field.container === 'map') {
      const valueType = isStringLists ? STRING_LIST : goType(field.type);
      const type = field.type === 'Quantity' ? 'v1.ResourceList' : `map[string]${valueType}`;
      // The reference tells an empty map of dependencies from none.
      const keepEmpty = keepZero || field.always === true || variant === 'strings';
      const decode = mapDecoder(item, this.#zero(field.type), site, type, keepEmpty);
      return { name: field.name, decode, empty: undefined, mustBeSent };
    }
    const isEmbedded = isMessageType(field.type) && field.presence !== true;
    const empty = isEmbedded ? () => this.message(field.type).empty() : undefined;
    return { name: field.name, decode: item, empty, mustBeSent };
  }

  /** Decodes one value; in lists and maps zero is a value like any other. */
  #item(field: FieldSchema, site: Site, keepZero: boolean): DecodeValue {
    const keep = keepZero || field.container !== 'single';
    if (!isMessageType(field.type)) return decodeLeaf(field.type, site, keep);
    let decoder: MessageDecoder | undefined;
    const type = goType(field.type);
    return (value, context) => {
      decoder ??= this.message(field.type);
      if (typeof value !== 'object' || value === null || isNotPlain(value)) {
        throw mismatch(value, site, type, context);
      }
      context.path.push(site.name);
      const decoded = decoder.decode(value as Members, context);
      context.path.pop();
      return decoded;
    };
  }

  /** The value that null stands for in a list or a map. */
  #zero(type: string): () => unknown {
    if (isMessageType(type)) return () => this.message(type).empty();
    const zero = ZERO_OF[type];
    return () => zero;
  }
}

/** Leaf types without an entry keep their default: the empty string. */
export const ZERO_OF: Readonly<Record<string, unknown>> = {
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  IntOrString: 0,
  string: '',
  bytes: '',
  Quantity: '0',
  Duration: '0s',
  Time: '',
  MicroTime: '',
  RawExtension: new RawJson('null'),
  FieldsV1: new RawJson('null'),
};

const NO_CONTEXT: DecodeContext = {
  path: [],
  outerField: undefined,
  exact: false,
  rawPending: false,
  membersRead: 0,
};

function decodeMembers(
  fields: readonly FieldDecoder[],
  source: Members,
  context: DecodeContext,
): Members {
  const target: Members = {};
  for (const field of fields) {
    const value = source[field.name];
    if (value !== undefined) context.membersRead += 1;
    if (value === undefined || value === null) {
      const { empty } = field;
      const isThere = empty !== undefined && (value === null || !field.mustBeSent);
      if (isThere) target[field.name] = empty();
    } else {
      const decoded = field.decode(value, context);
      if (decoded !== undefined) target[field.name] = decoded;
    }
  }
  return target;
}

function listDecoder(
  item: DecodeValue,
  zero: () => unknown,
  site: Site,
  type: string,
  keepEmpty: boolean,
): DecodeValue {
  return (value, context) => {
    if (!Array.isArray(value)) throw mismatch(value, site, type, context);
    if (value.length === 0 && !keepEmpty) return undefined;
    const items: unknown[] = [];
    for (const element of value as unknown[]) {
      items.push(element === null ? zero() : (item(element, context) ?? zero()));
    }
    return items;
  };
}

/**
 * Decodes a schema or another value in its place. The reference has a reader of its own for these
 * members, which passes over values of other types; errors below name the outermost of them.
 */
function schemaVariantDecoder(
  variant: 'list' | 'bool' | 'strings',
  message: () => MessageDecoder,
  site: Site,
): DecodeValue {
  const decodeSchema = (value: unknown, context: DecodeContext): Members => {
    if (value === null) return message().empty();
    if (typeof value !== 'object' || isNotPlain(value)) {
      throw mismatch(value, site, 'v1.JSONSchemaProps', context);
    }
    return message().decode(value as Members, context);
  };
  const decodeListed = variant === 'strings' ? decodeString(site) : decodeSchema;
  return (value, context) => {
    if (variant === 'bool' && typeof value === 'boolean') return value;
    const { outerField } = context;
    context.outerField ??= fieldPath(site, context);
    try {
      if (Array.isArray(value) && variant !== 'bool') {
        const items = value.map((item: unknown) => decodeListed(item, context));
        return items.length === 0 ? undefined : items;
      }
      if (typeof value === 'object' && value !== null && !isNotPlain(value)) {
        return decodeSchema(value, context);
      }
    } finally {
      context.outerField = outerField;
    }
    if (variant === 'bool') throw new DecodeError('boolean or JSON schema expected');
    return undefined;
  };
}

function decodeString(site: Site): (value: unknown, context: DecodeContext) => unknown {
  const decode = decodeLeaf('string', site, true);
  return (value, context) => (value === null ? '' : decode(value, context));
}

/** Keeps a list of strings, in which null is an empty one, and refuses all else. */
function stringListDecoder(site: Site): DecodeValue {
  return (value, context) => {
    if (!Array.isArray(value)) throw mismatch(value, site, STRING_LIST, context);
    const texts = (value as unknown[]).map((element) => {
      if (element === null) return '';
      if (typeof element === 'string') return element;
      throw mismatch(element, site, 'string', context);
    });
    return RawJson.ofValue(texts);
  };
}

function mapDecoder(
  item: DecodeValue,
  zero: () => unknown,
  site: Site,
  type: string,
  keepEmpty: boolean,
): DecodeValue {
  return (value, context) => {
    if (typeof value !== 'object' || value === null || isNotPlain(value)) {
      throw mismatch(value, site, type, context);
    }
    // Without a prototype `__proto__` is a key like any other.
    const map = Object.create(null) as Members;
    let isEmpty = true;
    for (const key of Object.keys(value)) {
      const element = (value as Members)[key];
      context.membersRead += 1;
      setMember(
        map,
        wellFormed(key),
        element === null ? zero() : (item(element, context) ?? zero()),
      );
      isEmpty = false;
    }
    return isEmpty && !keepEmpty ? undefined : map;
  };
}

function isNotPlain(value: object): boolean {
  return Array.isArray(value) || valueKind(value) !== 'object';
}

function goType(type: string): string {
  if (isMessageType(type)) return goTypeName(type);
  return GO_LEAF_TYPES[type] ?? type;
}

/** The type of the values of `STRING_LIST_MAPS`. */
const STRING_LIST = 'v1.ExtraValue';
const GO_LEAF_TYPES: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  double: 'float64',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Duration: 'v1.Duration',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  RawExtension: 'runtime.RawExtension',
  FieldsV1: 'v1.FieldsV1',
};
