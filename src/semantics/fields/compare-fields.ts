/**
 * Compares objects field by field: the hot path of every write. The rules are those of JSON (an
 * absent member that is always written is there with its zero), except that values which mean the
 * same are equal (README.md#field-sets).
 */
import { RawJson } from '../../codec/json/raw-json.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { isMembers } from '../patch/document.ts';
import { checkStored } from './check-document.ts';
import {
  equalJson,
  equalLeaves,
  equalValues,
  isZero,
  isObject,
  parsedRaw,
} from './equal-values.ts';
import { EMPTY_SET, LEAF, withRoot } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { isLeafType, isSameList, memberType, UNTYPED } from './field-types.ts';
import type { FieldType, ListType, MessageStruct, StructField, StructType } from './field-types.ts';
import { areAligned, compareItems, endOfRepeated, itemElement, sortedItems } from './list-items.ts';
import { appendElement, builtSet, insertElement, type SetBuilder } from './set-builder.ts';
import { asList, asObject, membersOf, unlessEmpty } from './shown-values.ts';
import { FIELD_DEPTH_MAX, TypedError } from './typed-error.ts';
import { allFields } from './all-fields.ts';

export interface Comparison {
  /** Added and modified. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Carries the second result of a comparison, the removed fields; callers read it right after each
 * call.
 */
interface Walk {
  removed: FieldSet;
  readonly isAsSent: boolean;
}

/**
 * The fields that differ between two decoded objects, or two documents, of a type. Throws a
 * TypedError where a keyed list or a set repeats an item, or an item has no key.
 */
export function compareFields(type: StructType, before: Members, after: Members): Comparison {
  return compare(type, before, after, false);
}

/**
 * The fields that differ between two documents letter by letter: a zero or null beside nothing is a
 * change, and so is a quantity that is written otherwise.
 */
export function compareAsSent(type: StructType, before: Members, after: Members): Comparison {
  return compare(type, before, after, true);
}

function compare(type: StructType, before: Members, after: Members, isAsSent: boolean): Comparison {
  const walk: Walk = { removed: EMPTY_SET, isAsSent };
  try {
    const changed = compareMembersOf(walk, type, before, after, 0);
    return { changed, removed: walk.removed };
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    // This walk keeps no paths: a second one finds the path of the error.
    checkStored(type, before);
    checkStored(type, after);
    throw error;
  }
}

function compareMembersOf(
  walk: Walk,
  type: StructType,
  before: Members,
  after: Members,
  depth: number,
): FieldSet {
  if (type.isPlain) return compareMaps(walk, type, before, after, depth);
  return compareStructs(walk, type, before, after, depth);
}

/**
 * Visits only members that are there: most fields are absent, and looking up an absent one is slow.
 */
function compareStructs(
  walk: Walk,
  type: MessageStruct,
  before: Members,
  after: Members,
  depth: number,
): FieldSet {
  let changed: SetBuilder | undefined;
  let removed: SetBuilder | undefined;
  let sharedCount = 0;
  const names = Object.keys(after);
  for (const name of names) {
    const left = before[name];
    const right = after[name];
    if (left === right) {
      if (left !== undefined) sharedCount += 1;
      continue;
    }
    const field = type.field(name);
    if (field === undefined) continue;
    if (left !== undefined) sharedCount += 1;
    const below = compareMembers(walk, field, left, right, depth + 1);
    if (below !== EMPTY_SET) changed = insertElement(changed, field.element, below);
    if (walk.removed !== EMPTY_SET) removed = insertElement(removed, field.element, walk.removed);
  }
  const formerNames = Object.keys(before);
  for (const name of sharedCount === formerNames.length ? NO_NAMES : formerNames) {
    const field = after[name] === undefined ? type.field(name) : undefined;
    if (field === undefined) continue;
    const below = compareMembers(walk, field, before[name], undefined, depth + 1);
    if (below !== EMPTY_SET) changed = insertElement(changed, field.element, below);
    if (walk.removed !== EMPTY_SET) removed = insertElement(removed, field.element, walk.removed);
  }
  walk.removed = builtSet(removed);
  return builtSet(changed);
}

const NO_NAMES: readonly string[] = [];

function compareMembers(
  walk: Walk,
  field: StructField,
  former: unknown,
  latter: unknown,
  depth: number,
): FieldSet {
  const { type } = field;
  const before = field.hidesEmpty ? unlessEmpty(former) : former;
  const after = field.hidesEmpty ? unlessEmpty(latter) : latter;
  if (before !== undefined && before !== null && after !== undefined && after !== null) {
    return compareNodes(walk, type, before, after, depth);
  }
  walk.removed = EMPTY_SET;
  if (walk.isAsSent) return compareThere(walk, type, before, after, depth);
  if (isAbsent(field, before) && isAbsent(field, after)) return EMPTY_SET;
  // An explicit null is there, except where it stands for what JSON always shows.
  const left = before === undefined ? field.zero : (before ?? field.zero ?? null);
  const right = after === undefined ? field.zero : (after ?? field.zero ?? null);
  return compareThere(walk, type, left, right, depth);
}

/** Undefined stands for an absent value. */
function compareThere(
  walk: Walk,
  type: FieldType,
  before: unknown,
  after: unknown,
  depth: number,
): FieldSet {
  if (before === undefined) return allFields(type, after, depth, walk.isAsSent);
  if (after !== undefined) return compareNodes(walk, type, before, after, depth);
  walk.removed = allFields(type, before, depth, walk.isAsSent);
  return EMPTY_SET;
}

/** Whether JSON leaves the field out, or would. */
function isAbsent(field: StructField, value: unknown): boolean {
  if (value === undefined || value === null) return field.zero === undefined;
  return field.dropsZero && isZero(field.type, value);
}

function modified(walk: Walk, isEqual: boolean): FieldSet {
  walk.removed = EMPTY_SET;
  return isEqual ? EMPTY_SET : LEAF;
}

/** Both are there, though either may be null. */
function compareNodes(
  walk: Walk,
  type: FieldType,
  before: unknown,
  after: unknown,
  depth: number,
): FieldSet {
  if (before === after) return modified(walk, true);
  if (type.kind === 'scalar') {
    const isEqual = walk.isAsSent
      ? equalJson(before, after)
      : equalLeaves(type.leaf, before, after);
    return modified(walk, isEqual);
  }
  if (depth > FIELD_DEPTH_MAX || isLeafType(type)) {
    const isEqual = walk.isAsSent
      ? equalJson(before, after)
      : equalValues(type, before, after, depth);
    return modified(walk, isEqual);
  }
  if (type.kind === 'list') {
    if (!Array.isArray(before) || !Array.isArray(after)) {
      return compareWithNone(walk, type, asList(before), asList(after), depth);
    }
    return compareLists(walk, type, before, after, depth);
  }
  if (type.kind === 'untyped') return compareUntyped(walk, before, after, depth);
  if (!isObject(before) || !isObject(after)) {
    return compareWithNone(walk, type, asObject(before), asObject(after), depth);
  }
  if (type.kind === 'struct') return compareMembersOf(walk, type, before, after, depth);
  return compareMaps(walk, type, before, after, depth);
}

/** One or both are null, which counts as having nothing inside, but differs from an empty value. */
function compareWithNone(
  walk: Walk,
  type: FieldType,
  before: unknown,
  after: unknown,
  depth: number,
): FieldSet {
  if (before === null && after === null) return modified(walk, true);
  const inside = withRoot(allFields(type, before ?? after, depth, walk.isAsSent), false);
  walk.removed = before === null ? EMPTY_SET : inside;
  if (inside === EMPTY_SET) return LEAF;
  return before === null ? inside : EMPTY_SET;
}

/** Free-form JSON: members of a map come or go even where the other side is no map. */
function compareUntyped(walk: Walk, before: unknown, after: unknown, depth: number): FieldSet {
  if (before instanceof RawJson && after instanceof RawJson && before.text === after.text) {
    return modified(walk, true);
  }
  const left = parsedRaw(before);
  const right = parsedRaw(after);
  if (isMembers(left) && isMembers(right)) return compareMaps(walk, UNTYPED, left, right, depth);
  if (!isMembers(left) && !isMembers(right)) return modified(walk, equalJson(left, right));
  const changed = compareWithNone(walk, UNTYPED, membersOf(left), membersOf(right), depth);
  return left === null || right === null ? changed : withRoot(changed, true);
}

/** Compares maps, free-form ones, and structs that are plain JSON. */
function compareMaps(
  walk: Walk,
  type: FieldType,
  before: Members,
  after: Members,
  depth: number,
): FieldSet {
  const lefts = Object.keys(before);
  const rights = Object.keys(after);
  if (isSameList(lefts, rights)) return compareValues(walk, type, rights, before, after, depth);
  let changed: SetBuilder | undefined;
  let removed: SetBuilder | undefined;
  lefts.sort();
  rights.sort();
  let l = 0;
  let r = 0;
  while (l < lefts.length || r < rights.length) {
    const left = lefts[l];
    const right = rights[r];
    const isLeft = right === undefined || (left !== undefined && left <= right);
    const name = (isLeft ? left : right) as string;
    const item = memberType(type, name);
    if (left === right) {
      const below = compareNodes(walk, item, before[name], after[name], depth + 1);
      if (below !== EMPTY_SET) changed = appendElement(changed, `f:${name}`, below);
      if (walk.removed !== EMPTY_SET) removed = appendElement(removed, `f:${name}`, walk.removed);
      l += 1;
      r += 1;
    } else if (isLeft) {
      removed = appendElement(
        removed,
        `f:${name}`,
        allFields(item, before[name], depth + 1, walk.isAsSent),
      );
      l += 1;
    } else {
      changed = appendElement(
        changed,
        `f:${name}`,
        allFields(item, after[name], depth + 1, walk.isAsSent),
      );
      r += 1;
    }
  }
  walk.removed = builtSet(removed);
  return builtSet(changed);
}

/** Maps with the same keys. */
function compareValues(
  walk: Walk,
  type: FieldType,
  names: readonly string[],
  before: Members,
  after: Members,
  depth: number,
): FieldSet {
  let changed: SetBuilder | undefined;
  let removed: SetBuilder | undefined;
  for (const name of names) {
    const left = before[name];
    const right = after[name];
    if (left === right) continue;
    const below = compareNodes(walk, memberType(type, name), left, right, depth + 1);
    if (below !== EMPTY_SET) changed = insertElement(changed, `f:${name}`, below);
    if (walk.removed !== EMPTY_SET) removed = insertElement(removed, `f:${name}`, walk.removed);
  }
  walk.removed = builtSet(removed);
  return builtSet(changed);
}

/** Walks the items of both lists side by side, in the order of their elements. */
function compareLists(
  walk: Walk,
  type: ListType,
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): FieldSet {
  if (areAligned(type, before, after)) return compareAligned(walk, type, before, after, depth);
  let changed: SetBuilder | undefined;
  let removed: SetBuilder | undefined;
  const lefts = sortedItems(type, before);
  const rights = sortedItems(type, after);
  const { item } = type;
  let l = 0;
  let r = 0;
  while (l < lefts.length || r < rights.length) {
    const left = lefts[l];
    const right = rights[r];
    const order = orderOf(type, lefts, l, rights, r);
    const element = (): string => itemElement(type, order <= 0 ? left : right);
    const leftEnd = order <= 0 ? endOfRepeated(type, lefts, l) : l;
    const rightEnd = order >= 0 ? endOfRepeated(type, rights, r) : r;
    let below = EMPTY_SET;
    let gone = EMPTY_SET;
    if (leftEnd > l + 1 || rightEnd > r + 1) {
      const [some, others] = [lefts.slice(l, leftEnd), rights.slice(r, rightEnd)];
      below = compareRepeated(walk, item, some, others, depth + 1);
      gone = walk.removed;
    } else if (order === 0) {
      below = compareNodes(walk, item, left, right, depth + 1);
      gone = walk.removed;
    } else if (order < 0) gone = allFields(item, left, depth + 1, walk.isAsSent);
    else below = allFields(item, right, depth + 1, walk.isAsSent);
    if (below !== EMPTY_SET) changed = appendElement(changed, element(), below);
    if (gone !== EMPTY_SET) removed = appendElement(removed, element(), gone);
    l = leftEnd;
    r = rightEnd;
  }
  walk.removed = builtSet(removed);
  return builtSet(changed);
}

/** Compares items of one element, of which at least one side has several: they are one leaf. */
function compareRepeated(
  walk: Walk,
  item: FieldType,
  lefts: readonly unknown[],
  rights: readonly unknown[],
  depth: number,
): FieldSet {
  const whole = (items: readonly unknown[]): FieldSet => {
    if (items.length === 0) return EMPTY_SET;
    return items.length > 1 ? LEAF : allFields(item, items[0], depth, walk.isAsSent);
  };
  if (lefts.length > 1 && rights.length > 1) return modified(walk, equalJson(lefts, rights));
  walk.removed = whole(lefts);
  return whole(rights);
}

/** Compares lists that have the same items in the same order. */
function compareAligned(
  walk: Walk,
  type: ListType,
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): FieldSet {
  let changed: SetBuilder | undefined;
  let removed: SetBuilder | undefined;
  for (let at = 0; at < after.length; at++) {
    const below = compareNodes(walk, type.item, before[at], after[at], depth + 1);
    const gone = walk.removed;
    if (below === EMPTY_SET && gone === EMPTY_SET) continue;
    const element = itemElement(type, after[at]);
    if (below !== EMPTY_SET) changed = insertElement(changed, element, below);
    if (gone !== EMPTY_SET) removed = insertElement(removed, element, gone);
  }
  walk.removed = builtSet(removed);
  return builtSet(changed);
}

function orderOf(
  type: ListType,
  lefts: readonly unknown[],
  l: number,
  rights: readonly unknown[],
  r: number,
): number {
  if (l >= lefts.length) return 1;
  return r >= rights.length ? -1 : compareItems(type, lefts[l], rights[r]);
}
