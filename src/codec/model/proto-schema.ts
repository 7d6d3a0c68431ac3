/** Reads `proto/` text into the schema model. `proto/options.proto` explains the options. */
import protobuf from 'protobufjs';
import { fullNameOf, jsonNameOf, optionsOf, protoTypes } from './proto-types.ts';
import type { Life } from '../../release/life.ts';
import { LEAF_TYPES } from './schema-model.ts';
import type { FieldSchema, MessageSchema, SchemaModel, SchemaOption } from './schema-model.ts';

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
  let isGranular = false;
  let atomicSince: number | undefined;
  const life: Mutable<Life> = {};
  for (const [option, value] of optionsOf(type)) {
    if (option === 'message_since') life.since = Number(value);
    else if (option === 'message_until') life.until = Number(value);
    else if (option === 'struct_type_since') atomicSince = Number(value);
    else if (option === 'struct_type' && value === 'atomic') atomic = true;
    else if (option === 'struct_type' && value === 'granular') isGranular = true;
    else throw new Error(`${name}: option ${option} = ${String(value)} is not known`);
  }
  const atomicity = {
    ...(atomic && { atomic }),
    ...(isGranular && { isGranular }),
    ...(atomicSince && { atomicSince }),
  };
  return { name, fields, ...atomicity, ...life };
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
  const typeNamed = (written: string): string => typeOf(written, messageName, names);
  for (const [option, value] of optionsOf(field)) {
    if (option === 'type_until') {
      const [written, until] = ofMinor(String(value), where);
      schema.formerType = { type: typeNamed(written), until };
    } else setOption(schema, option, value, where);
  }
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

const LIST_TYPES = ['atomic', 'set', 'map'] as const;

const TEXT_OPTIONS = {
  format: 'format',
  gate: 'gate',
  key_format: 'keyFormat',
  merge_key: 'mergeKey',
  embedded_kind: 'embeddedKind',
} as const;

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
    case 'since':
    case 'until':
      schema[option] = Number(value);
      return;
    case 'json_name':
      return;
    case 'enum_since':
    case 'enum_until':
      setEnumLife(schema, endOf(option), String(value), where);
      return;
    case 'option_since':
    case 'option_until':
      setOptionLife(schema, endOf(option), String(value), where);
      return;
    case 'format':
    case 'gate':
    case 'key_format':
    case 'merge_key':
    case 'embedded_kind':
      schema[TEXT_OPTIONS[option]] = String(value);
      return;
    case 'enum_values':
      schema.enumValues = [...(schema.enumValues ?? []), String(value)];
      return;
    case 'list_map_keys':
      schema.listMapKeys = [...(schema.listMapKeys ?? []), String(value)];
      return;
    case 'default_value':
    case 'told_default': {
      const name = option === 'told_default' ? 'toldDefault' : 'default';
      schema[name] = valueOf(schema, name, String(value), where);
      return;
    }
    case 'list_type':
      schema.listType = oneOf(LIST_TYPES, value, where);
      return;
    case 'list_type_until':
    case 'map_key_since':
      setListLife(schema, option, String(value), where);
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

/** `set=30`: the former type of a list; `shareID=34`: the beginning of one of its keys. */
function setListLife(
  schema: Mutable<FieldSchema>,
  option: 'list_type_until' | 'map_key_since',
  text: string,
  where: string,
): void {
  const [value, minor] = ofMinor(text, where);
  if (option === 'map_key_since') {
    schema.mapKeysSince = { ...schema.mapKeysSince, [value]: minor };
  } else schema.formerListType = { listType: oneOf(LIST_TYPES, value, where), until: minor };
}

function endOf(option: string): keyof Life {
  return option.endsWith('_since') ? 'since' : 'until';
}

/** `X=27`: of the value X. */
function setEnumLife(
  schema: Mutable<FieldSchema>,
  end: keyof Life,
  text: string,
  where: string,
): void {
  const [value, minor] = ofMinor(text, where);
  const life = { ...schema.enumLives?.[value], [end]: minor };
  schema.enumLives = { ...schema.enumLives, [value]: life };
}

const RELEASED_OPTIONS: Readonly<Record<string, SchemaOption>> = {
  always: 'always',
  default_value: 'default',
  enum_values: 'enumValues',
  format: 'format',
  gate: 'gate',
  immutable: 'immutable',
  key_format: 'keyFormat',
  list_map_keys: 'listMapKeys',
  list_type: 'listType',
  map_type: 'mapType',
  maximum: 'maximum',
  merge_key: 'mergeKey',
  minimum: 'minimum',
  patch_strategy: 'patchStrategy',
  presence: 'presence',
  required: 'required',
  told_default: 'toldDefault',
};

/** `list_type=30`: of that option of the member. */
function setOptionLife(
  schema: Mutable<FieldSchema>,
  end: keyof Life,
  text: string,
  where: string,
): void {
  const [name, minor] = ofMinor(text, where);
  const option = RELEASED_OPTIONS[name];
  if (option === undefined) throw new Error(`${where}: ${name} is no option that has a life`);
  const life = { ...schema.optionLives?.[option], [end]: minor };
  schema.optionLives = { ...schema.optionLives, [option]: life };
}

function ofMinor(text: string, where: string): readonly [value: string, minor: number] {
  const { value = '', minor } = /^(?<value>.*)=(?<minor>\d+)$/.exec(text)?.groups ?? {};
  if (minor === undefined) throw new Error(`${where}: ${text} is not a value and a minor`);
  return [value, Number(minor)];
}

function oneOf<const T extends string>(allowed: readonly T[], value: unknown, where: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${where}: value ${String(value)} is not known`);
  return found;
}

/** Defaults are text; its meaning depends on the type of the field. */
function valueOf(
  schema: FieldSchema,
  name: 'default' | 'toldDefault',
  text: string,
  where: string,
): string | number | boolean {
  if (schema.container !== 'single') throw new Error(`${where}: only single fields have defaults`);
  if (schema.type === 'bool') return oneOf(['true', 'false'], text, where) === 'true';
  if (schema.type === 'int32' || schema.type === 'int64' || schema.type === 'double') {
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) throw new Error(`${where}: ${text} is not a number`);
    return number;
  }
  if (schema.type.includes('.')) {
    if (name === 'default') return oneOf(['{}'], text, where);
    return JSON.stringify(JSON.parse(text));
  }
  return text;
}
