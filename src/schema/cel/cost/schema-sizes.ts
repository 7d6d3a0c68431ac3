/** How large the values of a schema can be at most, and at least (README.md#sizes). */
import { ownRelease } from '../../../release/release.ts';
import { unescapedName } from '../escaped-names.ts';
import { declaredType, type ValueSchema } from '../schema-values.ts';

/** The bytes of the largest request, on which bounds of values are built. */
const REQUEST_BYTES_MAX = 3 * 1024 * 1024;
/** Without the brackets or quotes around them. */
const VALUE_BYTES_MAX = REQUEST_BYTES_MAX - 2;

const BOUNDS_INT_OR_STRING = ownRelease().has('boundedIntOrString');
const BOUNDS_ENUMS = ownRelease().has('boundedEnums');

/** The way from a variable to a value: fields, and `@items`, `@keys` and `@values` of all. */
export type ValuePath = readonly string[];

/** How large values can be. */
export interface Sizes {
  /** The most parts that a value can have; undefined for one that nothing tells of. */
  mostAt(path: ValuePath): number | undefined;
}

export class SchemaSizes implements Sizes {
  readonly #root: ValueSchema;
  readonly #least = new Map<ValueSchema, number>();

  /** `root` is the schema of what all variables hold. */
  constructor(root: ValueSchema) {
    this.#root = root;
  }

  /** How often values of the root can be in a request at most. */
  get occurrencesMax(): number {
    return Math.floor(REQUEST_BYTES_MAX / (this.#leastBytes(this.#root) + 1));
  }

  mostAt(path: ValuePath): number | undefined {
    let node: ValueSchema | 'key' | undefined = this.#root;
    for (const name of path.slice(1)) {
      if (node === 'key') return undefined;
      node = partOf(node, name);
      if (node === undefined) return undefined;
    }
    return node === 'key' ? 0 : this.#most(node);
  }

  #most({ schema, items, additional, isStruct }: ValueSchema): number {
    const { maxLength, maxItems, maxProperties, enum: values } = schema.json;
    if (schema.isIntOrString) {
      const isBounded = BOUNDS_INT_OR_STRING && typeof maxLength === 'number';
      return isBounded ? bytesOf(maxLength) : VALUE_BYTES_MAX;
    }
    switch (schema.type) {
      case 'array':
        if (typeof maxItems === 'number') return Math.max(maxItems, 0);
        return items ? Math.floor(VALUE_BYTES_MAX / (this.#leastBytes(items) + 1)) : 0;
      case 'object':
        if (isStruct || additional === undefined) return 0;
        if (typeof maxProperties === 'number') return Math.max(maxProperties, 0);
        return Math.floor(VALUE_BYTES_MAX / (this.#leastBytes(additional) + 6));
      case 'string':
        return mostOfText(schema.json['format'], maxLength, values);
      default:
        return 0;
    }
  }

  /** The bytes of the shortest value as JSON. */
  #leastBytes(node: ValueSchema): number {
    const known = this.#least.get(node);
    if (known !== undefined) return known;
    const least = this.#countLeastBytes(node);
    this.#least.set(node, least);
    return least;
  }

  #countLeastBytes(node: ValueSchema): number {
    const { schema } = node;
    if (schema.isIntOrString) return 1;
    switch (schema.type) {
      case 'object':
        return node.isStruct ? this.#leastBytesOfStruct(node) : 2;
      case 'string':
        return LEAST_BYTES_OF_FORMATS.get(schema.json['format']) ?? 2;
      case 'boolean':
        return 4;
      case 'array':
        return 2;
      default:
        return 1;
    }
  }

  /** Only members that must be there and have no default count. */
  #leastBytesOfStruct(node: ValueSchema): number {
    const { required } = node.schema.json;
    let bytes = 2;
    for (const name of new Set((required as readonly string[] | undefined) ?? [])) {
      const property = node.property(name);
      const isSeen = property !== undefined && declaredType(property, '') !== undefined;
      if (!isSeen || property.schema.default !== undefined) continue;
      bytes += Buffer.byteLength(name) + this.#leastBytes(property) + 4;
    }
    return bytes;
  }
}

const LEAST_BYTES_OF_FORMATS: ReadonlyMap<unknown, number> = new Map([
  ['duration', 3],
  ['date', 12],
  ['date-time', 21],
]);

const MOST_OF_FORMATS: ReadonlyMap<unknown, number> = new Map([
  ['duration', 32],
  ['date', 12],
  ['date-time', 32],
]);

function mostOfText(format: unknown, maxLength: unknown, values: unknown): number {
  const most = MOST_OF_FORMATS.get(format);
  if (most !== undefined) return most;
  if (typeof maxLength === 'number') {
    return format === 'byte' ? Math.max(maxLength, 0) : bytesOf(maxLength);
  }
  if (format === 'byte' || !BOUNDS_ENUMS || !Array.isArray(values) || values.length === 0) {
    return VALUE_BYTES_MAX;
  }
  const texts = values.filter((value) => typeof value === 'string');
  return Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
}

/** Gives the bytes of a text with so many characters. */
function bytesOf(maxLength: number): number {
  return Math.max(maxLength, 0) * 4;
}

function partOf(node: ValueSchema, name: string): ValueSchema | 'key' | undefined {
  const { type, isIntOrString } = node.schema;
  if (isIntOrString) return undefined;
  const isMap = type === 'object' && !node.isStruct && node.additional !== undefined;
  switch (name) {
    case '@items':
    case '@values':
      if (type === 'array') return seen(node.items);
      return isMap ? seen(node.additional) : undefined;
    case '@keys':
      return isMap ? 'key' : undefined;
    default: {
      const plain = type === 'object' && !isMap ? unescapedName(name) : undefined;
      return plain === undefined ? undefined : seen(node.property(plain));
    }
  }
}

/** A part that expressions can see. */
function seen(node: ValueSchema | undefined): ValueSchema | undefined {
  return node !== undefined && declaredType(node, '') !== undefined ? node : undefined;
}
