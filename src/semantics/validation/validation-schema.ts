/**
 * The constraints of the schema model as JSON Schemas, one per message (../README.md#field-errors).
 * Types are left out, since the codec guarantees them; a message without any constraint in its tree
 * has no schema, so that validating a kind costs only what its rules cost. ObjectMeta has rules of
 * its own (`object-meta-validation.ts`) and is left out wherever it occurs, and so are whole
 * objects inside of others, which are templates that the reference does not check.
 */
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../codec/model/schema-walk.ts';
import type { ReleasedEnum } from './released-values.ts';

const OBJECT_META = 'meta.v1.ObjectMeta';

/** The keywords in use; those that JSON Schema has not are in `validator-compiler.ts`. */
export interface JsonSchema {
  $id?: string;
  message?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  minProperties?: number;
  enum?: readonly string[];
  releasedEnum?: ReleasedEnum;
  format?: string;
  nonEmpty?: true;
  atLeast?: number;
  atMost?: number;
}

/** The members that the message of that name has in JSON. */
export function membersOf(model: SchemaModel, message: string): readonly FieldSchema[] {
  return jsonFields(model, messageNamed(model, message));
}

/** The members that rules of values may stand on. */
function checkedMembersOf(model: SchemaModel, message: string): readonly FieldSchema[] {
  return membersOf(model, message).filter(
    ({ type, embeddedKind }) => type !== OBJECT_META && embeddedKind === undefined,
  );
}

/**
 * A message whose presence is not tracked counts as there even when it is left out, so its required
 * members are required.
 */
export function isImplied(field: FieldSchema): boolean {
  return isMessageType(field.type) && field.container === 'single' && field.presence !== true;
}

/** Whether an empty message breaks a rule. */
export function requiresMembers(model: SchemaModel, message: string, seen: string[] = []): boolean {
  if (message === OBJECT_META || seen.includes(message)) return false;
  const path = [...seen, message];
  return membersOf(model, message).some(
    (field) =>
      field.required === true || (isImplied(field) && requiresMembers(model, field.type, path)),
  );
}

/** The schemas of every message below `messages` that has a constraint, by message name. */
export function validationSchemas(
  model: SchemaModel,
  messages: readonly string[],
): Map<string, JsonSchema> {
  const constrained = constrainedMessages(model, messages);
  const schemas = new Map<string, JsonSchema>();
  for (const message of constrained) {
    schemas.set(message, { $id: message, ...messageSchema(model, message, constrained) });
  }
  return schemas;
}

function reachableMessages(model: SchemaModel, messages: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...messages];
  for (let message = queue.pop(); message !== undefined; message = queue.pop()) {
    if (message === OBJECT_META || reached.has(message)) continue;
    reached.add(message);
    for (const field of checkedMembersOf(model, message))
      if (isMessageType(field.type)) queue.push(field.type);
  }
  return reached;
}

/** Messages with a constraint of their own or in a message below, cycles included. */
function constrainedMessages(model: SchemaModel, messages: readonly string[]): Set<string> {
  const reached = [...reachableMessages(model, messages)].sort();
  const constrained = new Set<string>();
  let before: number;
  do {
    before = constrained.size;
    for (const message of reached) {
      const found = checkedMembersOf(model, message).some(
        (field) => isConstrained(field) || constrained.has(field.type),
      );
      if (found) constrained.add(message);
    }
  } while (constrained.size > before);
  return constrained;
}

function isConstrained(field: FieldSchema): boolean {
  return (
    field.required === true ||
    checkedEnum(field) !== undefined ||
    field.minimum !== undefined ||
    field.maximum !== undefined ||
    field.format !== undefined ||
    field.keyFormat !== undefined
  );
}

function checkedEnum({ enumValues, unchecked }: FieldSchema): readonly string[] | undefined {
  return unchecked === true ? undefined : enumValues;
}

function messageSchema(
  model: SchemaModel,
  message: string,
  constrained: ReadonlySet<string>,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of checkedMembersOf(model, message)) {
    if (isConstrained(field) || constrained.has(field.type)) {
      properties[field.name] = fieldSchema(model, field, constrained);
    }
    const implied = isImplied(field) && requiresMembers(model, field.type);
    if (field.required === true || implied) required.push(field.name);
  }
  return { properties, ...(required.length > 0 ? { required } : {}) };
}

function fieldSchema(
  model: SchemaModel,
  field: FieldSchema,
  constrained: ReadonlySet<string>,
): JsonSchema {
  const value = valueSchema(model, field, constrained);
  const needed = field.required === true;
  switch (field.container) {
    case 'single':
      return needed && !isMessageType(field.type) ? { ...value, nonEmpty: true } : value;
    case 'list':
      return { ...whenAny('items', value), ...(needed ? { minItems: 1 } : {}) };
    case 'map':
      return {
        ...whenAny('additionalProperties', value),
        ...(field.keyFormat === undefined ? {} : { propertyNames: { format: field.keyFormat } }),
        ...(needed ? { minProperties: 1 } : {}),
      };
  }
}

function whenAny(keyword: 'items' | 'additionalProperties', value: JsonSchema): JsonSchema {
  return Object.keys(value).length > 0 ? { [keyword]: value } : {};
}

/** Values that come or go with releases are looked up when the validators are loaded. */
function enumSchema({ enumLives }: FieldSchema, values: readonly string[]): JsonSchema {
  if (enumLives === undefined) return { enum: values };
  return { releasedEnum: values.map((value) => [value, enumLives[value] ?? {}]) };
}

function valueSchema(
  model: SchemaModel,
  field: FieldSchema,
  constrained: ReadonlySet<string>,
): JsonSchema {
  const { type } = field;
  if (isMessageType(type)) {
    if (!constrained.has(type)) return {};
    const isLeaf = checkedMembersOf(model, type).every((member) => !constrained.has(member.type));
    return isLeaf ? messageSchema(model, type, constrained) : { message: type };
  }
  const allowed = checkedEnum(field);
  return {
    ...(allowed === undefined ? {} : enumSchema(field, allowed)),
    ...(field.format === undefined ? {} : { format: field.format }),
    ...(field.minimum === undefined ? {} : { atLeast: field.minimum }),
    ...(field.maximum === undefined ? {} : { atMost: field.maximum }),
  };
}
