/**
 * Definitions of custom types, from the schemas of what defines them
 * (src/front/README.md#custom-types). In version 2 readers are told less: what would make them
 * refuse a valid object is left open.
 */
import type { DefinitionFacts, VersionFacts } from '../../types/custom/definition-facts.ts';
import { definitionName } from './definition-names.ts';
import { KIND_MEMBERS, type JsonSchema } from './known-schemas.ts';
import { referenceTo, referenceWith, type Definition, type Flavour } from './references.ts';

/** A custom type in one of its versions. */
export interface CustomVersion {
  readonly definition: DefinitionFacts;
  readonly version: VersionFacts;
}

/** Readers recurse: what is deeper is any value to them. */
export const SCHEMA_LEVELS_MAX = 300;

/** Keywords about values themselves, which both versions of the documents have. */
const SAID = [
  'description',
  'title',
  'format',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;
/** Command line clients explain every custom type with these words. */
const METADATA = "Standard object's metadata: name, namespace, labels, versions and owners.";
const LIST_METADATA = 'What every list has: its version, and how to go on reading it.';
const ITEMS = 'The objects of the list.';

const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'] as const;
const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** The name by which the definitions of a type refer to it; no message has a name like this. */
export function customTypeName({ definition, version }: CustomVersion, kind: string): string {
  return `${definition.group}/${version.name}.${kind}`;
}

/** The definitions of a type and of its lists. */
export function customDefinitions(type: CustomVersion, flavour: Flavour): Definition[] {
  const { kind, listKind } = type.definition.names;
  const made: readonly (readonly [string, JsonSchema])[] = [
    [kind, objectSchema(type, flavour)],
    [listKind, listSchema(type, flavour)],
  ];
  return made.map(([name, schema]) => ({
    name: definitionName(customTypeName(type, name)),
    schema: {
      ...schema,
      'x-kubernetes-group-version-kind': [kindOf(type, name)],
      ...selectableFields(type),
    },
    refersTo: ['meta.v1.ObjectMeta', 'meta.v1.ListMeta'],
  }));
}

function selectableFields({ version }: CustomVersion): JsonSchema {
  const fields = version.selectableFields?.map((fieldPath) => ({ fieldPath }));
  return fields === undefined ? {} : { 'x-kubernetes-selectable-fields': fields };
}

function kindOf({ definition: { group }, version }: CustomVersion, kind: string): object {
  return { group, kind, version: version.name };
}

/** Without properties nothing is told, so that readers allow all of them. */
function objectSchema(type: CustomVersion, flavour: Flavour): JsonSchema {
  const { schemaText } = type.version;
  const json = schemaText === '' ? undefined : (JSON.parse(schemaText) as JsonSchema);
  const isOpen =
    flavour === 'v2' && (type.definition.preserveUnknownFields || preservesUnknown(json ?? {}));
  if (json === undefined || isOpen) return { type: 'object' };
  const schema = new Publisher(flavour).schema(json, SCHEMA_LEVELS_MAX);
  const members = { ...KIND_MEMBERS, metadata: metadataSchema(flavour) };
  return withProperties(schema, members);
}

function listSchema({ definition, version }: CustomVersion, flavour: Flavour): JsonSchema {
  const { kind, plural } = definition.names;
  const items = referenceTo(customTypeName({ definition, version }, kind), flavour);
  return {
    description: `A list of ${plural}.`,
    type: 'object',
    required: ['items'],
    properties: {
      ...KIND_MEMBERS,
      items: { description: ITEMS, type: 'array', items },
      metadata: referenceWith('meta.v1.ListMeta', flavour, { description: LIST_METADATA }),
    },
  };
}

function metadataSchema(flavour: Flavour): JsonSchema {
  return referenceWith('meta.v1.ObjectMeta', flavour, { description: METADATA });
}

/** Properties of a schema, sorted; `members` take the place of those of the same name. */
function withProperties(
  schema: JsonSchema,
  members: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const known = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const kept = known.filter(([name]) => !Object.hasOwn(members, name));
  return { ...schema, properties: sortedMembers([...kept, ...Object.entries(members)]) };
}

function sortedMembers(members: [string, JsonSchema][]): Record<string, JsonSchema> {
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function preservesUnknown(json: JsonSchema): boolean {
  return json['x-kubernetes-preserve-unknown-fields'] === true;
}

class Publisher {
  readonly #flavour: Flavour;
  readonly #isOpen: boolean;

  constructor(flavour: Flavour) {
    this.#flavour = flavour;
    this.#isOpen = flavour === 'v2';
  }

  /** `levels` is how many may be told, this one included. */
  schema(json: JsonSchema, levels: number): JsonSchema {
    if (levels === 0) return {};
    const schema = this.#isOpen ? this.#openSchema(json, levels) : this.#wholeSchema(json, levels);
    const isTold = json['x-kubernetes-embedded-resource'] === true;
    if (!isTold || (this.#isOpen && preservesUnknown(json))) return schema;
    const required = (schema['required'] ?? []) as readonly string[];
    const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
    const members = { ...KIND_MEMBERS, metadata: metadataSchema(this.#flavour) };
    return withProperties({ ...schema, required: [...required, ...missing] }, members);
  }

  /** As readers of version 3 understand it. */
  #wholeSchema(json: JsonSchema, levels: number): JsonSchema {
    const { type, nullable, default: value, required, items, not } = json;
    const alternatives = ALTERNATIVES.flatMap((name) => {
      const schemas = (json[name] ?? []) as readonly JsonSchema[];
      const told = schemas.map((schema) => this.schema(schema, levels - 1));
      return told.length === 0 ? [] : [[name, told] as const];
    });
    return {
      ...said(json),
      ...(isSaid(type) && { type }),
      ...(nullable === true && { nullable }),
      ...((value ?? null) !== null && { default: value }),
      ...(isSaid(required) && { required }),
      ...this.#properties(json, levels),
      ...this.#additional(json, levels),
      ...(isSchema(items) && { items: this.schema(items, levels - 1) }),
      ...withIntOrString(json, Object.fromEntries(alternatives)),
      ...(isSchema(not) && { not: this.schema(not, levels - 1) }),
    };
  }

  /**
   * Readers of version 2 know no null and no alternatives, and take what has properties or items
   * for something that has no others.
   */
  #openSchema(json: JsonSchema, levels: number): JsonSchema {
    const { type, items, additionalProperties: additional } = json;
    const preserves = preservesUnknown(json);
    const isOpen = json['nullable'] === true || preserves;
    const hasItems = isSchema(items) && !isOpen;
    const hasType = json['nullable'] !== true && (type !== 'array' || hasItems);
    const isAny = isSchema(additional) && additional['nullable'] === true;
    const required = isAny ? [] : requiredBesideNulls(json, isOpen);
    return {
      ...said(json),
      ...(isSaid(type) && hasType && !(preserves && type === 'object') && { type }),
      ...(required.length > 0 && { required }),
      ...(!isOpen && this.#properties(json, levels)),
      ...this.#additional(json, levels),
      ...(hasItems && { items: this.schema(items, levels - 1) }),
    };
  }

  #properties({ properties }: JsonSchema, levels: number): JsonSchema {
    if (!isSchema(properties)) return {};
    const members = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [
      name,
      this.schema(schema as JsonSchema, levels - 1),
    ]);
    return members.length === 0 ? {} : { properties: sortedMembers(members) };
  }

  #additional({ additionalProperties: additional }: JsonSchema, levels: number): JsonSchema {
    if (typeof additional === 'boolean') return { additionalProperties: additional };
    if (!isSchema(additional)) return {};
    return { additionalProperties: this.schema(additional, levels - 1) };
  }
}

/** Properties that may be null are not asked for: readers take null for nothing. */
function requiredBesideNulls(json: JsonSchema, isOpen: boolean): readonly string[] {
  const required = (json['required'] ?? []) as readonly string[];
  const { properties } = json;
  if (isOpen || !isSchema(properties)) return required;
  const mayBeNull = (name: string): boolean =>
    Object.hasOwn(properties, name) && (properties[name] as JsonSchema)['nullable'] === true;
  return required.filter((name) => !mayBeNull(name));
}

/** Adds what `x-kubernetes-int-or-string` means, for readers who do not know it. */
function withIntOrString(json: JsonSchema, told: JsonSchema): JsonSchema {
  if (json['x-kubernetes-int-or-string'] !== true) return told;
  const { anyOf, allOf = [] } = json as { anyOf?: readonly object[]; allOf?: readonly object[] };
  const [first] = allOf as readonly { anyOf?: readonly object[] }[];
  if (saysIntegerOrString(anyOf) || saysIntegerOrString(first?.anyOf)) return told;
  if (anyOf === undefined) return { ...told, anyOf: INTEGER_OR_STRING };
  const others = (told['allOf'] ?? []) as readonly JsonSchema[];
  return { ...told, allOf: [{ anyOf: INTEGER_OR_STRING }, ...others] };
}

function saysIntegerOrString(anyOf: readonly object[] | undefined): boolean {
  return JSON.stringify(anyOf) === JSON.stringify(INTEGER_OR_STRING);
}

function said(json: JsonSchema): JsonSchema {
  const schema: JsonSchema = {};
  for (const name of SAID) if (isSaid(json[name])) schema[name] = json[name];
  return schema;
}

/** Whether a member says more than its absence. */
function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
