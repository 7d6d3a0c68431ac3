/** A config laid over a live document (README.md#apply). */
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { isMembers } from '../patch/document.ts';
import { isLeafType, memberType } from './field-types.ts';
import type { FieldType, ListType, StructType } from './field-types.ts';
import { duplicateText, itemElement, itemProblem } from './list-items.ts';
import { orderOfMerge } from './merge-order.ts';
import { checkDepth, TypedError } from './typed-error.ts';

/**
 * Merges both, with the value of the config where both have a leaf. Nothing is removed: an empty or
 * null map or list in the config keeps the live one. The new document shares values with both,
 * which stay as they are. Throws a TypedError where an item repeats or has no key.
 */
export function mergeDocuments(type: StructType, live: Members, config: Members): Members {
  return mergeValues(type, live, config, 0) as Members;
}

/** undefined stands for absent. */
function mergeValues(type: FieldType, live: unknown, config: unknown, depth: number): unknown {
  if (config === undefined) return live;
  if (live === undefined || isLeafType(type)) return config;
  checkDepth(depth);
  if (type.kind === 'list') {
    if (!Array.isArray(live) || live.length === 0) return config;
    if (!Array.isArray(config) || config.length === 0) return live;
    return mergeLists(type, live, config, depth);
  }
  if (!isMembers(live) || Object.keys(live).length === 0) return config;
  if (isMembers(config)) return mergeMembers(type, live, config, depth);
  // A value that is no map replaces free-form content; null, as everywhere, keeps it.
  return type.kind === 'untyped' && config !== null ? config : live;
}

function mergeMembers(type: FieldType, live: Members, config: Members, depth: number): Members {
  const merged: Members = {};
  for (const name of Object.keys(live)) {
    if (!Object.hasOwn(config, name)) {
      setMember(merged, name, live[name]);
      continue;
    }
    const below = memberType(type, name);
    setMember(merged, name, mergeValues(below, live[name], config[name], depth + 1));
  }
  for (const name of Object.keys(config)) {
    if (!Object.hasOwn(live, name)) setMember(merged, name, config[name]);
  }
  return merged;
}

function mergeLists(
  type: ListType,
  live: readonly unknown[],
  config: readonly unknown[],
  depth: number,
): unknown[] {
  const lives = itemsByElement(type, live);
  const configs = itemsByElement(type, config);
  return orderOfMerge([...lives.keys()], [...configs.keys()]).map((element) =>
    mergeValues(type.item, lives.get(element), configs.get(element), depth + 1),
  );
}

/** The items by their elements, in the order of the list. */
function itemsByElement(type: ListType, items: readonly unknown[]): Map<string, unknown> {
  const byElement = new Map<string, unknown>();
  for (const [at, item] of items.entries()) {
    const problem = itemProblem(type, item);
    if (problem !== undefined) throw new TypedError(`element ${at}: ${problem}`);
    const element = itemElement(type, item);
    if (byElement.has(element)) throw new TypedError(duplicateText(element));
    byElement.set(element, item);
  }
  return byElement;
}
