/** Random documents of any message of the schema model. */
import type { FieldSchema, SchemaModel } from '../../src/codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../src/codec/model/schema-walk.ts';
import type { Random } from './random.ts';

interface RandomObjectOptions {
  /** Messages may nest so deep; below it only members that are required are there. */
  readonly depth: number;
  /** int64 values beyond what a number holds; only `documentText` can write those. */
  readonly bigints?: boolean;
}

type Document = Record<string, unknown>;

/**
 * A document of the message as a client might send it: canonical leaf values, members with a zero
 * value, odd map keys. Enumerations and bounds are honoured, formats are not. Lists and maps that
 * are there are not empty where JSON always writes them or an empty one is another than none, as
 * protobuf cannot tell.
 */
export function randomObject(
  model: SchemaModel,
  messageName: string,
  random: Random,
  options: RandomObjectOptions,
): Document {
  return new Generator(model, random, options).message(messageName, options.depth);
}

/** JSON of a document, which may hold a bigint. */
export function documentText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(documentText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${documentText(member)}`,
  );
  return `{${members.join(',')}}`;
}

const TEXTS = [
  'a',
  'web-1',
  '0',
  '0s',
  'cluster.io/name',
  'two words',
  '"quoted\\"',
  '<&>',
  'tab\tline\nnull\u0000bell\u0007',
  'naïve',
  '日本語',
  '\u{1f600}',
  '\u2028\ufeff\uffff',
  'x'.repeat(130),
  'ü'.repeat(90),
] as const;
const KEYS = [...TEXTS, '', '__proto__', 'constructor', 'toString', '10', '9'] as const;
const QUANTITIES = ['1', '500m', '1Gi', '-2k', '1e3', '1500n', '12E', '3Ki'] as const;
const TIMES = ['2021-12-07T10:11:12Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z'] as const;
const MICRO_TIMES = [
  '2021-12-07T10:11:12.000001Z',
  '1969-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00.500000Z',
] as const;
const BIGINTS = [2n ** 53n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)] as const;
const RAW_VALUES = [
  { spec: { replicas: 3, '<b>': [1, null, 'é'] } },
  [],
  'text',
  1.5,
  false,
] as const;

class Generator {
  readonly #model: SchemaModel;
  readonly #random: Random;
  readonly #depth: number;
  readonly #bigints: boolean;

  constructor(model: SchemaModel, random: Random, { depth, bigints = false }: RandomObjectOptions) {
    this.#model = model;
    this.#random = random;
    this.#depth = depth;
    this.#bigints = bigints;
  }

  message(name: string, depth: number): Document {
    const document: Document = {};
    for (const field of jsonFields(this.#model, messageNamed(this.#model, name))) {
      const isThere = field.required === true || (depth > 0 && this.#chooses(field, depth));
      if (isThere) document[field.name] = this.#value(name, field, depth - 1);
    }
    return document;
  }

  /** Parts that every object has are there more often; of the rest, fewer further down. */
  #chooses(field: FieldSchema, depth: number): boolean {
    const isPart = isMessageType(field.type) && field.always === true;
    return isPart ? !this.#oneIn(8) : this.#oneIn(2 + Math.max(0, this.#depth - depth));
  }

  #value(messageName: string, field: FieldSchema, depth: number): unknown {
    const item = (): unknown => this.#item(messageName, field, depth);
    if (field.container === 'single') return item();
    const { always, presence, required } = field;
    const mayBeEmpty = always !== true && presence !== true && required !== true;
    const isEmpty = mayBeEmpty && this.#oneIn(8);
    const size = isEmpty ? 0 : 1 + this.#random.below(3);
    if (field.container === 'list') return Array.from({ length: size }, item);
    // Any key is one of the map's own.
    const map = Object.create(null) as Document;
    for (let count = 0; count < size; count += 1) map[this.#random.pick(KEYS)] = item();
    return map;
  }

  #item(messageName: string, field: FieldSchema, depth: number): unknown {
    if (isMessageType(field.type)) return this.message(field.type, depth);
    const variant = VARIANT_VALUES[`${messageName}.${field.name}`];
    if (variant !== undefined) return this.#random.pick(variant);
    if (field.enumValues?.length) return this.#random.pick(nonEmpty(field.enumValues));
    return this.#oneIn(8) ? (ZEROS[field.type] ?? this.#leaf(field)) : this.#leaf(field);
  }

  #leaf(field: FieldSchema): unknown {
    const random = this.#random;
    switch (field.type) {
      case 'string':
        return random.pick(TEXTS);
      case 'bool':
        return random.below(2) === 0;
      case 'int32':
      case 'int64':
      case 'double':
        return this.#number(field);
      case 'bytes':
        return random.pick(['YQ==', 'YWI=', '/+8A']);
      case 'Time':
        return random.pick(TIMES);
      case 'MicroTime':
        return random.pick(MICRO_TIMES);
      case 'Duration':
        return random.pick(['1h0m0s', '-1.5s', '3ns']);
      case 'Quantity':
        return random.pick(QUANTITIES);
      case 'IntOrString':
        return random.pick([8080, -1, '25%', 'http']);
      case 'RawExtension':
        return random.pick<unknown>(RAW_VALUES);
      case 'FieldsV1':
        return { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } };
      default:
        throw new Error(`no values for ${field.type}`);
    }
  }

  #number(field: FieldSchema): unknown {
    const { minimum, maximum } = field;
    if (minimum !== undefined || maximum !== undefined) {
      const low = minimum ?? (maximum ?? 0) - 100;
      return low + this.#random.below((maximum ?? low + 1_000) - low + 1);
    }
    if (field.type === 'double') return this.#random.pick([0.1, -1.5e300, 3, 5e-324]);
    if (field.type === 'int32') return this.#random.pick([1, 200, -1, 2 ** 31 - 1, -(2 ** 31)]);
    if (this.#bigints && this.#oneIn(3)) return this.#random.pick(BIGINTS);
    return this.#random.pick([1, 300, -1, 2 ** 40, Number.MAX_SAFE_INTEGER, -(2 ** 31) - 1]);
  }

  #oneIn(count: number): boolean {
    return this.#random.below(count) === 0;
  }
}

const ZEROS: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: '',
  Duration: '0s',
  Quantity: '0',
  IntOrString: 0,
};

const SCHEMA = { description: '"<a>"', type: 'object' };
const STRINGS = [['a', '"b"'], ['']] as const;
/** Members that are free JSON in the model, but not in the kind. */
const VARIANT_VALUES: Readonly<Record<string, readonly [unknown, ...unknown[]]>> = {
  'apiextensions.v1.JSONSchemaProps.items': [SCHEMA, [SCHEMA, { items: [{}] }]],
  'apiextensions.v1.JSONSchemaProps.additionalItems': [true, false, SCHEMA, {}],
  'apiextensions.v1.JSONSchemaProps.additionalProperties': [true, false, SCHEMA, {}],
  'apiextensions.v1.JSONSchemaProps.dependencies': [SCHEMA, {}, ...STRINGS],
  'authentication.v1.UserInfo.extra': STRINGS,
  'authorization.v1.SubjectAccessReviewSpec.extra': STRINGS,
  'certificates.v1.CertificateSigningRequestSpec.extra': STRINGS,
};

function nonEmpty(values: readonly string[]): readonly [string, ...string[]] {
  const [first = '', ...rest] = values;
  return [first, ...rest];
}
