/** Places in documents: whether they are there, what is there, and documents with another value. */
import type { TestObject } from '../../../test/support/kinds.ts';

/** Where in one document a place is: names, and indexes of lists. */
export type Way = readonly (string | number)[];

/** The way to the first such place of a document; undefined when it has none. */
export function wayTo(document: TestObject, path: readonly string[]): Way | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return [];
  if (typeof document !== 'object' || document === null) return undefined;
  const isList = Array.isArray(document);
  if (isList !== (part === '[]')) return undefined;
  const keys = isList ? [...document.keys()] : part === '{}' ? Object.keys(document) : [part];
  for (const key of keys) {
    if (!Object.hasOwn(document, key)) continue;
    const behind = wayTo(document[key], rest);
    if (behind !== undefined) return [key, ...behind];
  }
  return undefined;
}

/** Reads the value at the end of the way. */
export function valueAt(document: TestObject, way: Way): unknown {
  return way.reduce<TestObject>((value, key) => value?.[key], document);
}

/** A copy with another value there; the objects on the way are there, but for the last one. */
export function withValue(document: TestObject, way: Way, value: unknown): TestObject {
  const [key, ...rest] = way;
  if (key === undefined) return value;
  if (Array.isArray(document)) {
    return document.map((item, at) => (at === key ? withValue(item, rest, value) : item));
  }
  return { ...document, [key]: withValue(document?.[key] ?? {}, rest, value) };
}

/** A copy without what is there. */
export function withoutValue(document: TestObject, way: Way): TestObject {
  const parent = valueAt(document, way.slice(0, -1));
  const last = way.at(-1);
  if (Array.isArray(parent)) {
    return withValue(
      document,
      way.slice(0, -1),
      parent.filter((_, at) => at !== last),
    );
  }
  const { [String(last)]: _gone, ...others } = parent as Record<string, unknown>;
  return withValue(document, way.slice(0, -1), others);
}

/** A merge patch that has the value there: maps are merged, and lists are replaced as a whole. */
export function mergePatch(document: TestObject, way: Way, value: unknown): TestObject {
  const list = way.findIndex((key) => typeof key === 'number');
  const end = list < 0 ? way : way.slice(0, list);
  const there = list < 0 ? value : valueAt(withValue(document, way, value), end);
  return end.reduceRight<unknown>((patch, key) => ({ [key]: patch }), there);
}
