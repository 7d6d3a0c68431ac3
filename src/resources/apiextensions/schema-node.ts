/**
 * The schema of a custom resource, looked at as the JSON that it is; members of the wrong type are
 * for the codec to refuse.
 */
import { RawJson } from '../../codec/raw-json.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A schema that may be kept as JSON text; empty when it is none. */
export function schemaOf(value: unknown): Schema {
  const plain = plainValue(value);
  return typeof plain === 'object' && plain !== null ? (plain as Schema) : {};
}

/** A value that may be kept as JSON text. */
export function plainValue(value: unknown): unknown {
  return value instanceof RawJson ? (JSON.parse(value.text) as unknown) : value;
}

/** The schemas of the members that `properties` or another map of schemas names. */
export function schemasByName(schema: Schema, member = 'properties'): [string, Schema][] {
  return Object.entries(schemaOf(schema[member])).map(([name, value]) => [name, schemaOf(value)]);
}

/** The schemas of a list such as `allOf`. */
export function schemaList(schema: Schema, member: string): Schema[] {
  const list = schema[member];
  return Array.isArray(list) ? list.map(schemaOf) : [];
}

/** The one schema of all items; undefined when there is none, or one for each. */
export function itemSchema(schema: Schema): Schema | undefined {
  const items = plainValue(schema['items']);
  if (items === undefined || items === null || Array.isArray(items)) return undefined;
  return schemaOf(items);
}

/** What other properties must be like; undefined when none is like any other, or all are. */
export function additionalSchema(schema: Schema): Schema | undefined {
  const additional = plainValue(schema['additionalProperties']);
  return typeof additional === 'object' && additional !== null ? schemaOf(additional) : undefined;
}

export function typeOf(schema: Schema): string {
  const { type } = schema;
  return typeof type === 'string' ? type : '';
}
