/** The fields of a custom resource as their owners see them (README.md#fields). */
import { quoteGo } from '../codec/json/go-json.ts';
import { ownRelease } from '../release/release.ts';
import { KeptByNames, UNTYPED } from '../semantics/fields/field-types.ts';
import type {
  FieldType,
  KeyField,
  ListType,
  MapType,
  MessageStruct,
  PlainField,
  PlainFields,
  PlainStruct,
  ScalarType,
  StructType,
} from '../semantics/fields/field-types.ts';
import { isResourceMember, type StructuralSchema } from './structural-schema.ts';

/**
 * The type of the objects of a schema. `objectMeta` is that of their metadata, which is decoded;
 * metadata of resources in them is JSON. Types below are made on first use.
 */
export function schemaFieldTypes(schema: StructuralSchema, objectMeta: MessageStruct): PlainStruct {
  const around = { objectMeta: new PlainMessage(objectMeta), isOpen: false };
  return new SchemaStruct(schema, true, around, objectMeta);
}

/** Facts that hold for everything below a node. */
interface Surroundings {
  /** The metadata of resources inside of the object. */
  readonly objectMeta: PlainStruct;
  /** Something above preserves unknown members. */
  readonly isOpen: boolean;
}

const STRING: ScalarType = { kind: 'scalar', leaf: 'string' };
/** Whether a text of a format may be any scalar to an apply, as in the reference. */
const KNOWS_FORMATS = ownRelease().has('formatsInApply');
const FORMATTED: ScalarType = { kind: 'scalar', leaf: 'Formatted' };
const NUMBER: ScalarType = { kind: 'scalar', leaf: 'double' };
const BOOLEAN: ScalarType = { kind: 'scalar', leaf: 'bool' };

function typeOf(schema: StructuralSchema | undefined, around: Surroundings): FieldType {
  if (schema === undefined) return UNTYPED;
  if (schema.isEmbeddedResource) return new SchemaStruct(schema, true, around);
  switch (schema.type) {
    case 'array':
      return new SchemaList(schema, around);
    case 'string': {
      const { format = '' } = schema.json;
      const isText = !KNOWS_FORMATS || format === '' || format === 'byte';
      return isText ? STRING : FORMATTED;
    }
    case 'integer':
    case 'number':
      return NUMBER;
    case 'boolean':
      return BOOLEAN;
    default:
      if (schema.hasProperties) return new SchemaStruct(schema, false, around);
      return schema.type === 'object' ? new SchemaMap(schema, around) : UNTYPED;
  }
}

class SchemaStruct implements PlainStruct {
  readonly kind = 'struct';
  readonly isPlain = true;
  readonly isAtomic: boolean;
  readonly isOpen: boolean;
  readonly known = new KeptByNames<PlainFields>();
  readonly #schema: StructuralSchema;
  readonly #isResource: boolean;
  readonly #objectMeta: StructType;
  readonly #below: Surroundings;
  readonly #fields = new Map<string, PlainField>();

  constructor(
    schema: StructuralSchema,
    isResource: boolean,
    around: Surroundings,
    objectMeta: StructType = around.objectMeta,
  ) {
    this.isAtomic = schema.isAtomicMap;
    this.isOpen = around.isOpen || schema.preservesUnknown;
    this.#schema = schema;
    this.#isResource = isResource;
    this.#objectMeta = objectMeta;
    this.#below = this.isOpen === around.isOpen ? around : { ...around, isOpen: true };
  }

  field(name: string): PlainField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const type = this.#typeOf(name);
    if (type === undefined) return undefined;
    const field = { type };
    this.#fields.set(name, field);
    return field;
  }

  #typeOf(name: string): FieldType | undefined {
    if (this.#isResource && isResourceMember(name)) {
      return name === 'metadata' ? this.#objectMeta : STRING;
    }
    const property = this.#schema.property(name);
    return property && typeOf(property, this.#below);
  }
}

class SchemaMap implements MapType {
  readonly kind = 'map';
  readonly isAtomic: boolean;
  readonly #schema: StructuralSchema;
  readonly #around: Surroundings;
  #item: FieldType | undefined;

  constructor(schema: StructuralSchema, around: Surroundings) {
    this.isAtomic = schema.isAtomicMap;
    this.#schema = schema;
    this.#around = around;
  }

  get item(): FieldType {
    return (this.#item ??= typeOf(this.#schema.additionalSchema, this.#around));
  }
}

class SchemaList implements ListType {
  readonly kind = 'list';
  readonly relation: ListType['relation'];
  readonly keys: readonly string[];
  readonly #schema: StructuralSchema;
  readonly #around: Surroundings;
  #item: FieldType | undefined;
  #keyFields: readonly KeyField[] | undefined;

  constructor(schema: StructuralSchema, around: Surroundings) {
    this.relation = schema.listType ?? 'atomic';
    this.keys = schema.listMapKeys;
    this.#schema = schema;
    this.#around = around;
  }

  get item(): FieldType {
    return (this.#item ??= typeOf(this.#schema.items, this.#around));
  }

  get keyFields(): readonly KeyField[] {
    return (this.#keyFields ??= this.keys.toSorted().map((name) => ({
      name,
      text: `${quoteGo(name)}:`,
      default: this.#schema.items?.property(name)?.default,
      zero: undefined,
    })));
  }
}

/** A message whose values are JSON as they are, as metadata is inside of an object. */
class PlainMessage implements PlainStruct {
  readonly kind = 'struct';
  readonly isPlain = true;
  readonly isOpen = false;
  readonly known = new KeptByNames<PlainFields>();
  readonly isAtomic: boolean;
  readonly #message: MessageStruct;
  readonly #fields = new Map<string, PlainField>();

  constructor(message: MessageStruct) {
    this.isAtomic = message.isAtomic;
    this.#message = message;
  }

  field(name: string): PlainField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const declared = this.#message.field(name);
    if (declared === undefined) return undefined;
    const field = { type: plainType(declared.type) };
    this.#fields.set(name, field);
    return field;
  }
}

/** The type for values that are JSON as they are. */
function plainType(type: FieldType): FieldType {
  if (type.kind === 'struct') return type.isPlain ? type : new PlainMessage(type);
  if (type.kind === 'map') return { ...type, item: plainType(type.item) };
  if (type.kind !== 'list') return type;
  return { ...type, item: plainType(type.item) };
}
