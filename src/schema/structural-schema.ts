/**
 * The schema of a custom resource as a tree (README.md#schemas). A node looks at its own members
 * only and makes those below when they are asked for, so that only used parts of a large schema
 * cost something.
 */
import type { Members } from '../codec/model/schema-model.ts';

/** The parsed JSON of `openAPIV3Schema`, or of a schema inside of it. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** The ways in which items of a list are told apart. */
export type ListRelation = 'atomic' | 'set' | 'map';

/** A property whose schema has a default. */
export interface DefaultedProperty {
  readonly name: string;
  readonly schema: StructuralSchema;
}

/** One node. Immutable to its users: the JSON that it reads must not change. */
export class StructuralSchema {
  readonly json: SchemaJson;
  /** '' for one that has none. */
  readonly type: string;
  readonly nullable: boolean;
  /** To be copied before use; undefined when there is none, which null says too. */
  readonly default: unknown;
  readonly preservesUnknown: boolean;
  readonly isEmbeddedResource: boolean;
  readonly isIntOrString: boolean;
  /** undefined for one that says nothing, as for an atomic list. */
  readonly listType: ListRelation | undefined;
  readonly listMapKeys: readonly string[];
  readonly isAtomicMap: boolean;

  readonly #properties: Members | undefined;
  /** Made with the first property: most nodes are leaves. */
  #made: Map<string, StructuralSchema> | undefined;
  #items: StructuralSchema | null | undefined;
  #additional: StructuralSchema | boolean | null | undefined;
  #mentioned: Map<string, boolean> | undefined;
  #defaulted: readonly DefaultedProperty[] | undefined;

  constructor(json: SchemaJson) {
    this.json = json;
    const { type, properties } = json;
    this.type = typeof type === 'string' ? type : '';
    this.nullable = json['nullable'] === true;
    this.default = json['default'] ?? undefined;
    this.preservesUnknown = json['x-kubernetes-preserve-unknown-fields'] === true;
    this.isEmbeddedResource = json['x-kubernetes-embedded-resource'] === true;
    this.isIntOrString = json['x-kubernetes-int-or-string'] === true;
    this.listType = json['x-kubernetes-list-type'] as ListRelation | undefined;
    this.listMapKeys = (json['x-kubernetes-list-map-keys'] as string[] | undefined) ?? NO_KEYS;
    this.isAtomicMap = json['x-kubernetes-map-type'] === 'atomic';
    this.#properties = isSchema(properties) ? (properties as Members) : undefined;
  }

  /** undefined when the schema does not name it. */
  property(name: string): StructuralSchema | undefined {
    const known = this.#made?.get(name);
    if (known !== undefined || this.#properties === undefined) return known;
    if (!Object.hasOwn(this.#properties, name)) return undefined;
    const json = this.#properties[name];
    const made = new StructuralSchema(isSchema(json) ? json : EMPTY);
    this.#made ??= new Map();
    this.#made.set(name, made);
    return made;
  }

  /** In the order of the schema. */
  propertyNames(): readonly string[] {
    return this.#properties === undefined ? [] : Object.keys(this.#properties);
  }

  get hasProperties(): boolean {
    return this.#properties !== undefined && Object.keys(this.#properties).length > 0;
  }

  /** The schema of the items of a list. */
  get items(): StructuralSchema | undefined {
    if (this.#items === undefined) {
      const { items } = this.json;
      this.#items = isSchema(items) ? new StructuralSchema(items) : null;
    }
    return this.#items ?? undefined;
  }

  /** The schema of members that no property names; a boolean allows or forbids them all. */
  get additionalProperties(): StructuralSchema | boolean | undefined {
    if (this.#additional === undefined) {
      const { additionalProperties: additional } = this.json;
      if (typeof additional === 'boolean') this.#additional = additional;
      else this.#additional = isSchema(additional) ? new StructuralSchema(additional) : null;
    }
    return this.#additional ?? undefined;
  }

  /** The schema of members that no property names, where they have one. */
  get additionalSchema(): StructuralSchema | undefined {
    const additional = this.additionalProperties;
    return typeof additional === 'object' ? additional : undefined;
  }

  /** The schema of a member, whether it is named or not. */
  member(name: string): StructuralSchema | undefined {
    return this.property(name) ?? this.additionalSchema;
  }

  /**
   * Whether any schema of the tree has that extension; if not, walks can be skipped. Searches once.
   */
  mentions(extension: string): boolean {
    this.#mentioned ??= new Map();
    let found = this.#mentioned.get(extension);
    if (found === undefined) {
      found = isMentioned(this.json, extension);
      this.#mentioned.set(extension, found);
    }
    return found;
  }

  /**
   * Assumes that the extension is mentioned, for callers that know that a search is not worth its
   * time.
   */
  assumeMentioned(extension: string): this {
    this.#mentioned = new Map(this.#mentioned).set(extension, true);
    return this;
  }

  /** The properties that have a default. */
  get defaultedProperties(): readonly DefaultedProperty[] {
    return (this.#defaulted ??= this.propertyNames()
      .filter((name) => hasDefault(this.#properties?.[name]))
      .map((name) => ({ name, schema: this.property(name) as StructuralSchema })));
  }
}

const NO_KEYS: readonly string[] = [];
const EMPTY: SchemaJson = {};

/** Whether a value of a schema is a schema itself, or a map of some. */
export function isSchema(value: unknown): value is SchemaJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasDefault(value: unknown): boolean {
  return isSchema(value) && (value['default'] ?? null) !== null;
}

function isMentioned(json: SchemaJson, extension: string): boolean {
  const pending = [json];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Object.hasOwn(next, extension)) return true;
    const { properties, items, additionalProperties } = next;
    const named = isSchema(properties) ? Object.values(properties) : [];
    for (const below of [items, additionalProperties, ...named]) {
      if (isSchema(below)) pending.push(below);
    }
  }
  return false;
}

/** Whether every object has the member, even if its schema does not name it. */
export function isResourceMember(name: string): boolean {
  return name === 'metadata' || name === 'apiVersion' || name === 'kind';
}
