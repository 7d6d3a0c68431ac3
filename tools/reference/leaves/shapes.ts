/** Shapes of documents, from the schema model or from a custom type's schema, as one tree. */
import {
  SCHEMA_MESSAGE,
  SCHEMA_VARIANTS,
  STRING_LIST_MAPS,
  type FieldSchema,
  type SchemaModel,
} from '../../../src/codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../../src/codec/model/schema-walk.ts';
import type { SchemaJson } from '../public-definitions.ts';

export type Shape =
  | {
      readonly of: 'leaf';
      /** One of `LEAF_TYPES`. */
      readonly type: string;
      /** A value that is likely to be valid, where the type alone does not say one. */
      readonly good?: unknown;
    }
  | {
      readonly of: 'object';
      /** Objects of one name are alike. */
      readonly name: string;
      readonly members: () => readonly ShapeMember[];
    }
  | { readonly of: 'list'; readonly item: Shape }
  | { readonly of: 'map'; readonly value: Shape };

export interface ShapeMember {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
}

/** A place that a document may have: `spec`, `containers`, `[]`, `name`. */
export interface Place {
  /** Names of members; `[]` for an item of a list, `{}` for a value of a map. */
  readonly path: readonly string[];
  readonly shape: Shape;
}

/** How often an object of one name may stand in itself: schemas hold schemas. */
const SAME_MAX = 2;

export function messageShape(model: SchemaModel, name: string): Shape {
  const shapes = new Map<string, Shape>();
  const shapeOf = (message: string): Shape => {
    const known = shapes.get(message);
    if (known !== undefined) return known;
    let members: readonly ShapeMember[] | undefined;
    const read = (): readonly ShapeMember[] =>
      jsonFields(model, messageNamed(model, message)).map((field) => ({
        name: field.name,
        shape: contained(field, ofField(`${message}.${field.name}`, field)),
        required: field.required === true,
      }));
    const shape: Shape = { of: 'object', name: message, members: () => (members ??= read()) };
    shapes.set(message, shape);
    return shape;
  };
  const ofField = (fullName: string, { type, enumValues }: FieldSchema): Shape => {
    if (isMessageType(type)) return shapeOf(type);
    if (SCHEMA_VARIANTS.has(fullName)) return shapeOf(SCHEMA_MESSAGE);
    if (STRING_LIST_MAPS.has(fullName)) {
      return { of: 'list', item: { of: 'leaf', type: 'string' } };
    }
    const good = enumValues?.find((value) => value !== '');
    return { of: 'leaf', type, ...(good !== undefined && { good }) };
  };
  return shapeOf(name);
}

function contained({ container }: FieldSchema, shape: Shape): Shape {
  if (container === 'list') return { of: 'list', item: shape };
  return container === 'map' ? { of: 'map', value: shape } : shape;
}

/** The shape of the objects of a custom type; `metadata` is the shape of their metadata. */
export function schemaShape(schema: SchemaJson, metadata: Shape, name = 'custom'): Shape {
  const { properties, additionalProperties, items, type, required = [] } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { of: 'leaf', type: 'IntOrString' };
  if (type === 'array')
    return { of: 'list', item: schemaShape(items ?? {}, metadata, `${name}[]`) };
  if (type === 'object' && properties === undefined && typeof additionalProperties === 'object') {
    return { of: 'map', value: schemaShape(additionalProperties, metadata, `${name}{}`) };
  }
  if (type === 'object' && properties !== undefined) {
    const isRoot = name === 'custom';
    const members = Object.entries(properties).map(([member, of]) => ({
      name: member,
      shape:
        isRoot && member === 'metadata' ? metadata : schemaShape(of, metadata, `${name}.${member}`),
      required: (required as string[]).includes(member),
    }));
    return { of: 'object', name, members: () => members };
  }
  const leaf = LEAF_OF_TYPE[type as string] ?? 'RawExtension';
  const good = schema.enum?.[0] ?? schema.default;
  return { of: 'leaf', type: leaf, ...(good !== undefined && { good }) };
}

const LEAF_OF_TYPE: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'int64',
  number: 'double',
};

/** Every place below the shape, each before those in it. */
export function* placesOf(
  shape: Shape,
  path: readonly string[] = [],
  within: readonly string[] = [],
): Generator<Place> {
  if (path.length > 0) yield { path, shape };
  switch (shape.of) {
    case 'leaf':
      return;
    case 'list':
      yield* placesOf(shape.item, [...path, '[]'], within);
      return;
    case 'map':
      yield* placesOf(shape.value, [...path, '{}'], within);
      return;
    case 'object': {
      if (within.filter((name) => name === shape.name).length >= SAME_MAX) return;
      for (const { name, shape: member } of shape.members()) {
        yield* placesOf(member, [...path, name], [...within, shape.name]);
      }
    }
  }
}

/** `spec.containers[].name`. */
export function placeText(path: readonly string[]): string {
  return path.reduce((text, part) => {
    if (part === '[]' || part === '{}') return text + part;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** A value of the shape that has no more than it must. */
export function leastValue(shape: Shape, depth = 0): unknown {
  if (shape.of === 'list') return [leastValue(shape.item, depth + 1)];
  if (shape.of === 'map') return { a: leastValue(shape.value, depth + 1) };
  if (shape.of === 'leaf') return shape.good ?? LEAST[shape.type];
  const needed = shape.members().filter(({ required }) => required && depth < 8);
  return Object.fromEntries(
    needed.map(({ name, shape: member }) => [name, leastValue(member, depth + 1)]),
  );
}

const LEAST: Readonly<Record<string, unknown>> = {
  string: 'a',
  bool: true,
  int32: 1,
  int64: 1,
  double: 1,
  bytes: 'YQ==',
  Time: '2021-12-07T10:11:12Z',
  MicroTime: '2021-12-07T10:11:12.000001Z',
  Duration: '1h0m0s',
  Quantity: '1',
  IntOrString: 1,
  RawExtension: { a: 1 },
  FieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
};
