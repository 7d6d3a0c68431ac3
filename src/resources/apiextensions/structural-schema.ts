/**
 * Structural schemas (API-FACTS 15.2): what a schema must say, and what it may not. A schema is
 * looked at as the JSON that it is; members of the wrong type are for the codec to refuse.
 */
import { RawJson } from '../../codec/raw-json.ts';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/field-error.ts';
import { checkLists } from './schema-lists.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Where a schema stands: what must have a type, and in which words. */
type Level = 'root' | 'field' | 'item';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = [
  'id',
  '$ref',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
];
const TYPE_MISSING: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};
/** What the schemas below `allOf` and its like may not say. */
const NOT_NESTED = [
  'description',
  'type',
  'title',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
];
const NESTING = ['allOf', 'anyOf', 'oneOf'] as const;

/** Adds the problems of the schema of a version at the path `field`. */
export function checkSchema(schema: unknown, field: string, errors: FieldError[]): void {
  checkNode(schemaOf(schema), field, 'root', errors);
}

/** A schema that may be kept as JSON text; empty when it is none. */
function schemaOf(value: unknown): Schema {
  const plain: unknown = value instanceof RawJson ? JSON.parse(value.text) : value;
  return typeof plain === 'object' && plain !== null ? (plain as Schema) : {};
}

function checkNode(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  checkUnsupported(schema, field, errors);
  checkType(schema, field, level, errors);
  if (level === 'root') checkRoot(schema, field, errors);
  checkLists(schema, field, errors);
  const properties = schemaOf(schema['properties']);
  for (const name of Object.keys(properties)) {
    const path = `${field}.properties[${name}]`;
    const property = schemaOf(properties[name]);
    const implied = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
    if (name === 'metadata' && implied) checkMetadata(property, path, errors);
    checkNode(property, path, 'field', errors);
  }
  checkAdditional(schema, Object.keys(properties).length > 0, field, errors);
  checkItems(schema, field, errors);
  checkNested(schema, field, errors);
}

function checkUnsupported(schema: Schema, field: string, errors: FieldError[]): void {
  for (const member of UNSUPPORTED) {
    if (schema[member] === undefined) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `${member} is not supported`));
  }
  if (schema['uniqueItems'] === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldForbidden(`${field}.uniqueItems`, detail));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const path = `${field}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(path, false, 'must be true or undefined'));
  }
}

function checkType(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  const path = `${field}.type`;
  const { type = '' } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(fieldForbidden(path, detail));
  } else if (type !== '' && !TYPES.some((one) => one === type)) {
    errors.push(notSupported(path, type, TYPES));
  } else if (type === '' && (level === 'root' || !isOfAnyType(schema))) {
    errors.push(required(path, TYPE_MISSING[level]));
  } else if (type !== '' && level === 'root' && type !== 'object') {
    errors.push(invalid(path, type, 'must be object at the root'));
  } else if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(path, detail) : invalid(path, type, detail));
  }
}

function isOfAnyType(schema: Schema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  );
}

function checkRoot(schema: Schema, field: string, errors: FieldError[]): void {
  if (schema['nullable'] === true) {
    errors.push(fieldForbidden(`${field}.nullable`, 'nullable cannot be true at the root'));
  }
  if (schema['additionalProperties'] !== undefined) {
    const path = `${field}.additionalProperties`;
    errors.push(fieldForbidden(path, 'must not be used at the root'));
  }
}

/** Of the metadata of objects a schema may restrict the names only. */
function checkMetadata(schema: Schema, field: string, errors: FieldError[]): void {
  const { type, description: _description, properties, ...others } = schema;
  const names = Object.keys(schemaOf(properties));
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  if (onlyNames && type === 'object' && Object.keys(others).length === 0) return;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly ' +
    'specified';
  errors.push(fieldForbidden(field, detail));
}

function checkAdditional(
  schema: Schema,
  hasProperties: boolean,
  field: string,
  errors: FieldError[],
): void {
  const kept = schema['additionalProperties'];
  if (kept === undefined) return;
  const path = `${field}.additionalProperties`;
  const additional: unknown = kept instanceof RawJson ? JSON.parse(kept.text) : kept;
  if (hasProperties) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(fieldForbidden(path, detail));
  }
  if (additional === false) {
    errors.push(fieldForbidden(path, 'additionalProperties cannot be set to false'));
  } else if (additional !== true) {
    checkNode(schemaOf(additional), path, 'field', errors);
  }
}

function checkItems(schema: Schema, field: string, errors: FieldError[]): void {
  const path = `${field}.items`;
  const kept = schema['items'];
  if (kept === undefined) {
    if (schema['type'] === 'array') errors.push(required(path, 'must be specified'));
    return;
  }
  const items = schemaOf(kept);
  if (Array.isArray(items)) {
    errors.push(fieldForbidden(path, 'items must be a schema object and not an array'));
  } else {
    checkNode(items, path, 'item', errors);
  }
}

/** Below `allOf` and its like there are restrictions of values only. */
function checkNested(schema: Schema, field: string, errors: FieldError[]): void {
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  for (const member of NESTING) {
    const list = schema[member];
    if (!Array.isArray(list)) continue;
    list.forEach((item: unknown, index) => {
      checkRestriction(schemaOf(item), `${field}.${member}[${index}]`, intOrString, errors);
    });
  }
  if (schema['not'] !== undefined) {
    checkRestriction(schemaOf(schema['not']), `${field}.not`, intOrString, errors);
  }
}

function checkRestriction(
  schema: Schema,
  field: string,
  intOrString: boolean,
  errors: FieldError[],
): void {
  for (const member of NOT_NESTED) {
    const value = schema[member];
    if (value === undefined || value === '' || value === false) continue;
    // Saying once more which two types an int-or-string has is fine.
    if (intOrString && member === 'type') continue;
    errors.push(fieldForbidden(`${field}.${member}`, 'must be empty to be structural'));
  }
  const properties = schemaOf(schema['properties']);
  for (const name of Object.keys(properties)) {
    checkRestriction(schemaOf(properties[name]), `${field}.properties[${name}]`, false, errors);
  }
  if (schema['items'] !== undefined) {
    checkRestriction(schemaOf(schema['items']), `${field}.items`, false, errors);
  }
  checkNested(schema, field, errors);
}
