/** The rules of one schema, read from its JSON when the first value comes to it. */
import { goValueText } from '../semantics/patch/go-value-text.ts';
import { ownRelease } from '../release/release.ts';
import { formatCheck, isFormatOf, type FormatCheck } from './string-formats.ts';
import { isSchema, type SchemaJson } from './structural-schema.ts';

/** Types as bits, so that a schema can allow several. */
export const TYPE = {
  string: 1,
  integer: 2,
  number: 4,
  boolean: 8,
  array: 16,
  object: 32,
} as const;
/** Matches no value: a schema of unknown type is refused, but its default is still checked. */
const UNKNOWN_TYPE = 64;

const CHECKS_RANGES = ownRelease().has('rangesOfNumbers');

/** The numbers that a type and its format can hold. */
export interface NumberRange {
  readonly type: string;
  /** '' for that of the type. */
  readonly format: string;
}

/** Bounds of numbers; for integers a bound is cut to an integer, as in the reference. */
export interface NumberRules {
  readonly multipleOf: number | undefined;
  readonly minimum: number | undefined;
  readonly excludesMinimum: boolean;
  readonly maximum: number | undefined;
  readonly excludesMaximum: boolean;
  /** Undefined where any number will do. */
  readonly range: NumberRange | undefined;
}

/** The values that are allowed. */
export interface Enumeration {
  readonly values: readonly unknown[];
  /** The scalars among them, without null, which no value equals. */
  readonly scalars: ReadonlySet<unknown>;
  /** Text that is the same for enumerations that are the same. */
  readonly text: string;
}

/** Combinations with other schemas. */
export interface Junctors {
  readonly anyOf: readonly ValueRules[];
  readonly oneOf: readonly ValueRules[];
  readonly allOf: readonly ValueRules[];
  readonly not: ValueRules | undefined;
}

export class ValueRules {
  /** The types that are allowed, as in `TYPE`; 0 when the schema names none. */
  readonly types: number;
  /** As errors name them: `integer,string`. */
  readonly typeText: string;
  readonly nullable: boolean;
  /** '' for a format that is not checked. */
  readonly format: string;
  readonly isOfFormat: FormatCheck | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** '' for none. */
  readonly pattern: string;
  readonly numbers: NumberRules | undefined;
  readonly enumeration: Enumeration | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  readonly junctors: Junctors | undefined;

  readonly #json: SchemaJson;
  readonly #properties: SchemaJson | undefined;
  /** Made with the first property, because most schemas are leaves. */
  #made: Map<string, ValueRules> | undefined;
  #items: ValueRules | null | undefined;
  #additional: ValueRules | boolean | null | undefined;

  constructor(json: SchemaJson) {
    const isEither = json['x-kubernetes-int-or-string'] === true;
    this.typeText = isEither ? 'integer,string' : textOf(json, 'type');
    this.types = isEither ? TYPE.integer | TYPE.string : typeBit(this.typeText);
    this.nullable = json['nullable'] === true;
    const format = textOf(json, 'format');
    const isKnown = !CHECKS_RANGES || isFormatOf(isEither ? '' : this.typeText, format);
    this.isOfFormat = isKnown ? formatCheck(format) : undefined;
    this.format = (CHECKS_RANGES ? isKnown : this.isOfFormat !== undefined) ? format : '';
    this.minLength = numberOf(json, 'minLength');
    this.maxLength = numberOf(json, 'maxLength');
    this.pattern = textOf(json, 'pattern');
    this.numbers = numberRules(json, rangeOf(this.typeText, this.format));
    this.enumeration = enumerationOf(json);
    this.minItems = numberOf(json, 'minItems');
    this.maxItems = numberOf(json, 'maxItems');
    this.uniqueItems = json['uniqueItems'] === true;
    this.minProperties = numberOf(json, 'minProperties');
    this.maxProperties = numberOf(json, 'maxProperties');
    this.required = (json['required'] as string[] | null | undefined) ?? [];
    this.junctors = junctorsOf(json);
    this.#json = json;
    this.#properties = (json['properties'] as SchemaJson | null | undefined) ?? undefined;
  }

  property(name: string): ValueRules | undefined {
    const known = this.#made?.get(name);
    if (known !== undefined || this.#properties === undefined) return known;
    if (!Object.hasOwn(this.#properties, name)) return undefined;
    const made = new ValueRules(this.#properties[name] as SchemaJson);
    this.#made ??= new Map();
    this.#made.set(name, made);
    return made;
  }

  get items(): ValueRules | undefined {
    if (this.#items === undefined) {
      const { items } = this.#json;
      this.#items = isSchema(items) ? new ValueRules(items) : null;
    }
    return this.#items ?? undefined;
  }

  /** The rules of members that no property names; false forbids them. */
  get additional(): ValueRules | boolean | undefined {
    if (this.#additional === undefined) {
      const { additionalProperties: additional } = this.#json;
      if (typeof additional === 'boolean') this.#additional = additional;
      else this.#additional = isSchema(additional) ? new ValueRules(additional) : null;
    }
    return this.#additional ?? undefined;
  }
}

function typeBit(type: string): number {
  if (type === '') return 0;
  return Object.hasOwn(TYPE, type) ? TYPE[type as keyof typeof TYPE] : UNKNOWN_TYPE;
}

function textOf(json: SchemaJson, member: string): string {
  const value = json[member];
  return typeof value === 'string' ? value : '';
}

function numberOf(json: SchemaJson, member: string): number | undefined {
  const value = json[member];
  return typeof value === 'number' ? value : undefined;
}

function nonEmpty(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function enumerationOf(json: SchemaJson): Enumeration | undefined {
  const values = nonEmpty(json['enum']);
  if (values === undefined) return undefined;
  const scalars = new Set(values.filter((value) => typeof value !== 'object'));
  return { values, scalars, text: goValueText(values) };
}

function rangeOf(type: string, format: string): NumberRange | undefined {
  if (!CHECKS_RANGES) return undefined;
  return type === 'integer' || (type === 'number' && format === 'float')
    ? { type, format }
    : undefined;
}

function numberRules(json: SchemaJson, range: NumberRange | undefined): NumberRules | undefined {
  const rules = {
    multipleOf: numberOf(json, 'multipleOf'),
    minimum: numberOf(json, 'minimum'),
    excludesMinimum: json['exclusiveMinimum'] === true,
    maximum: numberOf(json, 'maximum'),
    excludesMaximum: json['exclusiveMaximum'] === true,
    range,
  };
  const { multipleOf, minimum, maximum } = rules;
  const hasBounds = multipleOf !== undefined || minimum !== undefined || maximum !== undefined;
  return hasBounds || range !== undefined ? rules : undefined;
}

function junctorsOf(json: SchemaJson): Junctors | undefined {
  const rulesOf = (member: string): ValueRules[] => {
    return (nonEmpty(json[member]) ?? []).map((schema) => new ValueRules(schema as SchemaJson));
  };
  const { anyOf, oneOf, allOf, not } = json;
  if (!nonEmpty(anyOf) && !nonEmpty(oneOf) && !nonEmpty(allOf) && !isSchema(not)) return undefined;
  return {
    anyOf: rulesOf('anyOf'),
    oneOf: rulesOf('oneOf'),
    allOf: rulesOf('allOf'),
    not: isSchema(not) ? new ValueRules(not) : undefined,
  };
}
