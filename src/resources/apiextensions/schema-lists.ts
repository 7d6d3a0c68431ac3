/**
 * Checks the types of lists and maps that a schema gives for server-side apply
 * (README.md#custom-resource-definitions).
 */
import {
  fieldForbidden,
  invalid,
  invalidPrinted,
  notSupported,
  printStrings,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { lenient } from './lenience.ts';
import { itemSchema, propertyOf, typeOf, type Schema } from './schema-node.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];
const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** Adds the problems of the extensions for lists and maps. */
export function checkLists(schema: Schema, field: string, errors: FieldError[]): void {
  const type = typeOf(schema);
  const { [LIST_TYPE]: listType, [MAP_TYPE]: mapType } = schema;
  if (mapType !== undefined) {
    if (type !== 'object') checkIs('object', type, `if ${MAP_TYPE} is specified`, field, errors);
    if (!MAP_TYPES.some((one) => one === mapType)) {
      errors.push(notSupported(`${field}.${MAP_TYPE}`, mapType, MAP_TYPES));
    }
  }
  const items = itemSchema(schema);
  if (listType !== undefined) {
    if (type !== 'array') checkIs('array', type, `if ${LIST_TYPE} is specified`, field, errors);
    else if (listType === 'set' && items) checkSetItems(items, `${field}.items`, errors);
    if (!LIST_TYPES.some((one) => one === listType)) {
      errors.push(notSupported(`${field}.${LIST_TYPE}`, listType, LIST_TYPES));
    }
  }
  const keys = keysOf(schema);
  if (listType === 'map') checkMapItems(schema, keys, field, errors);
  else if (keys.length > 0) {
    const detail = `must be map if ${LIST_KEYS} is non-empty`;
    const path = `${field}.${LIST_TYPE}`;
    errors.push(listType === undefined ? required(path, detail) : invalid(path, listType, detail));
  }
  if (items === undefined || (listType !== 'map' && listType !== 'set')) return;
  if (items['nullable'] === true) {
    const detail = `cannot be nullable when ${LIST_TYPE} is ${listType}`;
    errors.push(lenient(fieldForbidden(`${field}.items.nullable`, detail), 'keys'));
  }
  if (listType === 'map') checkKeyProperties(items, keys, `${field}.items`, errors);
}

function keysOf(schema: Schema): readonly string[] {
  const keys = schema[LIST_KEYS];
  return Array.isArray(keys) ? keys.map(String) : [];
}

function checkIs(
  expected: string,
  type: string,
  when: string,
  field: string,
  errors: FieldError[],
): void {
  const detail = `must be ${expected} ${when}`;
  const path = `${field}.type`;
  errors.push(type === '' ? required(path, detail) : invalid(path, type, detail));
}

/** Items of a set are compared as a whole. */
function checkSetItems(items: Schema, field: string, errors: FieldError[]): void {
  const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  const { [LIST_TYPE]: listType, [MAP_TYPE]: mapType } = items;
  if (typeOf(items) === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(lenient(invalid(`${field}.${LIST_TYPE}`, listType, detail), 'sets'));
  }
  if (typeOf(items) === 'object' && mapType !== 'atomic') {
    errors.push(lenient(invalid(`${field}.${MAP_TYPE}`, listType, detail), 'sets'));
  }
}

function checkMapItems(
  schema: Schema,
  keys: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  const path = `${field}.${LIST_KEYS}`;
  const itemsField = `${field}.items`;
  if (keys.length === 0) errors.push(required(path, `must not be empty if ${LIST_TYPE} is map`));
  if (schema['items'] === undefined) {
    errors.push(required(itemsField, `must have a schema if ${LIST_TYPE} is map`));
    return;
  }
  const items = itemSchema(schema);
  if (items === undefined) {
    const detail = `must only have a single schema if ${LIST_TYPE} is map`;
    errors.push(invalid(itemsField, schema['items'], detail));
    return;
  }
  if (typeOf(items) !== 'object') {
    const detail = `must be object if parent array's ${LIST_TYPE} is map`;
    errors.push(invalid(`${itemsField}.type`, typeOf(items), detail));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    const type = typeOf(property ?? {});
    if (property === undefined) {
      const detail = 'entries must all be names of item properties';
      errors.push(invalidPrinted(path, printStrings(keys), detail));
    } else if (type === 'array' || type === 'object') {
      const detail = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      errors.push(invalid(`${itemsField}.properties[${key}].type`, typeOf(items), detail));
    }
    if (seen.has(key)) {
      errors.push(invalidPrinted(path, printStrings(keys), 'must not contain duplicate entries'));
    }
    seen.add(key);
  }
}

/** Every item has each of its keys. */
function checkKeyProperties(
  items: Schema,
  keys: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  const needed: unknown = items['required'];
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const path = `${field}.properties[${key}]`;
    const start = `this property is in ${LIST_KEYS}, so it`;
    const isThere = Array.isArray(needed) && needed.includes(key);
    if (!isThere && property['default'] === undefined) {
      const detail = `${start} must have a default or be a required property`;
      errors.push(lenient(required(`${path}.default`, detail), 'keys'));
    }
    if (property['nullable'] === true) {
      const error = fieldForbidden(`${path}.nullable`, `${start} cannot be nullable`);
      errors.push(lenient(error, 'keys'));
    }
  }
}
