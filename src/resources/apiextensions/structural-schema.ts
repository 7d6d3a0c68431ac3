/**
 * Structural schemas (README.md#custom-resource-definitions): each value has a type where it
 * stands, and below `allOf` and its like there are restrictions of values only.
 */
import { compareTexts } from '../../base/text/compare-texts.ts';
import { ownRelease } from '../../release/release.ts';
import {
  fieldForbidden,
  invalid,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkPattern } from './schema-pattern.ts';
import {
  additionalSchema,
  isPlain,
  itemSchema,
  JUNCTORS,
  propertyOf,
  schemaAt,
  schemaList,
  schemasByName,
  typeOf,
  type Schema,
} from './schema-node.ts';

/** The place of a schema, which decides whether it needs a type and the words of the error. */
type Level = 'root' | 'field' | 'item';

const TYPE_MISSING: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
/** The members that schemas below `allOf` and its like may not have. */
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
/** The member of them that says something with `false`, too. */
const SAID_BY_FALSE = ownRelease().has('deniedMembersSayNothing')
  ? undefined
  : 'additionalProperties';
/** Members that are for readers only, or that an earlier check refuses. */
const REMARKS: ReadonlySet<string> = new Set([
  ...(ownRelease().has('remarksRestrictMetadata') ? [] : ['example', 'externalDocs']),
  'id',
  '$schema',
  '$ref',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
]);

/**
 * Paths grow with depth: if errors have more characters than this, only the first are sorted and
 * reported.
 */
const CHARACTERS_MAX = 4 * 1024 * 1024;

/** The problems of the schema of a version at the path `field`, sorted by their texts. */
export function structuralErrors(schema: Schema, field: string): FieldError[] {
  const all: FieldError[] = [];
  checkNode(schema, field, 'root', all);
  checkComplete(schema, schema, field, field, all);
  let characters = 0;
  const errors = all.filter(({ field: path, message }) => {
    characters += path.length + message.length;
    return characters <= CHARACTERS_MAX;
  });
  const text = ({ field: path, message }: FieldError): string => `${path}: ${message}`;
  return errors.sort((a, b) => compareTexts(text(a), text(b)));
}

function checkNode(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  if (level !== 'root' && isPlain(schema)) {
    checkPlainNode(schema, field, level, errors);
    return;
  }
  const items = itemSchema(schema);
  if (typeOf(schema) === 'array' && items === undefined) {
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
  if (level === 'root' || embedded) checkObjectMembers(schema, field, level, errors);
  if (embedded && schema[PRESERVES] !== true && properties.length === 0) {
    const detail = `must not be empty if ${EMBEDDED} is true without ${PRESERVES}`;
    errors.push(required(`${field}.properties`, detail));
  }
}

function checkPlainNode(schema: Schema, field: string, level: Level, errors: FieldError[]): void {
  const { type, items, properties } = schema;
  if (type === undefined) errors.push(required(`${field}.type`, TYPE_MISSING[level]));
  if (type === 'array' && items === undefined) {
    errors.push(required(`${field}.items`, 'must be specified'));
  }
  if (items !== undefined) checkNode(items as Schema, `${field}.items`, 'item', errors);
  if (properties === undefined) return;
  for (const name of Object.keys(properties as Schema)) {
    const property = (properties as Schema)[name] as Schema;
    checkNode(property, `${field}.properties[${name}]`, 'field', errors);
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
  const type = typeOf(schema);
  if (schema[EMBEDDED] === true && type !== 'object') {
    const detail = `must be object if ${EMBEDDED} is true`;
    const path = `${field}.type`;
    errors.push(type === '' ? required(path, detail) : invalid(path, type, detail));
  } else if (type === '' && schema[INT_OR_STRING] !== true && schema[PRESERVES] !== true) {
    errors.push(required(`${field}.type`, TYPE_MISSING[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(`${field}.type`, type, 'must be object at the root'));
  }
}

/**
 * Checks the kind, version and metadata of a whole object, whose schemas may not restrict them
 * otherwise.
 */
function checkObjectMembers(
  schema: Schema,
  field: string,
  level: Level,
  errors: FieldError[],
): void {
  for (const name of ['kind', 'apiVersion', 'metadata']) {
    const property = propertyOf(schema, name);
    if (property === undefined) continue;
    const path = `${field}.properties[${name}]`;
    const expected = name === 'metadata' ? 'object' : 'string';
    if (typeOf(property) !== expected) {
      errors.push(invalid(`${path}.type`, typeOf(property), `must be ${expected}`));
    }
    if (name === 'metadata' && level === 'root') checkMetadata(property, path, errors);
  }
}

/** A schema may restrict only the names in the metadata of objects. */
function checkMetadata(schema: Schema, field: string, errors: FieldError[]): void {
  const names = schemasByName(schema).map(([name]) => name);
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  if (onlyNames && saysNothingBut(schema, ['type', 'default', 'properties'])) return;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly ' +
    'specified';
  errors.push(fieldForbidden(field, detail));
}

function saysNothingBut(schema: Schema, members: readonly string[]): boolean {
  return Object.keys(schema).every((member) => {
    return schema[member] === undefined || REMARKS.has(member) || members.includes(member);
  });
}

/** The restrictions that only say that a value is a number or a string, and so need no check. */
interface Known {
  /** `anyOf`. */
  readonly own: boolean;
  /** That of the first of `allOf`. */
  readonly first: boolean;
}

const NOTHING_KNOWN: Known = { own: false, first: false };

function saysIntOrString(schema: Schema): Known {
  const [first] = schemaList(schema, 'allOf');
  return { own: isTwoTypes(schema), first: first !== undefined && isTwoTypes(first) };
}

function isTwoTypes(schema: Schema): boolean {
  const types = schemaList(schema, 'anyOf');
  if (types.length !== 2 || !types.every((one) => saysNothingBut(one, ['type']))) return false;
  return types.map(typeOf).join(' ') === 'integer string';
}

function checkRestrictions(
  schema: Schema,
  field: string,
  known: Known,
  errors: FieldError[],
): void {
  for (const member of JUNCTORS) {
    if (member === 'anyOf' && known.own) continue;
    schemaList(schema, member).forEach((one, index) => {
      const own = known.first && member === 'allOf' && index === 0;
      checkNested(one, `${field}.${member}[${index}]`, { own, first: false }, errors);
    });
  }
  const not = schemaAt(schema, 'not');
  if (not !== undefined) checkNested(not, `${field}.not`, NOTHING_KNOWN, errors);
  const { pattern } = schema;
  if (typeof pattern === 'string') checkPattern(pattern, `${field}.pattern`, errors);
}

function checkNested(schema: Schema, field: string, known: Known, errors: FieldError[]): void {
  checkRestrictions(schema, field, known, errors);
  const items = itemSchema(schema);
  if (items !== undefined) checkNested(items, `${field}.items`, NOTHING_KNOWN, errors);
  for (const [name, property] of schemasByName(schema)) {
    checkNested(property, `${field}.properties[${name}]`, NOTHING_KNOWN, errors);
  }
  for (const [member, must] of NOT_NESTED) {
    const value = schema[member];
    if (value === undefined || (value === false && member !== SAID_BY_FALSE)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `must be ${must} to be structural`));
  }
  if (propertyOf(schema, 'metadata') === undefined) return;
  const detail = 'must not be specified in a nested context';
  errors.push(fieldForbidden(`${field}.properties[metadata]`, detail));
}

/** Each field that the restrictions name must be specified in the schema itself too. */
function checkComplete(
  restrictions: Schema,
  schema: Schema,
  field: string,
  from: string,
  errors: FieldError[],
): void {
  const not = schemaAt(restrictions, 'not');
  if (not !== undefined) checkNestedComplete(not, schema, field, `${from}.not`, errors);
  for (const member of JUNCTORS) {
    schemaList(restrictions, member).forEach((one, index) => {
      checkNestedComplete(one, schema, field, `${from}.${member}[${index}]`, errors);
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
  for (const [name, property] of schemasByName(nested)) {
    const part = `properties[${name}]`;
    const own = propertyOf(schema, name);
    checkNestedComplete(property, own, `${field}.${part}`, `${from}.${part}`, errors);
  }
}
