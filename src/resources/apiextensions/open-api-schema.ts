/**
 * Checks which members a schema may have, and their values (README.md#custom-resource-definitions).
 */
import type { ValidationRule } from '#messages/apiextensions.v1';
import {
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { ownRelease } from '../../release/release.ts';
import { schemaPath } from '../../schema/schema-path.ts';
import { lenient } from './lenience.ts';
import { checkLists } from './schema-lists.ts';
import {
  additionalSchema,
  isPlain,
  itemSchema,
  schemaAt,
  schemaList,
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
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const RULES = 'x-kubernetes-validations';

/** Where a schema stands. */
interface Place {
  readonly isRoot: boolean;
  /** Below the kind, version or metadata of a whole object. */
  readonly insideMeta: boolean;
  /** Why there may be no default; undefined where there may be one. */
  readonly defaultForbidden: string | undefined;
}

const ROOT: Place = { isRoot: true, insideMeta: false, defaultForbidden: undefined };
const BELOW: Place = { ...ROOT, isRoot: false };

/** The findings of one walk through a schema. */
interface Walk {
  readonly errors: FieldError[];
  /** Why the schema cannot be read as a structural one; '' when it can. */
  unreadable: string;
}

/**
 * Adds the problems of the schema of a version at the path `field`. Returns why it cannot be read
 * as a structural one; '' when it can.
 */
export function checkOpenApi(schema: Schema, field: string, errors: FieldError[]): string {
  if (schema['nullable'] === true) {
    errors.push(fieldForbidden(`${field}.nullable`, 'nullable cannot be true at the root'));
  }
  const walk = { errors, unreadable: '' };
  checkNode(schema, field, ROOT, walk);
  return walk.unreadable;
}

function checkNode(schema: Schema, field: string, place: Place, walk: Walk): void {
  if (place === BELOW && isPlain(schema) && (TYPES.includes(typeOf(schema)) || !schema['type'])) {
    const { properties } = schema;
    if (properties !== undefined) {
      for (const name of Object.keys(properties as Schema)) {
        const property = (properties as Schema)[name] as Schema;
        checkNode(property, `${field}.properties[${name}]`, BELOW, walk);
      }
    }
    if (schema['items'] !== undefined) {
      checkNode(schema['items'] as Schema, `${field}.items`, BELOW, walk);
    }
    return;
  }
  const { errors } = walk;
  walk.unreadable ||= unreadableReason(schema);
  checkSupported(schema, field, place, errors);
  if (schema['uniqueItems'] === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldForbidden(`${field}.uniqueItems`, detail));
  }
  checkMembers(schema, field, place, walk);
  checkOthers(schema, field, place.isRoot ? BELOW : place, walk);
  if (schema[PRESERVES] === false) {
    errors.push(invalid(`${field}.${PRESERVES}`, false, 'must be true or undefined'));
  }
  checkLists(schema, field, errors);
  if (schema[RULES] !== undefined) checkRules(schema, field, errors);
}

function checkSupported(schema: Schema, field: string, place: Place, errors: FieldError[]): void {
  const type = typeOf(schema);
  if (type !== '' && !TYPES.includes(type)) {
    errors.push(lenient(notSupported(`${field}.type`, type, TYPES), 'types'));
  }
  if (place.defaultForbidden !== undefined && schema['default'] !== undefined) {
    errors.push(fieldForbidden(`${field}.default`, `must not be set ${place.defaultForbidden}`));
  }
  for (const member of UNSUPPORTED) {
    if (schema[member] === undefined) continue;
    errors.push(fieldForbidden(`${field}.${member}`, `${member} is not supported`));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(fieldForbidden(`${field}.type`, detail));
  }
  if (Array.isArray(schema['items'])) {
    const detail = 'items must be a schema object and not an array';
    errors.push(fieldForbidden(`${field}.items`, detail));
  }
  if (place.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    errors.push(fieldForbidden(`${field}.x-kubernetes-embedded-resource`, detail));
  }
}

function checkMembers(schema: Schema, field: string, place: Place, walk: Walk): void {
  const properties = schemasByName(schema);
  const additional = schema['additionalProperties'];
  if (additional !== undefined && additional !== true && properties.length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    walk.errors.push(fieldForbidden(`${field}.additionalProperties`, detail));
  }
  const below = place.isRoot ? BELOW : place;
  const others = additionalSchema(schema);
  if (others !== undefined) {
    const defaultForbidden = 'inside additionalProperties applying to object metadata';
    const inside = place.insideMeta ? { ...below, defaultForbidden } : below;
    checkNode(others, `${field}.additionalProperties`, inside, walk);
  }
  const isWhole = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of properties) {
    const path = `${field}.properties[${name}]`;
    if (isWhole && META_MEMBERS.has(name)) {
      const defaultForbidden = place.isRoot ? `in top-level ${name}` : place.defaultForbidden;
      checkNode(property, path, { isRoot: false, insideMeta: true, defaultForbidden }, walk);
    } else checkNode(property, path, below, walk);
  }
}

/** Checks all other schemas below, also in members that are not allowed. */
function checkOthers(schema: Schema, field: string, place: Place, walk: Walk): void {
  const not = schemaAt(schema, 'not');
  if (not !== undefined) checkNode(not, `${field}.not`, place, walk);
  for (const member of ['allOf', 'oneOf', 'anyOf', 'items']) {
    schemaList(schema, member).forEach((one, index) => {
      checkNode(one, `${field}.${member}[${index}]`, place, walk);
    });
  }
  for (const member of ['definitions', 'dependencies']) {
    for (const [name, one] of schemasByName(schema, member)) {
      if (!Array.isArray(one)) checkNode(one, `${field}.${member}[${name}]`, place, walk);
    }
  }
  const items = itemSchema(schema);
  if (items !== undefined) checkNode(items, `${field}.items`, place, walk);
}

/** Members that no structural schema may have, with their names in errors. */
const UNREADABLE: readonly (readonly [member: string, name: string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

function unreadableReason(schema: Schema): string {
  for (const [member, name] of UNREADABLE) {
    const value = schema[member];
    // An empty map counts as absent for `dependencies` alone.
    const isEmpty = member === 'dependencies' && schemasByName(schema, member).length === 0;
    if (value === undefined || value === '' || isEmpty) continue;
    return `OpenAPIV3Schema '${name}' is not supported`;
  }
  if (schema[PRESERVES] === false) {
    return `internal error: '${PRESERVES}' must be true or undefined`;
  }
  if (!Array.isArray(schema['items'])) return '';
  return "OpenAPIV3Schema 'items' must be a schema, but is an array";
}

const LINE_BREAK = /[\n\r]/;

/**
 * Checks the members of rules, but not their expressions: `ruleErrors` of the rule engine does
 * that.
 */
function checkRules(schema: Schema, field: string, errors: FieldError[]): void {
  (schema[RULES] as readonly ValidationRule[]).forEach((one, index) => {
    const { rule = '', message = '' } = one;
    const path = `${field}.${RULES}[${index}]`;
    const text = message.trim();
    if (rule.trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
    else if (message !== '' && text === '') {
      const detail = `${OF_MESSAGE}must be non-empty if specified`;
      errors.push(invalid(`${path}.message`, message, detail));
    } else if (LINE_BREAK.test(text)) {
      errors.push(invalid(`${path}.message`, message, `${OF_MESSAGE}must not contain line breaks`));
    } else if (LINE_BREAK.test(rule.trim()) && text === '') {
      const detail = 'message must be specified if rule contains line breaks';
      errors.push(required(`${path}.message`, detail));
    }
    checkAnswer(schema, one, path, errors);
  });
}

const OF_MESSAGE = ownRelease().has('namelessMessageErrors') ? '' : 'message ';
const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Checks what a broken rule is to be told as. */
function checkAnswer(
  schema: Schema,
  { messageExpression = '', reason, fieldPath = '' }: ValidationRule,
  path: string,
  errors: FieldError[],
): void {
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(required(`${path}.messageExpression`, detail));
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  }
  if (fieldPath === '') return;
  const refuse = (detail: string): void => {
    errors.push(invalid(`${path}.fieldPath`, fieldPath, detail));
  };
  if (fieldPath.trim() === '') refuse(`${OF_FIELD_PATH}must be non-empty if specified`);
  if (LINE_BREAK.test(fieldPath)) refuse(`${OF_FIELD_PATH}must not contain line breaks`);
  if (typeof schemaPath(fieldPath, schema) === 'string') {
    refuse(`${OF_FIELD_PATH}must be a valid path`);
  }
}

const OF_FIELD_PATH = ownRelease().has('namelessMessageErrors') ? '' : 'fieldPath ';

/** The members that the root may have when the status is a subresource. */
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
/** Members that the reference reports before the type. */
const BEFORE_TYPE = ['id', '$schema', '$ref'];
const ALLOWED_MEMBERS: ReadonlySet<string> = new Set([
  ...ALLOWED_WITH_STATUS.map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
  PRESERVES,
  RULES,
]);

/** Adds the problems of the root of a schema where there is a status subresource. */
export function checkRootWithStatus(schema: Schema, field: string, errors: FieldError[]): void {
  const type = typeOf(schema);
  const isOtherType = type !== '' && type !== 'object';
  if (isOtherType && BEFORE_TYPE.every((member) => schema[member] === undefined)) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource ' +
      'is enabled';
    errors.push(invalid(`${field}.type`, type, detail));
    return;
  }
  const said = Object.keys(schema).filter((member) => schema[member] !== undefined);
  if (said.every((member) => ALLOWED_MEMBERS.has(member))) return;
  const detail =
    `only [${ALLOWED_WITH_STATUS.join(' ')}] fields are allowed at the root of the schema if the ` +
    'status subresource is enabled';
  // The whole schema would be too much to show.
  errors.push(invalid(field, said, detail));
}
