/**
 * Reads the JSON that clients of old autoscaling versions keep in annotations. Anyone may write
 * there, so a value that does not fit the expected schema is ignored.
 */
import { textMap } from '../../base/text/text-map.ts';
import { keptQuantity } from '../../codec/leaves/quantity.ts';
import { canonicalTime } from '../../codec/leaves/time-text.ts';

type Leaf = 'string' | 'int32' | 'quantity' | 'time';

/** A leaf, a list, a map to strings, or the members of an object. */
export type AnnotationSchema =
  Leaf | 'strings' | readonly [AnnotationSchema] | { readonly [member: string]: AnnotationSchema };

const INT32_MAX = 2 ** 31 - 1;

/** The value in `text`, with the members of `schema`; undefined when it does not fit. */
export function readAnnotation(text: string, schema: AnnotationSchema): unknown {
  try {
    return read(JSON.parse(text), schema);
  } catch {
    return undefined;
  }
}

/** Throws when the value does not fit. */
function read(value: unknown, schema: AnnotationSchema): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof schema === 'string') return readLeaf(value, schema);
  if (isList(schema)) {
    if (!Array.isArray(value)) throw new TypeError('no list');
    return value.map((item) => read(item, schema[0]) ?? {});
  }
  const members = membersOf(value);
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema)) {
    // As the reference reads it: the case of the first letter differs between versions.
    const found = read(members[name] ?? members[capitalized(name)], member);
    if (found !== undefined && found !== '') result[name] = found;
  }
  return result;
}

function readLeaf(value: unknown, schema: Leaf | 'strings'): unknown {
  switch (schema) {
    case 'string':
      return textOf(value);
    case 'int32':
      if (!Number.isInteger(value) || Math.abs(value as number) > INT32_MAX) {
        throw new TypeError('no number');
      }
      return value;
    case 'quantity':
      return keptQuantity(typeof value === 'number' ? String(value) : textOf(value));
    case 'time':
      return canonicalTime(textOf(value));
    case 'strings': {
      const map = textMap();
      for (const [key, text] of Object.entries(membersOf(value))) map[key] = textOf(text);
      return map;
    }
  }
}

function isList(schema: AnnotationSchema): schema is readonly [AnnotationSchema] {
  return Array.isArray(schema);
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
