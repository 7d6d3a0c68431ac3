/** The schema of a custom resource as decoded: values in it are kept as text. */
import { RawJson } from '../../codec/json/raw-json.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** The lists of schemas that restrict values. */
export const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;

const NONE: Schema = {};

/** A schema that may be absent; empty when it is. */
export function schemaOf(value: unknown): Schema {
  return isSchema(value) ? value : NONE;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas of the members that `properties` or another map of schemas names. */
export function schemasByName(schema: Schema, member = 'properties'): [string, Schema][] {
  const map = schema[member];
  return isSchema(map) ? Object.entries(map as Record<string, Schema>) : [];
}

/** The schema of one property. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const properties = schemaOf(schema['properties']);
  return Object.hasOwn(properties, name) ? (properties[name] as Schema) : undefined;
}

/** The schemas of a list such as `allOf`. */
export function schemaList(schema: Schema, member: string): readonly Schema[] {
  const list = schema[member];
  return Array.isArray(list) ? (list as Schema[]) : [];
}

/** The schema at a member such as `not`. */
export function schemaAt(schema: Schema, member: string): Schema | undefined {
  const value = schema[member];
  return isSchema(value) && !(value instanceof RawJson) ? value : undefined;
}

/** The one schema of all items; undefined when there is none, or one for each. */
export function itemSchema(schema: Schema): Schema | undefined {
  return schemaAt(schema, 'items');
}

/**
 * The schema of properties that `properties` does not name; undefined where `additionalProperties`
 * is a boolean or absent.
 */
export function additionalSchema(schema: Schema): Schema | undefined {
  return schemaAt(schema, 'additionalProperties');
}

export function typeOf(schema: Schema): string {
  const { type } = schema;
  return typeof type === 'string' ? type : '';
}

const PLAIN_MEMBERS: ReadonlySet<string> = new Set([
  'description',
  'enum',
  'example',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'externalDocs',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'properties',
  'required',
  'title',
  'type',
]);

/**
 * Whether a schema says nothing that there are rules about, but for its type, its properties and
 * its one schema of items: most do, and large definitions have thousands of them.
 */
export function isPlain(schema: Schema): boolean {
  for (const member of Object.keys(schema)) if (!PLAIN_MEMBERS.has(member)) return false;
  return !Array.isArray(schema['items']);
}

/** Where structural schemas have schemas, `below` is called with each. */
export function forEachBelow(schema: Schema, below: (schema: Schema) => void): void {
  for (const member of Object.keys(schema)) {
    const value = schema[member];
    if (member === 'properties') Object.values(value as Record<string, Schema>).forEach(below);
    else if (BELOW_MEMBERS.has(member)) {
      if (Array.isArray(value)) (value as Schema[]).forEach(below);
      else if (isSchema(value)) below(value);
    }
  }
}

const BELOW_MEMBERS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  ...JUNCTORS,
]);
