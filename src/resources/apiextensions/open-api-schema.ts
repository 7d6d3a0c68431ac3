/** What a schema may say at all (README.md#custom-resource-definitions). */
import {
  fieldForbidden,
  invalid,
  notSupported,
  type FieldError,
} from '../../semantics/field-error.ts';
import { checkLists } from './schema-lists.ts';
import {
  additionalSchema,
  itemSchema,
  plainValue,
  schemaList,
  schemaOf,
  schemasByName,
  typeOf,
  type Schema,
} from './schema-node.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];
const META_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Where a schema stands. */
interface Place {
  readonly isRoot: boolean;
  /** Below the kind, version or metadata of a whole object. */
  readonly insideMeta: boolean;
  /** Why there may be no default; undefined where there may be one. */
  readonly defaultForbidden: string | undefined;
}

const ROOT: Place = { isRoot: true, insideMeta: false, defaultForbidden: undefined };

/** Adds the problems of the schema of a version at the path `field`. */
export function checkOpenApi(schema: Schema, field: string, errors: FieldError[]): void {
  if (schema['nullable'] === true) {
    errors.push(fieldForbidden(`${field}.nullable`, 'nullable cannot be true at the root'));
  }
  checkNode(schema, field, ROOT, errors);
}

function checkNode(schema: Schema, field: string, place: Place, errors: FieldError[]): void {
  checkSupported(schema, field, place, errors);
  if (schema['uniqueItems'] === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldForbidden(`${field}.uniqueItems`, detail));
  }
  checkMembers(schema, field, place, errors);
  const below = { ...place, isRoot: false };
  for (const member of ['allOf', 'oneOf', 'anyOf'] as const) {
    schemaList(schema, member).forEach((one, index) => {
      checkNode(one, `${field}.${member}[${index}]`, below, errors);
    });
  }
  if (schema['not'] !== undefined) {
    checkNode(schemaOf(schema['not']), `${field}.not`, below, errors);
  }
  const items = itemSchema(schema);
  if (items !== undefined) checkNode(items, `${field}.items`, below, errors);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const path = `${field}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(path, false, 'must be true or undefined'));
  }
  checkLists(schema, field, errors);
}

function checkSupported(schema: Schema, field: string, place: Place, errors: FieldError[]): void {
  const type = typeOf(schema);
  const path = `${field}.type`;
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(path, type, TYPES));
  if (place.defaultForbidden !== undefined && hasDefault(schema)) {
    errors.push(fieldForbidden(`${field}.default`, `must not be set ${place.defaultForbidden}`));
  }
  for (const member of UNSUPPORTED) {
    if (schema[member] === undefined) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `${member} is not supported`));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(fieldForbidden(path, detail));
  }
  if (Array.isArray(plainValue(schema['items']))) {
    const detail = 'items must be a schema object and not an array';
    errors.push(fieldForbidden(`${field}.items`, detail));
  }
  if (place.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    errors.push(fieldForbidden(`${field}.x-kubernetes-embedded-resource`, detail));
  }
}

function hasDefault(schema: Schema): boolean {
  return schema['default'] !== undefined && plainValue(schema['default']) !== null;
}

function checkMembers(schema: Schema, field: string, place: Place, errors: FieldError[]): void {
  const properties = schemasByName(schema);
  const additional = plainValue(schema['additionalProperties']);
  const others = additionalSchema(schema);
  if (additional !== undefined && additional !== true && properties.length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(fieldForbidden(`${field}.additionalProperties`, detail));
  }
  if (others !== undefined) {
    const forbidden = 'inside additionalProperties applying to object metadata';
    const below = place.insideMeta ? { ...place, defaultForbidden: forbidden } : place;
    checkNode(others, `${field}.additionalProperties`, { ...below, isRoot: false }, errors);
  }
  const isObject = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of properties) {
    const insideMeta = place.insideMeta || (isObject && META_MEMBERS.has(name));
    const defaultForbidden =
      place.isRoot && META_MEMBERS.has(name) ? `in top-level ${name}` : place.defaultForbidden;
    const below = { isRoot: false, insideMeta, defaultForbidden };
    checkNode(property, `${field}.properties[${name}]`, below, errors);
  }
}

/** What the root may say when the status is a part of its own. */
const ALLOWED_WITH_STATUS = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];
const ALLOWED_MEMBERS: ReadonlySet<string> = new Set([
  ...ALLOWED_WITH_STATUS.map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** Adds what the root of a schema may not be where there is a status subresource. */
export function checkRootWithStatus(schema: Schema, field: string, errors: FieldError[]): void {
  for (const [member, value] of Object.entries(schema)) {
    if (value === undefined || value === false || value === '') continue;
    if (member === 'type') {
      if (value === 'object') continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status ' +
        'subresource is enabled';
      errors.push(invalid(`${field}.type`, value, detail));
      return;
    }
    if (ALLOWED_MEMBERS.has(member)) continue;
    const detail =
      `only [${ALLOWED_WITH_STATUS.join(' ')}] fields are allowed at the root of the schema if ` +
      'the status subresource is enabled';
    errors.push(invalid(field, Object.keys(schema), detail));
    return;
  }
}
