/**
 * Structural schemas (README.md#custom-resource-definitions): each value has a type where it
 * stands, and below `allOf` and its like there are restrictions of values only.
 */
import { deepEqual } from '../../base/deep-equal.ts';
import { fieldForbidden, invalid, required, type FieldError } from '../../semantics/field-error.ts';
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

/** Where a schema stands: what must have a type, and in which words. */
type Level = 'root' | 'field' | 'item';

const TYPE_MISSING: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;
/** What the schemas below `allOf` and its like may not say. */
const NOT_NESTED: readonly (readonly [member: string, must: string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  [PRESERVES, 'false'],
  [EMBEDDED, 'false'],
  [INT_OR_STRING, 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

/** The problems of the schema of a version at the path `field`, sorted by their texts. */
export function structuralErrors(schema: Schema, field: string): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, field, 'root', errors);
  checkComplete(schema, schema, field, field, errors);
  const text = ({ field: path, message }: FieldError): string => `${path}: ${message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function checkNode(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  const items = itemSchema(schema);
  if (typeOf(schema) === 'array' && schema['items'] === undefined) {
    errors.push(required(`${field}.items`, 'must be specified'));
  }
  if (items !== undefined) checkNode(items, `${field}.items`, 'item', errors);
  const properties = schemasByName(schema);
  for (const [name, property] of properties) {
    checkNode(property, `${field}.properties[${name}]`, 'field', errors);
  }
  checkAdditional(schema, field, level, errors);
  checkExtensions(schema, field, errors);
  checkRestrictions(schema, field, saysIntOrString(schema), errors);
  checkType(schema, field, level, errors);
  const embedded = schema[EMBEDDED] === true;
  if (embedded && schema['additionalProperties'] !== undefined) {
    const detail = `must not be used if ${EMBEDDED} is set`;
    errors.push(fieldForbidden(`${field}.additionalProperties`, detail));
  }
  checkObjectMembers(schema, field, level, errors);
  if (embedded && schema[PRESERVES] !== true && properties.length === 0) {
    const detail = `must not be empty if ${EMBEDDED} is true without ${PRESERVES}`;
    errors.push(required(`${field}.properties`, detail));
  }
}

function checkAdditional(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  const path = `${field}.additionalProperties`;
  if (level === 'root' && schema['additionalProperties'] !== undefined) {
    errors.push(fieldForbidden(path, 'must not be used at the root'));
  }
  const additional = additionalSchema(schema);
  if (additional !== undefined) checkNode(additional, path, 'field', errors);
}

function checkExtensions(schema: Schema, field: string, errors: FieldError[]): void {
  if (schema[INT_OR_STRING] !== true) return;
  for (const member of [PRESERVES, EMBEDDED]) {
    if (schema[member] !== true) continue;
    errors.push(invalid(`${field}.${member}`, true, `must be false if ${INT_OR_STRING} is true`));
  }
}

function checkType(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  const path = `${field}.type`;
  const type = typeOf(schema);
  if (schema[EMBEDDED] === true && type !== 'object') {
    const detail = `must be object if ${EMBEDDED} is true`;
    errors.push(type === '' ? required(path, detail) : invalid(path, type, detail));
  } else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVES] !== true) {
    errors.push(required(path, TYPE_MISSING[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(path, type, 'must be object at the root'));
  }
}

/** Kind, version and metadata of a whole object are what they are everywhere. */
function checkObjectMembers(
  schema: Schema,
  field: string,
  level: Level,
  errors: FieldError[],
): void {
  if (level !== 'root' && schema[EMBEDDED] !== true) return;
  const properties = schemaOf(schema['properties']);
  for (const name of ['kind', 'apiVersion', 'metadata']) {
    if (!Object.hasOwn(properties, name)) continue;
    const property = schemaOf(properties[name]);
    const path = `${field}.properties[${name}]`;
    const expected = name === 'metadata' ? 'object' : 'string';
    if (typeOf(property) !== expected) {
      errors.push(invalid(`${path}.type`, typeOf(property), `must be ${expected}`));
    }
    if (name === 'metadata' && level === 'root') checkMetadata(property, path, errors);
  }
}

/** Of the metadata of objects a schema may restrict the names only. */
function checkMetadata(schema: Schema, field: string, errors: FieldError[]): void {
  const { type: _type, default: _default, properties, ...others } = schema;
  const names = Object.keys(schemaOf(properties));
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  if (onlyNames && Object.values(others).every((value) => value === undefined)) return;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly ' +
    'specified';
  errors.push(fieldForbidden(field, detail));
}

const TWO_TYPES = [{ type: 'integer' }, { type: 'string' }];

/** Which of its restrictions say no more than that a value is a number or a text. */
function saysIntOrString(schema: Schema): 'anyOf' | 'allOf' | 'none' {
  if (isTwoTypes(schema)) return 'anyOf';
  const [first] = schemaList(schema, 'allOf');
  return first !== undefined && isTwoTypes(first) ? 'allOf' : 'none';
}

function isTwoTypes(schema: Schema): boolean {
  return deepEqual(schemaList(schema, 'anyOf'), TWO_TYPES);
}

/** `known` are those that need not be looked at: `anyOf`, or that of the first of `allOf`. */
function checkRestrictions(
  schema: Schema,
  field: string,
  known: 'anyOf' | 'allOf' | 'none',
  errors: FieldError[],
): void {
  for (const member of JUNCTORS) {
    if (member === 'anyOf' && known === 'anyOf') continue;
    schemaList(schema, member).forEach((one, index) => {
      const isKnown = known === 'allOf' && member === 'allOf' && index === 0;
      checkNested(one, `${field}.${member}[${index}]`, isKnown ? 'anyOf' : 'none', errors);
    });
  }
  if (schema['not'] !== undefined) {
    checkNested(schemaOf(schema['not']), `${field}.not`, 'none', errors);
  }
  const { pattern } = schema;
  if (typeof pattern !== 'string' || isRegularExpression(pattern)) return;
  const detail = "must be a valid regular expression, but isn't: error parsing regexp";
  errors.push(invalid(`${field}.pattern`, pattern, detail));
}

/** What may be written as Go alone understands it is taken for one. */
function isRegularExpression(pattern: string): boolean {
  if (/\\|\(\?|\[:/.test(pattern)) return true;
  try {
    return new RegExp(pattern).source !== undefined;
  } catch {
    return false;
  }
}

function checkNested(
  schema: Schema,
  field: string,
  known: 'anyOf' | 'none',
  errors: FieldError[],
): void {
  checkRestrictions(schema, field, known, errors);
  const items = itemSchema(schema);
  if (items !== undefined) checkNested(items, `${field}.items`, 'none', errors);
  for (const [name, property] of schemasByName(schema)) {
    checkNested(property, `${field}.properties[${name}]`, 'none', errors);
  }
  for (const [member, must] of NOT_NESTED) {
    const value = plainValue(schema[member]);
    if (value === undefined || value === null || value === '' || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `must be ${must} to be structural`));
  }
  const metadata = schemaOf(schema['properties'])['metadata'];
  if (metadata === undefined) return;
  const detail = 'must not be specified in a nested context';
  errors.push(fieldForbidden(`${field}.properties[metadata]`, detail));
}

/** What restrictions speak of is also specified where it stands. */
function checkComplete(
  restrictions: Schema,
  schema: Schema,
  field: string,
  from: string,
  errors: FieldError[],
): void {
  for (const member of ['not', ...JUNCTORS]) {
    const isOne = member === 'not';
    const list = isOne
      ? restrictions['not'] === undefined
        ? []
        : [schemaOf(restrictions['not'])]
      : schemaList(restrictions, member);
    list.forEach((one, index) => {
      const path = isOne ? `${from}.not` : `${from}.${member}[${index}]`;
      checkNestedComplete(one, schema, field, path, errors);
    });
  }
}

function checkNestedComplete(
  nested: Schema,
  schema: Schema | undefined,
  field: string,
  from: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(required(field, `because it is defined in ${from}`));
    return;
  }
  checkComplete(nested, schema, field, from, errors);
  const items = itemSchema(nested);
  if (items !== undefined) {
    checkNestedComplete(items, itemSchema(schema), `${field}.items`, `${from}.items`, errors);
  }
  const properties = schemaOf(schema['properties']);
  for (const [name, property] of schemasByName(nested)) {
    const part = `properties[${name}]`;
    const own = Object.hasOwn(properties, name) ? schemaOf(properties[name]) : undefined;
    checkNestedComplete(property, own, `${field}.${part}`, `${from}.${part}`, errors);
  }
}

/** Members with which a schema is not looked at as a structural one. */
const UNREADABLE = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
];

/** Whether a part of the schema says what no structural one can. */
export function isUnreadable(schema: Schema): boolean {
  if (UNREADABLE.some((member) => schema[member] !== undefined)) return true;
  if (schema[PRESERVES] === false || Array.isArray(plainValue(schema['items']))) return true;
  const items = itemSchema(schema);
  const additional = additionalSchema(schema);
  const below = [
    ...(items === undefined ? [] : [items]),
    ...(additional === undefined ? [] : [additional]),
    ...schemasByName(schema).map(([, property]) => property),
    ...JUNCTORS.flatMap((member) => schemaList(schema, member)),
    ...(schema['not'] === undefined ? [] : [schemaOf(schema['not'])]),
  ];
  return below.some(isUnreadable);
}
