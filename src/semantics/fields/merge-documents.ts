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
 * which stay as they are. Throws a TypedError where an item repeats or has no key; those of the
 * live document may repeat where that is said.
 */
export function mergeDocuments(
  type: StructType,
  live: Members,
  config: Members,
  mayRepeat = false,
): Members {
  return mergeValues(type, live, config, { depth: 0, mayRepeat }) as Members;
}

interface Place {
  readonly depth: number;
  readonly mayRepeat: boolean;
}

/** undefined stands for absent. */
function mergeValues(type: FieldType, live: unknown, config: unknown, at: Place): unknown {
  if (config === undefined) return live;
  if (live === undefined || isLeafType(type)) return config;
  checkDepth(at.depth);
  if (type.kind === 'list') {
    if (!Array.isArray(live) || live.length === 0) return config;
    if (!Array.isArray(config) || config.length === 0) return live;
    return mergeLists(type, live, config, at);
  }
  if (!isMembers(live) || Object.keys(live).length === 0) return config;
  if (isMembers(config)) return mergeMembers(type, live, config, at);
  // A value that is no map replaces free-form content; null, as everywhere, keeps it.
  return type.kind === 'untyped' && config !== null ? config : live;
}

function mergeMembers(type: FieldType, live: Members, config: Members, at: Place): Members {
  const merged: Members = {};
  const below = { ...at, depth: at.depth + 1 };
  for (const name of Object.keys(live)) {
    const value = Object.hasOwn(config, name)
      ? mergeValues(memberType(type, name), live[name], config[name], below)
      : live[name];
    setMember(merged, name, value);
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
  at: Place,
): unknown[] {
  const lives = itemsByElement(type, live, at.mayRepeat);
  const configs = itemsByElement(type, config, false);
  const below = { ...at, depth: at.depth + 1 };
  return orderOfMerge(lives.elements, configs.elements).map((element) => {
    const repeated = lives.repeated?.get(element);
    const item = configs.items.get(element);
    if (item === undefined && repeated !== undefined) return repeated.shift();
    // Which of several items is meant cannot be told: they give way.
    const its = repeated === undefined ? lives.items.get(element) : undefined;
    return mergeValues(type.item, its, item, below);
  });
}

interface Items {
  /** In the order of the list. */
  readonly elements: readonly string[];
  readonly items: ReadonlyMap<string, unknown>;
  /** All items of the elements that come several times. */
  readonly repeated: ReadonlyMap<string, unknown[]> | undefined;
}

function itemsByElement(type: ListType, list: readonly unknown[], mayRepeat: boolean): Items {
  const elements: string[] = [];
  const items = new Map<string, unknown>();
  let repeated: Map<string, unknown[]> | undefined;
  for (const [at, item] of list.entries()) {
    const problem = itemProblem(type, item);
    if (problem !== undefined) throw new TypedError(`element ${at}: ${problem}`);
    const element = itemElement(type, item);
    elements.push(element);
    if (!items.has(element)) {
      items.set(element, item);
      continue;
    }
    if (!mayRepeat) throw new TypedError(duplicateText(element));
    repeated ??= new Map<string, unknown[]>();
    repeated.set(element, [...(repeated.get(element) ?? [items.get(element)]), item]);
  }
  return { elements, items, repeated };
}
