/**
 * The types of fields as owners of fields see them: which lists have items of their own, which
 * values are one leaf (README.md#list-and-map-types). Here they are compiled from the schema model,
 * each message once; those of plain objects come from their schemas.
 */
import { quoteGo } from '../../codec/json/go-json.ts';
import type {
  FieldSchema,
  Members,
  MessageSchema,
  SchemaModel,
} from '../../codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../codec/model/schema-walk.ts';
import type { FieldSet } from './field-set.ts';
import { SharedSets } from './shared-sets.ts';

export type FieldType = ScalarType | UntypedType | StructType | MapType | ListType;

export interface ScalarType {
  readonly kind: 'scalar';
  /** One of `LEAF_TYPES`. */
  readonly leaf: string;
}

/** Free-form JSON: maps have members of their own, lists are one leaf. */
export interface UntypedType {
  readonly kind: 'untyped';
}

export type StructType = MessageStruct | PlainStruct;

/** The members of a message. */
export interface MessageStruct {
  readonly kind: 'struct';
  readonly isPlain: false;
  readonly isAtomic: boolean;
  /** Sorted by name. */
  readonly fields: readonly StructField[];
  /**
   * The members that JSON shows of an object that has members of these names, none of them zero.
   */
  writtenOf(names: readonly string[]): WrittenFields;
  field(name: string): StructField | undefined;
}

/**
 * The members of an object that is JSON and nothing else: zero, null and absent are three things.
 */
export interface PlainStruct {
  readonly kind: 'struct';
  readonly isPlain: true;
  readonly isAtomic: boolean;
  /** Whether there may be members that it does not declare; they are untyped. */
  readonly isOpen: boolean;
  /** Members of objects of the type that were walked before. */
  readonly known: KeptByNames<PlainFields>;
  field(name: string): PlainField | undefined;
}

export interface PlainField {
  readonly type: FieldType;
}

/** The members of a plain object. */
export interface PlainFields {
  /** As the object has them. */
  readonly names: readonly string[];
  /** Sorted, with the element of each. */
  readonly sorted: readonly string[];
  readonly elements: readonly string[];
  /** The set of all members, where each is a leaf whatever its value; else undefined. */
  readonly whole: FieldSet | undefined;
}

export interface WrittenFields {
  /** The names of an object's members. */
  readonly names: readonly string[];
  /** The fields of the names and the always written ones, sorted by name, and their elements. */
  readonly fields: readonly StructField[];
  readonly elements: readonly string[];
  /** The sets of all fields in such objects. */
  readonly sets: SharedSets;
}

export interface StructField {
  readonly name: string;
  /** Its path element: `f:name`. */
  readonly element: string;
  readonly type: FieldType;
  /** All values are one leaf. */
  readonly isLeaf: boolean;
  /** The value in JSON of an absent field; undefined when JSON leaves it out. */
  readonly zero: unknown;
  /** Presence is tracked: an explicit zero differs from absent. */
  readonly keepsZero: boolean;
  /** JSON leaves a zero value out: it equals absent. */
  readonly dropsZero: boolean;
  /** A list or map for which empty and absent differ, though JSON shows neither. */
  readonly hidesEmpty: boolean;
  /** The default of the schema, which an absent key of an item has. */
  readonly default: unknown;
}

export interface MapType {
  readonly kind: 'map';
  readonly isAtomic: boolean;
  readonly item: FieldType;
}

export interface ListType {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  /** The keys with what is known of each, sorted by name. */
  readonly keyFields: readonly KeyField[];
  readonly item: FieldType;
}

/** A member that identifies the items of a keyed list. */
export interface KeyField {
  readonly name: string;
  /** `"name":`, as elements have it. */
  readonly text: string;
  readonly default: unknown;
  readonly zero: unknown;
}

export const UNTYPED: UntypedType = Object.freeze({ kind: 'untyped' });

const NO_MEMBERS: Members = Object.freeze({});

/** Zeros of always written leaves; types without an entry are null. */
const ZERO_OF: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  IntOrString: 0,
  Quantity: '0',
  Duration: '0s',
};

const COMPILERS = new WeakMap<SchemaModel, FieldTypeCompiler>();

/**
 * The type of a kind's objects: that of the message with `apiVersion` and `kind`. Messages compile
 * on first use. Throws an Error when the model has no such message.
 */
export function compileFieldTypes(model: SchemaModel, messageName: string): MessageStruct {
  return compilerOf(model).whole(messageName, undefined, undefined);
}

/** The type of a message that is no object of its own: without `apiVersion` and `kind`. */
export function compileMessageFields(model: SchemaModel, messageName: string): MessageStruct {
  return compilerOf(model).message(messageName);
}

function compilerOf(model: SchemaModel): FieldTypeCompiler {
  let compiler = COMPILERS.get(model);
  if (compiler === undefined) {
    compiler = new FieldTypeCompiler(model);
    COMPILERS.set(model, compiler);
  }
  return compiler;
}

/** Whether all values of the type are one leaf. */
export function isLeafType(type: FieldType): boolean {
  switch (type.kind) {
    case 'scalar':
      return true;
    case 'list':
      return type.relation === 'atomic';
    case 'untyped':
      return false;
    default:
      return type.isAtomic;
  }
}

/** The type of a member; free-form where the schema has none. */
export function memberType(type: FieldType, name: string): FieldType {
  if (type.kind === 'struct') return type.field(name)?.type ?? UNTYPED;
  return type.kind === 'map' ? type.item : UNTYPED;
}

/** Objects of a type have few different sets of members: their sorted order is kept for reuse. */
const KEPT_MAX = 8;

/** Keeps results for the names of an object's members, for objects that have the same names. */
export class KeptByNames<T extends { readonly names: readonly string[] }> {
  readonly #kept: T[] = [];

  get(names: readonly string[]): T | undefined {
    const kept = this.#kept;
    for (let at = 0; at < kept.length; at++) {
      const known = kept[at] as T;
      if (isSameList(known.names, names)) return known;
    }
    return undefined;
  }

  /** Keeps the first results up to the bound. */
  add(made: T): T {
    if (this.#kept.length < KEPT_MAX) this.#kept.push(made);
    return made;
  }
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** This is a class so that all structs have one hidden class: every write walks them. */
class LazyStruct implements MessageStruct {
  readonly kind = 'struct';
  readonly isPlain = false;
  readonly isAtomic: boolean;
  readonly #compile: () => readonly StructField[];
  #fields: readonly StructField[] | undefined;
  readonly #written = new KeptByNames<WrittenFields>();
  #byName: ReadonlyMap<string, StructField> | undefined;

  constructor(isAtomic: boolean, compile: () => readonly StructField[]) {
    this.isAtomic = isAtomic;
    this.#compile = compile;
  }

  get fields(): readonly StructField[] {
    return (this.#fields ??= this.#compile());
  }

  writtenOf(names: readonly string[]): WrittenFields {
    const known = this.#written.get(names);
    if (known !== undefined) return known;
    const there = new Set(names);
    const fields = this.fields.filter(({ name, zero }) => there.has(name) || zero !== undefined);
    const elements = fields.map(({ element }) => element);
    return this.#written.add({ names, fields, elements, sets: new SharedSets() });
  }

  field(name: string): StructField | undefined {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName.get(name);
  }
}

class FieldTypeCompiler {
  readonly #model: SchemaModel;
  readonly #structs = new Map<string, MessageStruct>();

  constructor(model: SchemaModel) {
    this.#model = model;
  }

  /** A message whose JSON has its version and kind; those given stand there when absent. */
  whole(name: string, apiVersion: string | undefined, kind: string | undefined): MessageStruct {
    const id = `${name} ${apiVersion} ${kind}`;
    return this.#struct(id, name, (message) => [
      typeMember('apiVersion', apiVersion),
      typeMember('kind', kind),
      ...this.#fields(message),
    ]);
  }

  message(name: string): MessageStruct {
    return this.#struct(name, name, (message) => this.#fields(message));
  }

  /** A member may be one value, or several, whatever its message says. */
  #seenAs(name: string, mapType: 'granular' | 'atomic'): MessageStruct {
    const fields = (message: MessageSchema): readonly StructField[] => this.#fields(message);
    return this.#struct(`${name} ${mapType}`, name, fields, mapType === 'atomic');
  }

  #struct(
    id: string,
    messageName: string,
    fieldsOf: (message: MessageSchema) => readonly StructField[],
    isAtomic?: boolean,
  ): MessageStruct {
    const known = this.#structs.get(id);
    if (known !== undefined) return known;
    const message = messageNamed(this.#model, messageName);
    const struct = new LazyStruct(isAtomic ?? message.atomic === true, () =>
      fieldsOf(message).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    this.#structs.set(id, struct);
    return struct;
  }

  #fields(message: MessageSchema): StructField[] {
    return jsonFields(this.#model, message).map((field) => {
      const zero = zeroOf(field);
      const isTracked = field.presence === true;
      const keepsZero = isTracked && field.container === 'single';
      const type = this.#type(field);
      return {
        name: field.name,
        element: `f:${field.name}`,
        type,
        isLeaf: isLeafType(type),
        zero,
        keepsZero,
        dropsZero: zero === undefined && !keepsZero,
        hidesEmpty: isTracked && !keepsZero && field.always !== true,
        default: field.default,
      };
    });
  }

  #type(field: FieldSchema): FieldType {
    const item = this.#itemType(field);
    if (field.container === 'map') {
      return { kind: 'map', isAtomic: field.mapType === 'atomic', item };
    }
    if (field.container === 'single') return item;
    const [relation, keys] = listRelation(field);
    const keyFields = relation === 'map' ? this.#keyFields(field.type, keys) : [];
    return { kind: 'list', relation, keys, keyFields, item };
  }

  #itemType({ type, container, mapType, embeddedKind }: FieldSchema): FieldType {
    if (type === 'RawExtension' || type === 'FieldsV1') return UNTYPED;
    if (!isMessageType(type)) return { kind: 'scalar', leaf: type };
    if (container === 'single' && mapType !== undefined) return this.#seenAs(type, mapType);
    if (embeddedKind === undefined) return this.message(type);
    const slash = embeddedKind.lastIndexOf('/');
    return this.whole(type, embeddedKind.slice(0, slash), embeddedKind.slice(slash + 1));
  }

  #keyFields(messageName: string, keys: readonly string[]): KeyField[] {
    const fields = jsonFields(this.#model, messageNamed(this.#model, messageName));
    return keys.toSorted().map((name) => {
      const field = fields.find((candidate) => candidate.name === name);
      const zero = field && zeroOf(field);
      const told = field?.default ?? field?.toldDefault;
      return { name, text: `${quoteGo(name)}:`, default: told, zero };
    });
  }
}

function typeMember(name: string, zero: string | undefined): StructField {
  return {
    name,
    element: `f:${name}`,
    type: { kind: 'scalar', leaf: 'string' },
    isLeaf: true,
    zero,
    keepsZero: false,
    dropsZero: zero === undefined,
    hidesEmpty: false,
    default: undefined,
  };
}

function listRelation(field: FieldSchema): ['atomic' | 'set' | 'map', readonly string[]] {
  if (field.listType === 'map') return ['map', field.listMapKeys ?? []];
  if (field.listType !== undefined) return [field.listType, []];
  if (field.patchStrategy?.includes('merge') !== true) return ['atomic', []];
  return field.mergeKey === undefined ? ['set', []] : ['map', [field.mergeKey]];
}

function zeroOf(field: FieldSchema): unknown {
  const isMessage = field.container === 'single' && isMessageType(field.type);
  // A message that is not optional is written even where the model does not say so.
  if (isMessage && field.presence !== true) return NO_MEMBERS;
  if (field.always !== true) return undefined;
  if (field.presence === true || field.container !== 'single') return null;
  return ZERO_OF[field.type] ?? null;
}
