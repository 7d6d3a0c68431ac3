/**
 * Reads the JSON that clients of old autoscaling versions keep in annotations. Anyone may write
 * there: what does not have the shape that is asked for is not read at all.
 */
import { textMap } from '../../base/text-map.ts';
import { canonicalQuantity } from '../../codec/quantity.ts';
import { canonicalTime } from '../../codec/time-text.ts';

type Leaf = 'string' | 'int32' | 'quantity' | 'time';

/** A leaf, a list of one shape, a map to strings, or the members of an object. */
export type Shape = Leaf | 'strings' | readonly [Shape] | { readonly [member: string]: Shape };

const INT32_MAX = 2 ** 31 - 1;

/** The value in `text`, with the members of `shape`; undefined when it is of another shape. */
export function readAnnotation(text: string, shape: Shape): unknown {
  try {
    return read(JSON.parse(text), shape);
  } catch {
    return undefined;
  }
}

/** Throws when the value is of another shape. */
function read(value: unknown, shape: Shape): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof shape === 'string') return readLeaf(value, shape);
  if (isList(shape)) {
    if (!Array.isArray(value)) throw new TypeError('no list');
    return value.map((item) => read(item, shape[0]) ?? {});
  }
  const members = membersOf(value);
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    // As the reference reads it: the case of the first letter differs between versions.
    const found = read(members[name] ?? members[capitalized(name)], member);
    if (found !== undefined && found !== '') result[name] = found;
  }
  return result;
}

function readLeaf(value: unknown, shape: Leaf | 'strings'): unknown {
  switch (shape) {
    case 'string':
      return textOf(value);
    case 'int32':
      if (!Number.isInteger(value) || Math.abs(value as number) > INT32_MAX) {
        throw new TypeError('no number');
      }
      return value;
    case 'quantity':
      return canonicalQuantity(typeof value === 'number' ? String(value) : textOf(value));
    case 'time':
      return canonicalTime(textOf(value));
    case 'strings': {
      const map = textMap();
      for (const [key, text] of Object.entries(membersOf(value))) map[key] = textOf(text);
      return map;
    }
  }
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('no object');
  }
  return value as Record<string, unknown>;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
