/** Whether what an object's managedFields name is there. */
import { KINDS } from '../../src/resources/registry.ts';
import type { TestObject } from './kinds.ts';

interface Fields {
  readonly [element: string]: Fields;
}

/**
 * Paths that the entries of the object's own version own and that it does not have. Those who apply
 * own zero values too, which JSON leaves out: a leaf of theirs may be missing.
 */
export function missingPaths(object: TestObject): string[] {
  if (RESETTING.has(object.kind)) return [];
  const entries: TestObject[] = object.metadata.managedFields ?? [];
  return entries
    .filter(({ apiVersion }) => apiVersion === object.apiVersion)
    .flatMap(({ manager, operation, fieldsV1 }) => {
      const missing = missingIn(fieldsV1 as Fields, object, operation === 'Apply');
      return missing
        .filter((path) => !GOES.test(`${object.kind} ${path}`))
        .map((path) => `${operation} ${manager}: ${path}`);
    });
}

/** A write brings these, and a default moves them elsewhere. */
const GOES = /^Secret f:stringData/;

/**
 * Kinds that take things out of an object after its owners are written down, as the reference does:
 * `test/flow/managed-fields.test.ts` looks at what they own.
 */
const RESETTING = new Set(
  KINDS.filter(
    (kind) =>
      kind.dropDisabled !== undefined ||
      kind.prepareForCreate !== undefined ||
      kind.prepareForUpdate !== undefined ||
      kind.prepareForStatusUpdate !== undefined,
  ).map(({ kind }) => kind),
);

function missingIn(fields: Fields, value: TestObject, mayBeZero: boolean): string[] {
  return Object.entries(fields).flatMap(([element, below]) => {
    if (element === '.') return [];
    const found = valueAt(element, value);
    if (found !== undefined)
      return missingIn(below, found, mayBeZero).map((p) => `${element} ${p}`);
    const isLeaf = Object.keys(below).every((name) => name === '.');
    return isLeaf && mayBeZero ? [] : [`${element} in ${JSON.stringify(value)?.slice(0, 300)}`];
  });
}

/** Finds the value at one element of a path; undefined when there is none. */
function valueAt(element: string, value: TestObject): TestObject {
  const text = element.slice(2);
  if (element.startsWith('f:'))
    return isObject(value) && Object.hasOwn(value, text) ? value[text] : undefined;
  if (!Array.isArray(value)) return undefined;
  const items: readonly TestObject[] = value;
  const wanted = JSON.parse(text) as TestObject;
  if (element.startsWith('i:')) return items[wanted];
  if (element.startsWith('v:')) return items.find((item) => item === wanted);
  // A key that has its default value need not be in the item.
  return items.find((item) =>
    Object.entries(wanted).every(([name, key]) => item[name] === undefined || item[name] === key),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
