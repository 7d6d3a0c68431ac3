/** Values of expressions (README.md#values). */
import { ownRelease } from '../../release/release.ts';

/**
 * The result of an expression without a value. It counts as a value: `true || 1 / 0 > 0` is true.
 */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_OVERLOAD = new Failure('no such overload');

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class Bytes {
  readonly data: Buffer;

  constructor(data: Buffer) {
    this.data = data;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Timestamp {
  /** Since 1970. */
  readonly nanos: bigint;
  /** Seconds that its own clock is ahead of UTC. */
  readonly offsetSeconds: number;

  constructor(nanos: bigint, offsetSeconds: number) {
    this.nanos = nanos;
    this.offsetSeconds = offsetSeconds;
  }
}

/** A type as a value. */
export class TypeName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** How the items of a list are compared: in their order, as a set, or by their keys. */
export type ListRules =
  /** Written in an expression. */
  | { readonly kind: 'literal' }
  | { readonly kind: 'atomic' | 'set' }
  | { readonly kind: 'map'; keyOf(item: Value): string };

export const LITERAL: ListRules = { kind: 'literal' };

export class ListValue {
  readonly size: number;
  readonly rules: ListRules;
  #items: readonly Value[] | (() => readonly Value[]);

  /** Items may be made when they are first asked for. */
  constructor(
    items: readonly Value[] | (() => readonly Value[]),
    rules: ListRules,
    size = items.length,
  ) {
    this.#items = items;
    this.rules = rules;
    this.size = size;
  }

  get items(): readonly Value[] {
    if (typeof this.#items === 'function') this.#items = this.#items();
    return this.#items;
  }
}

/** A value with members: a map written in an expression, or a map or struct of the schema. */
export interface MapValue {
  readonly size: number;
  readonly keys: readonly Value[];
  /** Undefined when there is none; a failure for a key that it cannot have. */
  find(key: Value): Value | undefined;
  /** Whether it equals another one. */
  equals(other: MapValue, equal: Equality): boolean | Failure;
}

export type Equality = (one: Value, other: Value) => boolean | Failure;

export class LiteralMap implements MapValue {
  readonly #entries = new Map<unknown, readonly [key: Value, value: Value]>();

  constructor(entries: readonly (readonly [key: Value, value: Value])[]) {
    for (const entry of entries) this.#entries.set(identity(entry[0]), entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  get keys(): readonly Value[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  find(key: Value): Value | undefined {
    const entry = this.#entries.get(identity(key)) ?? this.#ofOtherNumber(key);
    if (entry !== undefined || this.size === 0) return entry?.[1];
    const type = typeName(key);
    if (this.keys.some((one) => typeName(one) === type)) return undefined;
    return new Failure(`unsupported key type: ${type}`);
  }

  /** Numbers of all types are the same keys where they compare. */
  #ofOtherNumber(key: Value): readonly [key: Value, value: Value] | undefined {
    if (!COMPARES_TYPES || !isNumber(key)) return undefined;
    return [...this.#entries.values()].find(
      ([one]) => isNumber(one) && compareNumbers(one, key) === 0,
    );
  }

  equals(other: MapValue, equal: Equality): boolean | Failure {
    if (this.size !== other.size) return false;
    let failure: Failure | undefined;
    for (const [key, value] of this.#entries.values()) {
      const found = other.find(key);
      if (found === undefined) return false;
      const same = equal(value, found);
      if (same === false) return false;
      if (same instanceof Failure) failure ??= same;
    }
    return failure ?? true;
  }
}

/** Scalars are the same when this is; anything else is the same as itself. */
export function identity(value: Value): unknown {
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Bytes) return `b${value.data.toString('latin1')}`;
  return typeof value === 'string' ? `s${value}` : value;
}

/** A value that may be absent. */
export class OptionalValue implements CallableValue {
  readonly typeName = 'optional_type';
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }

  call(name: string): Value | undefined {
    if (name === 'hasValue') return this.value !== undefined;
    if (name !== 'value') return undefined;
    return this.value ?? new Failure('optional.none() dereference');
  }
}

export const NONE = new OptionalValue(undefined);

export type Literal = boolean | string | bigint | number | null | Uint | Bytes;
/** A value with functions alone: of the library, or what policies ask about access with. */
export interface CallableValue {
  readonly typeName: string;
  /** Absent where each equals itself alone. */
  equals?(other: Value): boolean;
  /** The text that `string()` gives; absent where it gives nothing. */
  readonly text?: string;
  /** The parts that it costs to look at; absent for one. */
  readonly size?: number;
  /** The characters of the pattern that it matches texts with. */
  readonly patternSize?: number;
  /** Undefined where it has no such function for these arguments. */
  call(name: string, args: readonly Value[]): Value | undefined;
}

export type Value =
  Literal | Duration | Timestamp | TypeName | ListValue | MapValue | CallableValue | Failure;

export const INT_MAX = 2n ** 63n - 1n;
export const INT_MIN = -(2n ** 63n);
export const UINT_MAX = 2n ** 64n - 1n;

/** The name of the type of a value at run time. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    default:
      return classType(value);
  }
}

function classType(value: Exclude<Value, boolean | string | bigint | number>): string {
  if (value === null) return 'null_type';
  if (value instanceof ListValue) return 'list';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof TypeName) return 'type';
  if (isCallable(value)) return value.typeName;
  return value instanceof Failure ? 'error' : 'map';
}

export function isCallable(value: Value): value is CallableValue {
  return typeof value === 'object' && value !== null && 'call' in value;
}

export function isMap(value: Value): value is MapValue {
  return typeof value === 'object' && value !== null && 'find' in value;
}

/** Whether values of several types can be compared. */
export const COMPARES_TYPES = ownRelease().has('equalityOfTypes');
const DIFFERENT = COMPARES_TYPES ? false : NO_OVERLOAD;

type NumberValue = bigint | number | Uint;

export function isNumber(value: Value): value is NumberValue {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** Below, at or above zero; NaN where one of them is. */
export function compareNumbers(one: NumberValue, other: NumberValue): number {
  const left = one instanceof Uint ? one.value : one;
  const right = other instanceof Uint ? other.value : other;
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN;
  return left < right ? -1 : Number(left > right);
}

/** Whether two values are the same; a failure where they cannot be compared. */
export function areEqual(one: Value, other: Value): boolean | Failure {
  if (one instanceof Failure) return one;
  if (other instanceof Failure) return other;
  if (COMPARES_TYPES && (one === null || other === null)) return one === other;
  if (isNumber(one) && isNumber(other) && typeName(one) !== typeName(other)) {
    return COMPARES_TYPES ? compareNumbers(one, other) === 0 : NO_OVERLOAD;
  }
  if (typeof one !== 'object' || one === null) {
    if (typeof one !== typeof other) return DIFFERENT;
    return one === null && other !== null ? DIFFERENT : one === other;
  }
  if (one instanceof ListValue) {
    if (other instanceof ListValue) return areListsEqual(one, other);
    return one.rules.kind === 'literal' ? DIFFERENT : NO_OVERLOAD;
  }
  if (isMap(one)) {
    if (isMap(other)) return one.equals(other, areEqual);
    return one instanceof LiteralMap ? DIFFERENT : NO_OVERLOAD;
  }
  if (typeName(one) !== typeName(other)) return DIFFERENT;
  if (one instanceof OptionalValue) {
    const { value } = other as OptionalValue;
    if (one.value === undefined || value === undefined) return one.value === value;
    return areEqual(one.value, value);
  }
  if (isCallable(one) && one.equals !== undefined) return one.equals(other);
  if (one instanceof TypeName) return one.name === (other as TypeName).name;
  return identity(one) === identity(other);
}

function areListsEqual(one: ListValue, other: ListValue): boolean | Failure {
  if (one.size !== other.size) return false;
  const { rules } = one;
  if (rules.kind === 'set') {
    const known = new Set(one.items.map(identity));
    return other.items.every((item) => known.has(identity(item)));
  }
  if (rules.kind === 'map') {
    const known = new Map(one.items.map((item) => [rules.keyOf(item), item]));
    for (const item of other.items) {
      const found = known.get(rules.keyOf(item));
      if (found === undefined) return false;
      const same = areEqual(found, item);
      if (same !== true) return same;
    }
    return true;
  }
  let failure: Failure | undefined;
  for (const [at, item] of one.items.entries()) {
    const same = areEqual(item, other.items[at] as Value);
    if (same === false) return false;
    if (same instanceof Failure) {
      failure ??= same;
      if (rules.kind === 'atomic') return failure;
    }
  }
  return failure ?? true;
}

/** The items of two lists as one, by the rules of the first. */
export function concatenated(one: ListValue, other: ListValue): ListValue {
  const { rules } = one;
  if (rules.kind === 'literal' && one.size === 0) return other;
  if (rules.kind === 'literal' && other.size === 0) return one;
  if (rules.kind === 'set' || rules.kind === 'map') {
    const keyOf = rules.kind === 'map' ? rules.keyOf : identity;
    const items = new Map<unknown, Value>();
    for (const item of one.items) items.set(keyOf(item), item);
    for (const item of other.items) {
      const key = keyOf(item);
      if (rules.kind === 'map' || !items.has(key)) items.set(key, item);
    }
    return new ListValue([...items.values()], rules);
  }
  return new ListValue([...one.items, ...other.items], rules);
}

/** The text of a value in a failure. */
export function shownKey(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' ? typeName(value) : String(value);
}
