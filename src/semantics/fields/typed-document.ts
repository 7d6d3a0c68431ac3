/**
 * Documents by the schema of their kind: the fields that a document mentions, and documents without
 * some of their fields (README.md#field-sets and README.md#apply).
 */
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { isMembers } from '../patch/document.ts';
import { EMPTY_SET, fieldSet, isEmptySet, LEAF, withRoot } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { memberType, UNTYPED } from './field-types.ts';
import type { FieldType, ListType, StructType } from './field-types.ts';
import { itemElement, sortedItems } from './list-items.ts';
import { checkDepth } from './typed-error.ts';
import { sortedNames } from './all-fields.ts';

/**
 * Every leaf, and every item and map member, that a checked document mentions; structs are not
 * listed themselves unless they are empty. Throws a TypedError where an item repeats or has no key.
 */
export function fieldSetOf(type: StructType, document: Members): FieldSet {
  return withRoot(setOfMembers(type, document, 0), false);
}

function setOfValue(type: FieldType, value: unknown, depth: number): FieldSet {
  checkDepth(depth);
  switch (type.kind) {
    case 'scalar':
      return LEAF;
    case 'list':
      if (type.relation === 'atomic') return LEAF;
      return Array.isArray(value) ? setOfItems(type, value, depth) : EMPTY_SET;
    case 'untyped':
      if (isMembers(value)) return setOfMembers(type, value, depth);
      return value === null ? EMPTY_SET : LEAF;
    default:
      if (type.isAtomic) return LEAF;
      return isMembers(value) ? setOfMembers(type, value, depth) : EMPTY_SET;
  }
}

function setOfMembers(type: FieldType, members: Members, depth: number): FieldSet {
  const elements: string[] = [];
  const children: FieldSet[] = [];
  for (const name of sortedNames(members)) {
    const value = members[name];
    const field = type.kind === 'struct' ? type.field(name) : undefined;
    let child = setOfValue(field?.type ?? memberType(type, name), value, depth + 1);
    if (field === undefined || isNothing(value)) child = withRoot(child, true);
    if (isEmptySet(child)) continue;
    elements.push(`f:${name}`);
    children.push(child);
  }
  return fieldSet(false, elements, children);
}

/** Null or a map without members: a leaf wherever it stands. */
function isNothing(value: unknown): boolean {
  return value === null || (isMembers(value) && Object.keys(value).length === 0);
}

function setOfItems(type: ListType, items: readonly unknown[], depth: number): FieldSet {
  const sorted = sortedItems(type, items);
  return fieldSet(
    false,
    sorted.map((item) => itemElement(type, item)),
    sorted.map((item) => withRoot(setOfValue(type.item, item, depth + 1), true)),
  );
}

/**
 * The document without the fields of the set; a map or list that loses all it has becomes null. The
 * new document shares what stays with the given one.
 */
export function removeFields(type: StructType, document: Members, set: FieldSet): Members {
  return (withoutFields(type, document, set, 0) ?? {}) as Members;
}

/** `set` is not empty below its root. */
function withoutFields(type: FieldType, value: unknown, set: FieldSet, depth: number): unknown {
  checkDepth(depth);
  if (type.kind === 'scalar') return value;
  if (Array.isArray(value) && (type.kind === 'list' || type.kind === 'untyped')) {
    if (type.kind === 'untyped' || type.relation === 'atomic') return null;
    return withoutItems(type, value, set, depth);
  }
  // A free-form scalar has nothing below it to remove.
  if (!isMembers(value)) return type.kind === 'untyped' ? value : null;
  if (type.kind === 'list' || (type.kind !== 'untyped' && type.isAtomic)) return null;
  return withoutMembers(type, value, set, depth);
}

function withoutItems(
  type: ListType,
  items: readonly unknown[],
  set: FieldSet,
  depth: number,
): unknown {
  const kept: unknown[] = [];
  const byElement = new Map(set.elements.map((element, at) => [element, set.children[at]]));
  for (const item of items) {
    const below = byElement.get(itemElement(type, item));
    if (below === undefined) kept.push(item);
    else if (!below.isMember) kept.push(withoutFields(type.item, item, below, depth + 1));
  }
  return kept.length === 0 ? null : kept;
}

function withoutMembers(type: FieldType, members: Members, set: FieldSet, depth: number): unknown {
  const kept: Members = {};
  const byElement = new Map(set.elements.map((element, at) => [element, set.children[at]]));
  let isEmpty = true;
  for (const name of Object.keys(members)) {
    const below = byElement.get(`f:${name}`);
    if (below?.isMember === true) continue;
    const value = members[name];
    const left =
      below === undefined ? value : withoutFields(memberType(type, name), value, below, depth + 1);
    setMember(kept, name, left);
    isEmpty = false;
  }
  return isEmpty ? null : kept;
}

/** The set with the structs that lead to its fields: `a` too for `a.b`. */
export function withNamedFields(type: StructType, set: FieldSet): FieldSet {
  return namedBelow(type, set, 0);
}

function namedBelow(type: FieldType | undefined, set: FieldSet, depth: number): FieldSet {
  checkDepth(depth);
  if (type === undefined || type === UNTYPED || set.elements.length === 0) return set;
  const children = set.children.map((child, at) => {
    const element = set.elements[at] as string;
    const named = namedBelow(typeBelow(type, element), child, depth + 1);
    return isStructField(type, element) ? withRoot(named, true) : named;
  });
  return fieldSet(set.isMember, set.elements, children);
}

function isStructField(type: FieldType, element: string): boolean {
  if (type.kind !== 'struct' || !element.startsWith('f:')) return false;
  return type.field(element.slice(2)) !== undefined;
}

/** The type below an element of a named field or a keyed item; undefined below any other. */
function typeBelow(type: FieldType, element: string): FieldType | undefined {
  if (element.startsWith('k:')) return type.kind === 'list' ? type.item : undefined;
  if (!element.startsWith('f:')) return undefined;
  if (type.kind === 'struct') return type.field(element.slice(2))?.type;
  return type.kind === 'map' ? type.item : undefined;
}
