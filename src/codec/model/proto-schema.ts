/** Reads `proto/` text into the schema model. `proto/options.proto` explains the options. */
import protobuf from 'protobufjs';
import { fullNameOf, jsonNameOf, optionsOf, protoTypes } from './proto-types.ts';
import { LEAF_TYPES } from './schema-model.ts';
import type { FieldSchema, MessageSchema, SchemaModel } from './schema-model.ts';

/** Messages of `meta.v1` that are one value in JSON, and the protobuf scalars in use. */
const LEAF_TYPE_OF: ReadonlyMap<string, string> = new Map(
  LEAF_TYPES.map((type) => [/^[A-Z]/.test(type) ? `meta.v1.${type}` : type, type]),
);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The model of all messages in `files` (path to proto text; paths serve error messages only).
 * Throws an Error that names the file or field when the text does not parse, a type does not
 * resolve, or an option is unknown.
 */
export function loadSchemaModel(files: Readonly<Record<string, string>>): SchemaModel {
  const types = protoTypes(files);
  const names = new Set(types.map(fullNameOf));
  const messages: Record<string, MessageSchema> = {};
  for (const type of types) {
    const name = fullNameOf(type);
    if (messages[name] !== undefined) throw new Error(`${name} is declared twice`);
    messages[name] = messageOf(type, name, names);
  }
  return { messages };
}

function messageOf(type: protobuf.Type, name: string, names: ReadonlySet<string>): MessageSchema {
  const fields = type.fieldsArray.map((field) => fieldOf(field, name, names));
  let atomic = false;
  for (const [option, value] of optionsOf(type)) {
    if (option !== 'struct_type' || value !== 'atomic') {
      throw new Error(`${name}: option ${option} = ${String(value)} is not known`);
    }
    atomic = true;
  }
  return atomic ? { name, fields, atomic } : { name, fields };
}

function fieldOf(
  field: protobuf.Field,
  messageName: string,
  names: ReadonlySet<string>,
): FieldSchema {
  const where = `${messageName}.${field.name}`;
  if (field instanceof protobuf.MapField && field.keyType !== 'string') {
    throw new Error(`${where}: map keys must be strings`);
  }
  const schema: Mutable<FieldSchema> = {
    name: jsonNameOf(field),
    number: field.id,
    type: typeOf(field.type, messageName, names),
    container: field.map ? 'map' : field.repeated ? 'list' : 'single',
  };
  for (const [option, value] of optionsOf(field)) setOption(schema, option, value, where);
  return schema;
}

/** Resolves a type name as protobuf does: innermost scope first. */
function typeOf(written: string, messageName: string, names: ReadonlySet<string>): string {
  const scalar = LEAF_TYPE_OF.get(written);
  if (scalar !== undefined) return scalar;
  let scope = messageName;
  while (scope !== '') {
    const candidate = `${scope}.${written}`;
    if (names.has(candidate)) return LEAF_TYPE_OF.get(candidate) ?? candidate;
    scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.')));
  }
  if (names.has(written)) return LEAF_TYPE_OF.get(written) ?? written;
  throw new Error(`${messageName}: type ${written} is not known`);
}

function setOption(
  schema: Mutable<FieldSchema>,
  option: string,
  value: unknown,
  where: string,
): void {
  switch (option) {
    case 'always':
    case 'presence':
    case 'inline':
    case 'required':
    case 'immutable':
    case 'unchecked':
      schema[option] = value === true;
      return;
    case 'must_be_sent':
      schema.mustBeSent = value === true;
      return;
    case 'exact_amounts':
      schema.exactAmounts = value === true;
      return;
    case 'minimum':
    case 'maximum':
      schema[option] = Number(value);
      return;
    case 'json_name':
      return;
    case 'format':
      schema.format = String(value);
      return;
    case 'key_format':
      schema.keyFormat = String(value);
      return;
    case 'merge_key':
      schema.mergeKey = String(value);
      return;
    case 'embedded_kind':
      schema.embeddedKind = String(value);
      return;
    case 'enum_values':
      schema.enumValues = [...(schema.enumValues ?? []), String(value)];
      return;
    case 'list_map_keys':
      schema.listMapKeys = [...(schema.listMapKeys ?? []), String(value)];
      return;
    case 'default_value':
      schema.default = defaultOf(schema, String(value), where);
      return;
    case 'list_type':
      schema.listType = oneOf(['atomic', 'set', 'map'], value, where);
      return;
    case 'map_type':
      schema.mapType = oneOf(['granular', 'atomic'], value, where);
      return;
    case 'patch_strategy': {
      const strategy = oneOf(['merge', 'replace', 'retainKeys'], value, where);
      schema.patchStrategy = [...(schema.patchStrategy ?? []), strategy];
      return;
    }
    default:
      throw new Error(`${where}: option ${option} is not known`);
  }
}

function oneOf<const T extends string>(allowed: readonly T[], value: unknown, where: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${where}: value ${String(value)} is not known`);
  return found;
}

/** `default_value` is text; its meaning depends on the type of the field. */
function defaultOf(schema: FieldSchema, text: string, where: string): string | number | boolean {
  if (schema.container !== 'single') throw new Error(`${where}: only single fields have defaults`);
  if (schema.type === 'bool') return oneOf(['true', 'false'], text, where) === 'true';
  if (schema.type === 'int32' || schema.type === 'int64' || schema.type === 'double') {
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) throw new Error(`${where}: ${text} is not a number`);
    return number;
  }
  if (schema.type.includes('.')) return oneOf(['{}'], text, where);
  return text;
}
