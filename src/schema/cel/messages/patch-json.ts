/** Values that expressions of mutating policies make, as JSON. */
import { setMember } from '../../../base/set-member.ts';
import { converted } from '../operators.ts';
import {
  Bytes,
  Duration,
  Failure,
  isMap,
  ListValue,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from '../values.ts';
import { MessageValue } from './patch-values.ts';

/** A value that JSON does not have. */
export class NoJson extends Error {
  override readonly name = 'NoJson';
}

/** The JSON of a value, as `JSON.stringify` takes it. Throws NoJson. */
export function jsonOf(value: Value): unknown {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'bigint' ? integer(value) : value;
  }
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof Bytes) return value.data.toString('base64');
  if (value instanceof Duration || value instanceof Timestamp) return converted(value, 'string');
  if (value instanceof ListValue) return value.items.map(jsonOf);
  if (value instanceof MessageValue) return members(value.fields);
  if (!isMap(value)) throw new NoJson(`unsupported type: ${typeName(value)}`);
  return members(
    value.keys.map((key) => {
      if (typeof key !== 'string') throw new NoJson(`map key is of type ${typeName(key)}`);
      return [key, value.find(key) ?? null];
    }),
  );
}

function members(entries: Iterable<readonly [string, Value]>): object {
  const made = {};
  for (const [name, value] of entries) setMember(made, name, jsonOf(value));
  return made;
}

/** Numbers that JSON does not keep whole are texts. */
function integer(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/**
 * The problems of a message whose parts have other types than their places in it: those of
 * `Object.spec` must be named `Object.spec.…` after their fields.
 */
export function misplacedTypes(value: Value, path: string): string[] {
  if (value instanceof MessageValue) {
    const found = [...value.fields.keys()]
      .toSorted()
      .flatMap((name) => misplacedTypes(value.fields.get(name) ?? null, `${path}.${name}`));
    if (value.typeName === path) return found;
    const problem =
      `unexpected type name "${value.typeName}", expected "${path}", ` +
      'which matches field name path from root Object type';
    return [problem, ...found];
  }
  if (value instanceof ListValue) return value.items.flatMap((item) => misplacedTypes(item, path));
  if (value instanceof Failure || !isMap(value)) return [];
  return value.keys.flatMap((key) => misplacedTypes(value.find(key) ?? null, path));
}
