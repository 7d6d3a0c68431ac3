/** Defaults in schemas: each is a value that its schema takes, with no members that it drops. */
import { deepEqual } from '../../base/deep-equal.ts';
import { invalid, type FieldError } from '../../semantics/field-error.ts';
import {
  additionalSchema,
  itemSchema,
  plainValue,
  schemasByName,
  schemaOf,
  type Schema,
} from './schema-node.ts';
import { checkValue } from './schema-value.ts';

const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const META_MEMBERS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Adds the problems of the defaults of a structural schema at the path `field`. */
export function checkDefaults(schema: Schema, field: string, errors: FieldError[]): void {
  checkNode(schema, field, true, errors);
}

function checkNode(schema: Schema, field: string, isObject: boolean, errors: FieldError[]): void {
  const value = plainValue(schema['default']);
  if (value !== undefined && value !== null) {
    const path = `${field}.default`;
    if (!deepEqual(pruned(value, schema, isObject), value)) {
      errors.push(invalid(path, value, 'must not have unknown fields'));
    }
    checkValue(value, schema, path, errors);
  }
  const items = itemSchema(schema);
  if (items !== undefined) checkNode(items, `${field}.items`, isWhole(items), errors);
  for (const [name, property] of schemasByName(schema)) {
    checkNode(property, `${field}.properties[${name}]`, isWhole(property), errors);
  }
}

function isWhole(schema: Schema): boolean {
  return schema[EMBEDDED] === true;
}

/** The value without the members that its schema does not know. */
function pruned(value: unknown, schema: Schema, isObject: boolean): unknown {
  if (Array.isArray(value)) {
    const items = itemSchema(schema) ?? {};
    return value.map((item: unknown) => pruned(item, items, isWhole(items)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = schemaOf(schema['properties']);
  const additional = additionalSchema(schema);
  const keepsOthers = schema[PRESERVES] === true || schema['additionalProperties'] === true;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isObject && META_MEMBERS.has(name)) kept.push([name, member]);
    else if (Object.hasOwn(properties, name)) {
      const property = schemaOf(properties[name]);
      kept.push([name, pruned(member, property, isWhole(property))]);
    } else if (additional !== undefined) {
      kept.push([name, pruned(member, additional, isWhole(additional))]);
    } else if (keepsOthers || plainValue(schema['additionalProperties']) === true) {
      kept.push([name, member]);
    }
  }
  return Object.fromEntries(kept);
}
