/** The items of keyed lists and sets: their identity, and their order. */
import type { Members } from '../../codec/model/schema-model.ts';
import { ownRelease } from '../../release/release.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { isMembers } from '../patch/document.ts';
import { isObject } from './equal-values.ts';
import type { KeyField, ListType } from './field-types.ts';
import { compareValues, elementText, scalarText, valueElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';

/** Why an item cannot be told from others; undefined when it can. */
export function itemProblem(list: ListType, item: unknown): string | undefined {
  if (list.relation === 'set') {
    if (isMembers(item)) return "associative list without keys has an element that's a map type";
    if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
    if (item !== null) return undefined;
    return "associative list without keys has an element that's an explicit null";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isMembers(item)) return 'associative list with keys may not have non-map elements';
  if (MAY_LACK_KEYS) return list.keyFields.some(has(item)) ? undefined : noKeyProblem(list);
  for (const key of list.keyFields) {
    if (keyOf(item, key) === undefined) return keyProblem(list, item);
  }
  return undefined;
}

/** Whether some of the keys of an item may be missing: it is another one than with them. */
const MAY_LACK_KEYS = ownRelease().has('itemsWithSomeKeys');

function has(item: Members): (key: KeyField) => boolean {
  return (key) => keyOf(item, key) !== undefined;
}

function noKeyProblem({ keys }: ListType): string {
  const what = 'associative list with keys has an element that omits all key fields';
  const names = `[${keys.map(quoteText).join(' ')}]`;
  return `${what} ${names} (and doesn't have default values for any key fields)`;
}

/** Names the first missing key, in the order in which the keys are declared. */
function keyProblem(list: ListType, item: Members): string {
  const missing = list.keys.find((name) =>
    list.keyFields.some((key) => key.name === name && keyOf(item, key) === undefined),
  );
  const what = 'associative list with keys has an element that omits key field';
  return `${what} ${quoteText(missing ?? '')} (and doesn't have default value)`;
}

/**
 * The key of an item. An absent key has the default of the schema, or zero where JSON always writes
 * the member. Null is a key like any other.
 */
function keyOf(item: Members, key: KeyField): unknown {
  const value = item[key.name];
  return value === undefined ? (key.default ?? key.zero) : value;
}

/** The path element of an item that has no problem. */
export function itemElement(list: ListType, item: unknown): string {
  if (list.relation === 'set') return valueElement(item);
  let text = 'k:{';
  for (const key of list.keyFields) {
    const value = keyOf(item as Members, key);
    if (value === undefined) continue;
    if (text.length > 3) text += ',';
    text += key.text + scalarText(value);
  }
  return `${text}}`;
}

/** The order of the elements of two items, as `compareElements` has it. */
export function compareItems(list: ListType, a: unknown, b: unknown): number {
  if (list.relation === 'set') return compareValues(a, b);
  for (let at = 0; at < list.keyFields.length; at++) {
    const key = list.keyFields[at] as KeyField;
    const left = keyOf(a as Members, key);
    const right = keyOf(b as Members, key);
    if (left === undefined || right === undefined) {
      if (left === right) continue;
      // An item with the key comes first, but after one that has no more keys.
      const [lacking, order] = left === undefined ? [a, 1] : [b, -1];
      return list.keyFields.slice(at).some(has(lacking as Members)) ? order : -order;
    }
    const order = compareValues(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether items that come twice have owners: as one item, without what is in it. */
export const MAY_REPEAT = ownRelease().has('ownedDuplicates');

/** Where the items end that are the same as the one at a place of sorted items. */
export function endOfRepeated(list: ListType, sorted: readonly unknown[], at: number): number {
  let end = at + 1;
  if (!MAY_REPEAT) return end;
  while (end < sorted.length && compareItems(list, sorted[at], sorted[end]) === 0) end += 1;
  return end;
}

/**
 * The items in the order of their elements; `items` itself when it is in order. Throws a TypedError
 * where an item repeats, unless it may, or has a problem.
 */
export function sortedItems(list: ListType, items: readonly unknown[]): readonly unknown[] {
  let inOrder = true;
  for (let at = 0; at < items.length; at++) {
    const problem = itemProblem(list, items[at]);
    if (problem !== undefined) throw new TypedError(`element ${at}: ${problem}`);
    if (at > 0 && inOrder && compareItems(list, items[at - 1], items[at]) >= 0) {
      inOrder = false;
    }
  }
  if (inOrder) return items;
  const sorted = items.toSorted((a, b) => compareItems(list, a, b));
  for (let at = 1; at < sorted.length; at++) {
    if (!MAY_REPEAT && compareItems(list, sorted[at - 1], sorted[at]) === 0) {
      throw new TypedError(duplicateText(itemElement(list, sorted[at])));
    }
  }
  return sorted;
}

/** For longer lists comparing all pairs costs more than sorting. */
const ALIGNED_MAX = 12;

/** Whether the lists have the same items in the same order, each once: the usual case. Cheap. */
export function areAligned(list: ListType, a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length || a.length > ALIGNED_MAX) return false;
  for (let at = 0; at < a.length; at++) {
    if (!isSameItem(list, a[at], b[at])) return false;
    for (let other = 0; other < at; other++) {
      if (isSameItem(list, b[other], b[at])) return false;
    }
  }
  return true;
}

/** True only for items that are certainly the same and without problems. */
function isSameItem(list: ListType, a: unknown, b: unknown): boolean {
  if (list.relation === 'set') return a === b && typeof a !== 'object';
  if (!isObject(a) || !isObject(b)) return false;
  const { keyFields } = list;
  let hasKey = false;
  for (let at = 0; at < keyFields.length; at++) {
    const key = keyFields[at] as KeyField;
    const value = keyOf(a, key);
    if (value !== keyOf(b, key)) return false;
    if (value !== undefined) hasKey = true;
    else if (!MAY_LACK_KEYS) return false;
  }
  return hasKey;
}

export function duplicateText(element: string): string {
  return `duplicate entries for key ${elementText(element)}`;
}
