/**
 * Sets of fields, as owners of fields have them: immutable tries of path elements, in the order of
 * FieldsV1 (README.md#field-sets). An operation that changes nothing returns its first argument
 * itself, so that `===` tells whether something changed.
 */
import { canonicalElement, compareElements, elementText } from './path-element.ts';
import { FIELD_DEPTH_MAX } from './typed-error.ts';

export interface FieldSet {
  /** Whether the place of this node is itself in the set; never that of the root. */
  readonly isMember: boolean;
  /** Path elements in order, and the sets below each of them, which are never empty. */
  readonly elements: readonly string[];
  readonly children: readonly FieldSet[];
}

const NONE: readonly never[] = Object.freeze([]);

/** The empty set. */
export const EMPTY_SET: FieldSet = Object.freeze({
  isMember: false,
  elements: NONE,
  children: NONE,
});

/** A place without anything below it. */
export const LEAF: FieldSet = Object.freeze({ isMember: true, elements: NONE, children: NONE });

/** A set of elements with the sets below them, in order; `EMPTY_SET` when there are none. */
export function fieldSet(
  isMember: boolean,
  elements: readonly string[],
  children: readonly FieldSet[],
): FieldSet {
  if (elements.length === 0) return isMember ? LEAF : EMPTY_SET;
  return { isMember, elements, children };
}

export function isEmptySet(set: FieldSet): boolean {
  return !set.isMember && set.elements.length === 0;
}

/** The set with the place of its root as `isMember` says. */
export function withRoot(set: FieldSet, isMember: boolean): FieldSet {
  return set.isMember === isMember ? set : fieldSet(isMember, set.elements, set.children);
}

/** A set of the paths, each a list of elements. */
export function setOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  let set = EMPTY_SET;
  for (const path of paths) set = union(set, setOfPath(path, 0));
  return set;
}

function setOfPath(path: readonly string[], at: number): FieldSet {
  const element = path[at];
  return element === undefined ? LEAF : fieldSet(false, [element], [setOfPath(path, at + 1)]);
}

/** Combines the sets below an element of both; undefined where a set has nothing there. */
type Combine = (a: FieldSet | undefined, b: FieldSet | undefined) => FieldSet | undefined;

/** Walks both sets in order; `combine` gets the sets below an element. */
function zip(a: FieldSet, b: FieldSet, isMember: boolean, combine: Combine): FieldSet {
  const elements: string[] = [];
  const children: FieldSet[] = [];
  let isSame = isMember === a.isMember;
  let left = 0;
  let right = 0;
  const leftCount = a.elements.length;
  const rightCount = b.elements.length;
  while (left < leftCount || right < rightCount) {
    const order = orderAt(a, left, b, right);
    const element = (order <= 0 ? a.elements[left] : b.elements[right]) as string;
    const ofA = order <= 0 ? a.children[left++] : undefined;
    const ofB = order >= 0 ? b.children[right++] : undefined;
    const combined = combine(ofA, ofB);
    if (combined !== ofA) isSame = false;
    if (combined === undefined || isEmptySet(combined)) continue;
    elements.push(element);
    children.push(combined);
  }
  return isSame ? a : fieldSet(isMember, elements, children);
}

function orderAt(a: FieldSet, left: number, b: FieldSet, right: number): number {
  const ofA = a.elements[left];
  const ofB = b.elements[right];
  if (ofA === undefined) return 1;
  return ofB === undefined ? -1 : compareElements(ofA, ofB);
}

/** All places of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return zip(a, b, a.isMember || b.isMember, (ofA, ofB) => {
    if (ofA === undefined) return ofB;
    return ofB === undefined ? ofA : union(ofA, ofB);
  });
}

/** All places that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(a)) return a;
  if (isEmptySet(b)) return EMPTY_SET;
  return zip(a, b, a.isMember && b.isMember, (ofA, ofB) =>
    ofA === undefined || ofB === undefined ? undefined : intersection(ofA, ofB),
  );
}

/** The places of the first set that are not in the second; places below those stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  return zip(a, b, a.isMember && !b.isMember, (ofA, ofB) =>
    ofA === undefined || ofB === undefined ? ofA : difference(ofA, ofB),
  );
}

/** The places of the first set that are neither in the second nor below a place of it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (b.isMember) return EMPTY_SET;
  if (isEmptySet(a) || isEmptySet(b)) return a;
  return zip(a, b, a.isMember, (ofA, ofB) =>
    ofA === undefined || ofB === undefined ? ofA : recursiveDifference(ofA, ofB),
  );
}

/** The places of the first set that are in the second or below a place of it. */
export function recursiveIntersection(a: FieldSet, b: FieldSet): FieldSet {
  if (b.isMember || isEmptySet(a)) return a;
  return zip(a, b, false, (ofA, ofB) =>
    ofA === undefined || ofB === undefined ? undefined : recursiveIntersection(ofA, ofB),
  );
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.isMember !== b.isMember || a.elements.length !== b.elements.length) return false;
  return a.elements.every(
    (element, at) =>
      element === b.elements[at] &&
      equalSets(a.children[at] as FieldSet, b.children[at] as FieldSet),
  );
}

/** The places of the set as errors name them: `.spec.replicas`, a place before those below it. */
export function pathTexts(set: FieldSet): string[] {
  const texts: string[] = [];
  collectPaths(set, '', texts);
  return texts;
}

function collectPaths(set: FieldSet, path: string, texts: string[]): void {
  const below = set.elements.map((element) => path + elementText(element));
  for (const [at, child] of set.children.entries()) {
    if (child.isMember) texts.push(below[at] as string);
  }
  for (const [at, child] of set.children.entries()) {
    collectPaths(child, below[at] as string, texts);
  }
}

/**
 * A set from parsed FieldsV1. Members of a sort that is not known are ignored, members in any order
 * are taken. Throws an Error for another value, and for one that nests deeper than fields do.
 */
export function parseFieldsV1(fields: unknown): FieldSet {
  return withRoot(parseNode(fields, 0), false);
}

function parseNode(node: unknown, depth: number): FieldSet {
  if (depth > FIELD_DEPTH_MAX) throw new Error('FieldsV1 nests too deep');
  // As in the reference, null is nothing below.
  if (node === null && depth > 0) return LEAF;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw new Error('FieldsV1 consists of objects');
  }
  const members = node as Record<string, unknown>;
  let isMember = false;
  let inOrder = true;
  const entries: Entry[] = [];
  for (const name of Object.keys(members)) {
    if (name === '.') {
      isMember = true;
      continue;
    }
    const element = canonicalElement(name);
    if (element === undefined) continue;
    const last = entries.at(-1);
    if (last !== undefined && compareElements(last[0], element) >= 0) inOrder = false;
    entries.push([element, parseNode(members[name], depth + 1)]);
  }
  if (entries.length === 0) return LEAF;
  const ordered = inOrder ? entries : inElementOrder(entries);
  return fieldSet(
    isMember,
    ordered.map(([element]) => element),
    ordered.map(([, child]) => child),
  );
}

type Entry = [element: string, child: FieldSet];

/** Sorts the elements of a set and of all sets below. */
export function sortedSet(set: FieldSet): FieldSet {
  const { isMember, elements, children } = set;
  const below = children.map(sortedSet);
  const isSorted = elements.every(
    (element, at) => at === 0 || compareElements(elements[at - 1] as string, element) < 0,
  );
  if (isSorted && below.every((child, at) => child === children[at])) return set;
  const sorted = inElementOrder(elements.map((element, at) => [element, below[at] ?? EMPTY_SET]));
  return fieldSet(
    isMember,
    sorted.map(([element]) => element),
    sorted.map(([, child]) => child),
  );
}

/** Sorts the entries; entries that spell the same element differently become one. */
function inElementOrder(entries: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  for (const [element, child] of entries.toSorted(([a], [b]) => compareElements(a, b))) {
    const last = ordered.at(-1);
    if (last?.[0] === element) last[1] = union(last[1], child);
    else ordered.push([element, child]);
  }
  return ordered;
}
