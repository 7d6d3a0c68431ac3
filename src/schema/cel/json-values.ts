/** JSON as values of expressions, without a schema. */
import { Failure, LITERAL, ListValue } from './values.ts';
import type { Equality, MapValue, Value } from './values.ts';

/** Whole numbers from there on are no integers of expressions. */
const INTEGER_END = 2 ** 63;

/** `json` is what `JSON.parse` gives; whole numbers are integers. */
export function jsonValue(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json;
    case 'number':
      return Number.isInteger(json) && Math.abs(json) < INTEGER_END ? BigInt(json) : json;
    default:
      if (json === null || json === undefined) return null;
      return Array.isArray(json) ? jsonList(json, jsonValue) : new JsonMap(json, jsonValue);
  }
}

/** Makes a value of one of JSON. */
export type ValueOf = (json: unknown) => Value;

export function jsonList(items: readonly unknown[], valueOf: ValueOf): ListValue {
  return new ListValue(() => items.map((item) => valueOf(item)), LITERAL, items.length);
}

/** Members become values when they are first asked for. */
export class JsonMap implements MapValue {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #known = new Map<string, Value>();
  readonly #valueOf: ValueOf;

  constructor(object: object, valueOf: ValueOf) {
    this.#valueOf = valueOf;
    this.#members = object as Readonly<Record<string, unknown>>;
  }

  get size(): number {
    return this.keys.length;
  }

  get keys(): readonly string[] {
    return Object.keys(this.#members);
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#members, key)) return undefined;
    let value = this.#known.get(key);
    if (value === undefined) this.#known.set(key, (value = this.#valueOf(this.#members[key])));
    return value;
  }

  equals(other: MapValue, equal: Equality): boolean | Failure {
    if (this.size !== other.size) return false;
    let failure: Failure | undefined;
    for (const key of this.keys) {
      const found = other.find(key);
      if (found === undefined) return false;
      const same = equal(this.find(key) as Value, found);
      if (same === false) return false;
      if (same instanceof Failure) failure ??= same;
    }
    return failure ?? true;
  }
}
