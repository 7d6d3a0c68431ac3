/** The set of all fields in a value: those added with a new value, or removed with an old one. */
import type { Members } from '../../codec/model/schema-model.ts';
import { isMembers } from '../patch/document.ts';
import { isObject, isZero, parsedRaw } from './equal-values.ts';
import { LEAF } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { isLeafType, memberType, UNTYPED } from './field-types.ts';
import type {
  FieldType,
  ListType,
  MessageStruct,
  PlainFields,
  PlainStruct,
  StructField,
} from './field-types.ts';
import { endOfRepeated, itemElement, sortedItems } from './list-items.ts';
import { SharedSets } from './shared-sets.ts';
import { FIELD_DEPTH_MAX } from './typed-error.ts';

/**
 * The place of the value itself and all fields below it, down to its leaves. With `isAsSent` it has
 * only members that the document holds, not those that JSON always shows. Throws a TypedError.
 */
export function allFields(
  type: FieldType,
  value: unknown,
  depth: number,
  isAsSent: boolean,
): FieldSet {
  if (type.kind === 'scalar' || value === null || depth > FIELD_DEPTH_MAX) return LEAF;
  switch (type.kind) {
    case 'struct':
      if (type.isAtomic || !isObject(value)) return LEAF;
      if (type.isPlain) return wholePlain(type, value, depth, isAsSent);
      return isAsSent ? wholeSent(type, value, depth) : wholeStruct(type, value, depth);
    case 'list':
      if (type.relation === 'atomic' || !Array.isArray(value)) return LEAF;
      return wholeList(type, value, depth, isAsSent);
    case 'map':
      return type.isAtomic || !isObject(value) ? LEAF : wholeMap(type, value, depth, isAsSent);
    case 'untyped': {
      const content = parsedRaw(value);
      return isMembers(content) ? wholeMap(UNTYPED, content, depth, isAsSent) : LEAF;
    }
  }
}

const SETS = new WeakMap<FieldType, SharedSets>();

function setsOf(type: FieldType): SharedSets {
  let sets = SETS.get(type);
  if (sets === undefined) SETS.set(type, (sets = new SharedSets()));
  return sets;
}

function wholeStruct(type: MessageStruct, value: Members, depth: number): FieldSet {
  const { fields, elements, sets } = type.writtenOf(Object.keys(value));
  const children: FieldSet[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as StructField;
    const member = value[field.name] ?? field.zero;
    if (member === undefined || (field.dropsZero && isZero(field.type, member))) {
      return wholeStruct(type, withoutZeros(type, value), depth);
    }
    children.push(field.isLeaf ? LEAF : allFields(field.type, member, depth + 1, false));
  }
  return sets.of(elements, children);
}

/** Counts zeros and nulls that were sent, and no members that were not. */
function wholeSent(type: MessageStruct, value: Members, depth: number): FieldSet {
  const elements: string[] = [];
  const children: FieldSet[] = [];
  for (const name of sortedNames(value)) {
    const field = value[name] === undefined ? undefined : type.field(name);
    if (field === undefined) continue;
    elements.push(field.element);
    children.push(allFields(field.type, value[name], depth + 1, true));
  }
  return setsOf(type).of(elements, children);
}

/** Leaves out members that JSON does not show, which is rare: decoded objects have none. */
function withoutZeros(type: MessageStruct, value: Members): Members {
  const kept: Members = {};
  for (const { name, type: below, dropsZero } of type.fields) {
    const member = value[name];
    if (member === undefined || member === null) continue;
    if (!dropsZero || !isZero(below, member)) kept[name] = member;
  }
  return kept;
}

function wholePlain(type: PlainStruct, value: Members, depth: number, isAsSent: boolean): FieldSet {
  const names = Object.keys(value);
  const { sorted, elements, whole } = type.known.get(names) ?? plainFields(type, names);
  if (whole !== undefined) return whole;
  const children = sorted.map((name) =>
    allFields(memberType(type, name), value[name], depth + 1, isAsSent),
  );
  return setsOf(type).of(elements, children);
}

/**
 * Keeps the result only where the type declares all members: a client may choose any other names.
 */
function plainFields(type: PlainStruct, names: readonly string[]): PlainFields {
  const sorted = names.toSorted();
  const elements = sorted.map((name) => `f:${name}`);
  const isFlat = sorted.every((name) => isLeafType(memberType(type, name)));
  const leaves = isFlat ? elements.map(() => LEAF) : undefined;
  const whole = leaves && setsOf(type).of(elements, leaves);
  const found = { names, sorted, elements, whole };
  return names.every((name) => type.field(name) !== undefined) ? type.known.add(found) : found;
}

function wholeMap(type: FieldType, value: Members, depth: number, isAsSent: boolean): FieldSet {
  const names = sortedNames(value);
  const elements: string[] = [];
  const children: FieldSet[] = [];
  for (const name of names) {
    elements.push(`f:${name}`);
    children.push(allFields(memberType(type, name), value[name], depth + 1, isAsSent));
  }
  return setsOf(type).of(elements, children);
}

function wholeList(
  type: ListType,
  value: readonly unknown[],
  depth: number,
  isAsSent: boolean,
): FieldSet {
  const items = sortedItems(type, value);
  const elements: string[] = [];
  const children: FieldSet[] = [];
  for (let at = 0, end = 0; at < items.length; at = end) {
    end = endOfRepeated(type, items, at);
    elements.push(itemElement(type, items[at]));
    children.push(end > at + 1 ? LEAF : allFields(type.item, items[at], depth + 1, isAsSent));
  }
  return setsOf(type).of(elements, children);
}

/** The names of the members, in the order of their path elements. */
export function sortedNames(members: Members): string[] {
  const names = Object.keys(members);
  for (let at = 1; at < names.length; at++) {
    if ((names[at - 1] as string) > (names[at] as string)) return names.sort();
  }
  return names;
}
