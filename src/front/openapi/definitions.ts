/**
 * Definitions of both versions of the documents, made from the schema model when something refers
 * to them. A definition is made once and is shared by all documents of its version.
 *
 * Messages are named here as they are published. The shape of a version that is stored in another
 * one is that one's: `batch.v1beta1.CronJob` is made from `batch.v1.CronJob`.
 */
import type { Descriptions } from '../../codec/model/proto-descriptions.ts';
import type { FieldSchema, MessageSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { DEFAULT_GATES } from '../../release/own-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { definitionName } from './definition-names.ts';
import {
  KIND_MEMBERS,
  LEAF_SCHEMAS,
  LEAF_SCHEMAS_V3,
  MEMBER_EXTENSIONS,
  PUBLISHED_MEMBERS,
  unionsOf,
  type JsonSchema,
} from './known-schemas.ts';
import { packageOf, publishedIn, type ModelFacts } from './model-facts.ts';
import { referenceWith, withReferred, type Definition, type Flavour } from './references.ts';
import { isRequiredMember } from './required-members.ts';

/** The messages of `proto/`, with their facts for programs and descriptions for people. */
export interface DescribedModel {
  readonly model: SchemaModel;
  readonly descriptions: Descriptions;
}

/** The facts that definitions are made from. */
export interface DefinitionSource extends DescribedModel {
  readonly facts: ModelFacts;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};
/** The defaults that version 3 gives absent values, by type; there is none for bytes. */
const ZEROS: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
};
const TELLS_VALUES = DEFAULT_GATES.has('OpenAPIEnums');
/** Lists of strings that are messages in binary only. */
const STRING_LISTS: ReadonlySet<string> = new Set(['strings', 'meta.v1.Verbs']);

export class Definitions {
  readonly flavour: Flavour;
  readonly #made = new Map<string, Definition>();
  readonly #source: DefinitionSource;

  constructor(source: DefinitionSource, flavour: Flavour) {
    this.#source = source;
    this.flavour = flavour;
  }

  /** The definition of a published message. Throws an Error when the model has none. */
  find(type: string): Definition {
    let definition = this.#made.get(type);
    if (definition === undefined) {
      definition = this.#make(type);
      this.#made.set(type, definition);
    }
    return definition;
  }

  /** These definitions and all that they refer to. */
  withAll(types: Iterable<string>): ReadonlyMap<string, Definition> {
    return withReferred(types, (type) => this.find(type));
  }

  #make(type: string): Definition {
    const name = definitionName(type);
    const leaf = LEAF_SCHEMAS[type];
    if (leaf !== undefined) {
      const description = this.#description(`meta.v1.${type}`);
      const more = this.flavour === 'v3' ? LEAF_SCHEMAS_V3[type] : undefined;
      return { name, schema: { ...description, ...(more?.(leaf) ?? leaf) }, refersTo: [] };
    }
    const { model, facts } = this.#source;
    const source = facts.sourceOf(type);
    const message = model.messages[source];
    if (message === undefined) throw new Error(`${type} has no message in the schema model`);
    const refersTo = new Set<string>();
    const schema = this.#messageSchema(type, message, refersTo);
    return { name, schema, refersTo: [...refersTo] };
  }

  #messageSchema(type: string, message: MessageSchema, refersTo: Set<string>): JsonSchema {
    const kinds = this.#source.facts.kindsOf(type);
    const hasType = kinds.length > 0 && type !== 'meta.v1.WatchEvent';
    const properties = new Map<string, JsonSchema>();
    if (hasType) {
      for (const [name, member] of Object.entries(KIND_MEMBERS)) properties.set(name, member);
    }
    const required: string[] = [];
    for (const { owner, field } of this.#flatFields(message)) {
      properties.set(field.name, this.#property({ type, owner, field }, refersTo));
      if (isRequiredMember(owner, field)) required.push(field.name);
    }
    const unions = unionsOf(message);
    const sorted = [...properties].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...this.#description(message.name),
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(sorted.length > 0 && { properties: Object.fromEntries(sorted) }),
      ...(kinds.length > 0 && { 'x-kubernetes-group-version-kind': kinds }),
      ...(message.atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
      ...(message.isGranular === true && { 'x-kubernetes-map-type': 'granular' }),
      ...(unions !== undefined && { 'x-kubernetes-unions': unions }),
    };
  }

  /** The fields with those of inline messages in their place, each with the message it is of. */
  *#flatFields(message: MessageSchema): Iterable<{ owner: string; field: FieldSchema }> {
    for (const field of message.fields) {
      const inner = field.inline === true ? this.#source.model.messages[field.type] : undefined;
      if (inner === undefined) yield { owner: message.name, field };
      else yield* this.#flatFields(inner);
    }
  }

  #property(
    { type, owner, field }: { type: string; owner: string; field: FieldSchema },
    refersTo: Set<string>,
  ): JsonSchema {
    const valueType = this.#publishedType(
      type,
      PUBLISHED_MEMBERS[`${owner}.${field.name}`] ?? field.type,
    );
    if (!isScalar(valueType) && !STRING_LISTS.has(valueType)) refersTo.add(valueType);
    const path = `${owner}.${field.name}`;
    const description = this.#description(path);
    const extensions = { ...extensionsOf(field), ...MEMBER_EXTENSIONS[path] };
    if (field.container === 'single') {
      const isPointer = field.presence === true;
      const told = this.#source.facts.keyDefault(owner, field) ?? toldDefaultOf(field);
      const zero = told ?? (field.always === true && !isPointer ? zeroOf(valueType) : undefined);
      const more = { ...description, ...this.#enumOf(field), ...extensions };
      return this.#value(valueType, zero, more);
    }
    const item = this.#value(valueType, itemZeroOf(valueType), this.#enumOf(field));
    return field.container === 'list'
      ? { ...description, type: 'array', items: item, ...extensions }
      : { ...description, type: 'object', additionalProperties: item, ...extensions };
  }

  #description(path: string): JsonSchema {
    const description = this.#source.descriptions[path];
    return description === undefined ? {} : { description };
  }

  /** Readers of version 2 are told where the release has that on by default. */
  #enumOf({ enumValues }: FieldSchema): JsonSchema {
    const isTold = enumValues !== undefined && (this.flavour === 'v3' || TELLS_VALUES);
    return isTold ? { enum: [...enumValues].sort() } : {};
  }

  #value(type: string, zero: unknown, more: JsonSchema): JsonSchema {
    const hasDefault = zero !== undefined && this.flavour === 'v3';
    if (STRING_LISTS.has(type)) {
      return { ...more, type: 'array', items: this.#value('string', itemZeroOf('string'), {}) };
    }
    const scalar = SCALARS[type];
    const rest = { ...more, ...(hasDefault && { default: zero }) };
    if (scalar !== undefined) return { ...rest, ...scalar };
    return referenceWith(type, this.flavour, rest);
  }

  /** The type of a member of a published message, as it is published itself. */
  #publishedType(type: string, memberType: string): string {
    const published = publishedIn(packageOf(type), memberType);
    return this.#source.facts.sourceOf(published) === memberType ? published : memberType;
  }
}

function toldDefaultOf({ type, toldDefault }: FieldSchema): unknown {
  const isJson = typeof toldDefault === 'string' && !isScalar(type);
  return isJson ? JSON.parse(toldDefault) : toldDefault;
}

function isScalar(type: string): boolean {
  return Object.hasOwn(SCALARS, type);
}

function zeroOf(type: string): unknown {
  if (isScalar(type)) return ZEROS[type];
  const isLeaf = !type.includes('.') || Object.hasOwn(LEAF_SCHEMAS, type);
  if (isLeaf && ownRelease().has('leavesWithoutDefaults')) return undefined;
  return STRING_LISTS.has(type) ? undefined : {};
}

/** Gives the zero of items of lists and maps. */
function itemZeroOf(type: string): unknown {
  return ownRelease().has('itemsWithoutDefaults') ? undefined : zeroOf(type);
}

/**
 * The extensions that tell patches and apply about a member (src/front/README.md#other-documents).
 */
function extensionsOf(field: FieldSchema): JsonSchema {
  const { listType, listMapKeys, mapType, patchStrategy, mergeKey } = field;
  return {
    ...(listMapKeys !== undefined && { 'x-kubernetes-list-map-keys': listMapKeys }),
    ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }),
    ...(mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(patchStrategy !== undefined && {
      'x-kubernetes-patch-strategy': patchStrategy.join(','),
    }),
  };
}
