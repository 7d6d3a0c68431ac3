/** Objects as values and types of expressions, by their schema (README.md#values). */
import { deepEqual } from '../../base/deep-equal.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { ownRelease } from '../../release/release.ts';
import { StructuralSchema, type SchemaJson } from '../structural-schema.ts';
import { isFloat } from '../go-value.ts';
import { escapedName, unescapedName } from './escaped-names.ts';
import { parseSchemaDate, parseSchemaDuration, parseSchemaTime } from './schema-times.ts';
import { simple, type ObjectType, type Type } from './types.ts';
import {
  Bytes,
  Failure,
  ListValue,
  NO_OVERLOAD,
  type Equality,
  type ListRules,
  type MapValue,
  type Value,
} from './values.ts';

const TEXT: SchemaJson = { type: 'string' };

/**
 * Expressions cannot see values that nest deeper, so that walks over values do not fill the stack.
 */
export const DEPTH_MAX = 1000;

/** A node of a schema as expressions see it; `isResource` for the root of a whole object. */
export class ValueSchema {
  readonly schema: StructuralSchema;
  readonly #properties = new Map<string, ValueSchema | undefined>();
  readonly #isResource: boolean;
  readonly #depth: number;
  #items: ValueSchema | undefined;
  #additional: ValueSchema | undefined;
  #rules: ListRules | undefined;

  constructor(schema: StructuralSchema, isResource = schema.isEmbeddedResource, depth = 0) {
    this.#depth = depth;
    this.schema = isResource ? withObjectMembers(schema) : schema;
    this.#isResource = isResource;
  }

  get isStruct(): boolean {
    return this.#isResource || this.schema.hasProperties;
  }

  property(name: string): ValueSchema | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name);
    const schema = this.schema.property(name);
    const made = this.#below(schema);
    this.#properties.set(name, made);
    return made;
  }

  get items(): ValueSchema | undefined {
    return (this.#items ??= this.#below(this.schema.items));
  }

  get additional(): ValueSchema | undefined {
    return (this.#additional ??= this.#below(this.schema.additionalSchema));
  }

  #below(schema: StructuralSchema | undefined): ValueSchema | undefined {
    if (schema === undefined || this.#depth === DEPTH_MAX) return undefined;
    return new ValueSchema(schema, schema.isEmbeddedResource, this.#depth + 1);
  }

  get listRules(): ListRules {
    return (this.#rules ??= this.#makeRules());
  }

  #makeRules(): ListRules {
    const { listType, listMapKeys } = this.schema;
    if (listType === 'set') return { kind: 'set' };
    if (listType !== 'map') return { kind: 'atomic' };
    return {
      kind: 'map',
      keyOf: (item) =>
        JSON.stringify(
          listMapKeys.map((key) => (item instanceof SchemaMap ? keyText(item.json[key]) : '')),
        ),
    };
  }
}

function keyText(value: unknown): string {
  return `${typeof value} ${String(value)}`;
}

/** Whole objects have kind, version and names, whether their schema says so or not. */
function withObjectMembers(schema: StructuralSchema): StructuralSchema {
  const metadata = schema.property('metadata');
  const isText = (of: StructuralSchema | undefined, name: string): boolean =>
    of?.property(name)?.type === 'string';
  const says =
    isText(schema, 'kind') &&
    isText(schema, 'apiVersion') &&
    metadata?.type === 'object' &&
    isText(metadata, 'name') &&
    isText(metadata, 'generateName');
  if (says) return schema;
  const { properties } = schema.json;
  const own = { ...(properties as object | undefined), kind: TEXT, apiVersion: TEXT };
  const names = {
    name: nameSchema(metadata?.property('name'), NAME_LENGTH_MAX),
    generateName: nameSchema(metadata?.property('generateName'), NAME_LENGTH_MAX - 1),
  };
  const all = { ...own, metadata: { type: 'object', properties: names } };
  return new StructuralSchema({ ...schema.json, properties: all });
}

const NAME_LENGTH_MAX = 253;
const BOUNDS_NAMES = ownRelease().has('boundedNames');

function nameSchema(declared: StructuralSchema | undefined, most: number): SchemaJson {
  if (!BOUNDS_NAMES) return TEXT;
  const own = declared?.json['maxLength'];
  return { ...TEXT, maxLength: typeof own === 'number' ? Math.min(own, most) : most };
}

/** The type of the values of a schema; undefined for values that expressions do not see. */
export function declaredType(node: ValueSchema, name: string): Type | undefined {
  const { schema } = node;
  if (schema.isIntOrString) return simple('dyn');
  switch (schema.type) {
    case 'array': {
      const item = node.items && declaredType(node.items, `${name}.@idx`);
      return item && { kind: 'list', item };
    }
    case 'object': {
      if (node.additional === undefined || node.isStruct) return objectType(node, name);
      const value = declaredType(node.additional, `${name}.@elem`);
      return value && { kind: 'map', key: simple('string'), value };
    }
    case 'string':
      return textType(schema.json['format']);
    case 'boolean':
      return simple('bool');
    case 'number':
      return simple('double');
    case 'integer':
      return simple('int');
    default:
      return undefined;
  }
}

function textType(format: unknown): Type {
  if (format === 'byte') return simple('bytes');
  if (format === 'duration') return simple('duration');
  return simple(format === 'date' || format === 'date-time' ? 'timestamp' : 'string');
}

function objectType(node: ValueSchema, name: string): ObjectType {
  const fields = new Map<string, Type | undefined>();
  return {
    kind: 'object',
    name,
    field(escaped) {
      if (fields.has(escaped)) return fields.get(escaped);
      const plain = unescapedName(escaped);
      const property = plain === undefined ? undefined : node.property(plain);
      const isNamed = plain !== undefined && escapedName(plain) === escaped;
      const type = isNamed && property ? declaredType(property, `${name}.${escaped}`) : undefined;
      fields.set(escaped, type);
      return type;
    },
  };
}

/** Members that the schema does not describe: they can only be compared. */
class UnknownMembers implements MapValue {
  readonly size = 0;
  readonly keys: readonly Value[] = [];
  readonly json: unknown;

  constructor(json: unknown) {
    this.json = json;
  }

  find(): undefined {
    return undefined;
  }

  equals(other: MapValue): boolean {
    return other instanceof UnknownMembers && deepEqual(this.json, other.json);
  }
}

/** An object of the schema. Its members become values when they are asked for. */
class SchemaMap implements MapValue {
  readonly json: Readonly<Members>;
  readonly node: ValueSchema;
  readonly #found = new Map<string, Value>();

  constructor(json: Readonly<Members>, node: ValueSchema) {
    this.json = json;
    this.node = node;
  }

  get size(): number {
    return this.#names().length;
  }

  get keys(): readonly Value[] {
    return this.#names()
      .filter((name) => this.#schemaOf(name) !== undefined)
      .map((name) => (this.node.isStruct ? (escapedName(name) ?? name) : name));
  }

  #names(): string[] {
    return Object.keys(this.json).filter((name) => this.json[name] !== undefined);
  }

  #schemaOf(name: string): ValueSchema | undefined {
    return this.node.isStruct ? this.node.property(name) : this.node.additional;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return key instanceof Failure ? key : NO_OVERLOAD;
    const name = this.node.isStruct ? unescapedName(key) : key;
    return name === undefined ? undefined : this.#member(name);
  }

  #member(name: string): Value | undefined {
    if (!Object.hasOwn(this.json, name) || this.json[name] === undefined) return undefined;
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const json = this.json[name];
    const schema = this.#schemaOf(name);
    // A struct has no members that are null.
    if (schema === undefined || (this.node.isStruct && json === null)) return undefined;
    const value = schemaValue(json, schema);
    this.#found.set(name, value);
    return value;
  }

  equals(other: MapValue, equal: Equality): boolean | Failure {
    if (this.size !== other.size) return false;
    for (const name of this.#names()) {
      const schema = this.#schemaOf(name);
      if (schema === undefined) {
        if (!(other instanceof SchemaMap)) return NO_OVERLOAD;
        // As in the reference, a member that the other object lacks is ignored.
        const isIn = Object.hasOwn(other.json, name);
        if (isIn && !deepEqual(this.json[name], other.json[name])) return false;
        continue;
      }
      const found = other.find(name);
      if (found === undefined) return false;
      const same = equal(schemaValue(this.json[name], schema), found);
      if (same !== true) return same;
    }
    return true;
  }
}

/** A value of an object by its schema; a failure when the schema does not allow it. */
export function schemaValue(json: unknown, node: ValueSchema): Value {
  const { schema } = node;
  if (json === null || json === undefined) {
    return schema.nullable
      ? null
      : new Failure('invalid data, got null for schema with nullable=false');
  }
  if (schema.isIntOrString) {
    if (typeof json === 'string') return json;
    return (
      asInt(json) ??
      new Failure('invalid data, expected XIntOrString value to be either a string or integer')
    );
  }
  switch (schema.type) {
    case 'object':
      return objectValue(json, node);
    case 'array':
      return listValue(json, node);
    case 'string':
      return textValue(json, schema.json['format']);
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint'
        ? Number(json)
        : wrongType('float', json);
    case 'integer':
      return asInt(json) ?? wrongType('int', json);
    case 'boolean':
      return typeof json === 'boolean' ? json : wrongType('bool', json);
    default:
      return schema.preservesUnknown ? new UnknownMembers(json) : untyped(schema.type);
  }
}

function asInt(json: unknown): bigint | undefined {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && !isFloat(json) ? BigInt(json) : undefined;
}

function objectValue(json: unknown, node: ValueSchema): Value {
  if (typeof json !== 'object' || Array.isArray(json)) {
    return new Failure(
      'invalid data, expected map[string]interface{} to match the provided schema with type=object',
    );
  }
  const isKnown = node.isStruct || node.additional !== undefined || node.schema.preservesUnknown;
  if (isKnown) return new SchemaMap(json as Readonly<Members>, node);
  return new Failure(
    'invalid object type, expected either Properties or AdditionalProperties with Allows=true ' +
      'and non-empty Schema',
  );
}

function listValue(json: unknown, node: ValueSchema): Value {
  if (!Array.isArray(json)) {
    return new Failure(
      'invalid data, expected []interface{} to match the provided schema with type=array',
    );
  }
  const { items } = node;
  if (items === undefined) {
    return new Failure('invalid array type, expected Items with a non-empty Schema');
  }
  const list = json as readonly unknown[];
  return new ListValue(
    () => list.map((item) => schemaValue(item, items)),
    node.listRules,
    list.length,
  );
}

function textValue(json: unknown, format: unknown): Value {
  if (typeof json !== 'string') return wrongType('string', json);
  switch (format) {
    case 'byte': {
      const data = Buffer.from(json, 'base64');
      if (data.toString('base64') === json) return new Bytes(data);
      return new Failure(`Invalid byte formatted string ${json}: illegal base64 data`);
    }
    case 'duration':
      return parseSchemaDuration(json);
    case 'date':
      return parseSchemaDate(json);
    case 'date-time':
      return parseSchemaTime(json);
    default:
      return json;
  }
}

function wrongType(expected: string, json: unknown): Failure {
  return new Failure(`invalid data, expected ${expected}, got ${goType(json)}`);
}

function goType(json: unknown): string {
  if (Array.isArray(json)) return '[]interface {}';
  if (typeof json === 'object') return 'map[string]interface {}';
  if (typeof json === 'string') return 'string';
  if (typeof json === 'boolean') return 'bool';
  return isFloat(json) ? 'float64' : 'int64';
}

function untyped(type: string): Failure {
  return new Failure(
    'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
      `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${type}`,
  );
}
