/**
 * Merges a list of a strategic merge patch into the list of the object
 * (README.md#strategic-merge-patch).
 */
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { cloneDocument, isMembers } from './document.ts';
import { goTypeOf, goValueText, scalarIdentity } from './go-value-text.ts';
import type { GoType } from './go-value-text.ts';
import { PatchError } from './patch-error.ts';
import { noKeyDeclared, noMergeKey, unknownDirective, wrongType } from './strategic-errors.ts';
import { inMergedOrder, placesOf } from './strategic-order.ts';
import type { StrategicField, StrategicPlan } from './strategic-plan.ts';

/** Queues the merge of `patch` into `target`, after all merges that wait already. */
export type MergeLater = (target: Members, patch: Members, plan: StrategicPlan) => void;

type List = readonly unknown[];

/**
 * The list that the object gets. With `isDeletion`, the scalars in `patch` are removed instead of
 * added. Throws PatchError 422 for lists of lists, 500 for items that cannot be told apart.
 */
export function mergeLists(
  server: List,
  patch: List,
  field: StrategicField,
  isDeletion: boolean,
  mergeLater: MergeLater,
): List {
  if (field.strategy !== 'merge') return patch;
  if (server.length === 0 && patch.length === 0) return server;
  if (itemType(server, patch) === 'map[string]interface {}') {
    return mergeItems(server as readonly Members[], patch as readonly Members[], field, mergeLater);
  }
  if (isDeletion) {
    const removed = new Set(patch.map(scalarIdentity));
    return server.filter((item) => !removed.has(scalarIdentity(item)));
  }
  if (field.mergeKey !== '') throw wrongType('map[string]interface {}', server[0] ?? patch[0]);
  return mergeScalars(server, patch);
}

/** The one type of all items. Throws PatchError 422 for lists of lists, 500 for several types. */
export function itemType(server: List, patch: List): GoType {
  let type: GoType | undefined;
  for (const list of [server, patch]) {
    for (const item of list) {
      const own = goTypeOf(item);
      type ??= own;
      if (type === '[]interface {}') {
        throw new PatchError(422, 'lists of lists are not supported');
      }
      if (own !== type || item === null) {
        const text = goValueText([server, patch]);
        throw new PatchError(500, `list element types are not identical: ${text}`);
      }
    }
  }
  if (type === undefined) throw new PatchError(500, 'no elements in any of the given slices');
  return type;
}

/**
 * The value that tells an item from others of its list. Throws PatchError 500 when it has no merge
 * key.
 */
export function itemIdentity(item: Members, mergeKey: string): unknown {
  const value = item[mergeKey];
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return scalarIdentity(value);
}

function mergeScalars(server: List, patch: List): unknown[] {
  const serverPlaces = placesOf(server.map(scalarIdentity));
  const patchPlaces = placesOf(patch.map(scalarIdentity));
  const union = new Map<unknown, unknown>();
  for (const list of [server, patch]) {
    for (const item of list) {
      const identity = scalarIdentity(item);
      if (!union.has(identity)) union.set(identity, item);
    }
  }
  return inMergedOrder([...union.values()], scalarIdentity, patchPlaces, serverPlaces);
}

function mergeItems(
  server: readonly Members[],
  patch: readonly Members[],
  field: StrategicField,
  mergeLater: MergeLater,
): unknown[] {
  const { mergeKey, plan } = field;
  if (mergeKey === '') throw noKeyDeclared(field);
  const { kept, added } = obeyDirectives(server, patch, mergeKey);
  const identityOf = (item: unknown): unknown => itemIdentity(item as Members, mergeKey);
  const patchPlaces = placesOf(added.map(identityOf));
  const serverPlaces = placesOf(kept.map(identityOf));
  // Items with the same key are merged into one another, which must not change the patch.
  const items = patchPlaces.size < added.length ? (cloneDocument(added) as Members[]) : added;
  const merged = [...kept];
  const places = new Map(serverPlaces);
  for (const item of items) {
    const identity = identityOf(item);
    const place = places.get(identity);
    const target = place === undefined ? undefined : merged[place];
    if (target === undefined) places.set(identity, merged.push(item) - 1);
    else mergeLater(target, item, plan);
  }
  return inMergedOrder(merged, identityOf, patchPlaces, serverPlaces);
}

/** The items of the object that stay, and those of the patch that are no directives. */
function obeyDirectives(
  server: readonly Members[],
  patch: readonly Members[],
  mergeKey: string,
): { kept: readonly Members[]; added: readonly Members[] } {
  const added: Members[] = [];
  const deleted = new Set<unknown>();
  let isReplaced = false;
  for (const item of patch) {
    const directive = item['$patch'];
    if (directive === undefined) added.push(item);
    else if (directive === 'delete') deleted.add(itemIdentity(item, mergeKey));
    else if (directive === 'replace') isReplaced = true;
    else if (directive === 'merge') added.push(withoutDirective(item));
    else throw unknownDirective(directive, item);
  }
  if (isReplaced) return { kept: added, added: [] };
  if (deleted.size === 0) return { kept: server, added };
  const kept = server.filter((item) => !deleted.has(scalarIdentity(item[mergeKey])));
  return { kept, added };
}

/** The object without its `$patch`. */
export function withoutDirective(item: Members): Members {
  const rest: Members = {};
  for (const key of Object.keys(item)) if (key !== '$patch') setMember(rest, key, item[key]);
  return rest;
}

/** Whether the item is an object that says `$patch: delete`. */
export function isDeletedItem(item: unknown): boolean {
  return isMembers(item) && item['$patch'] === 'delete';
}

/** The list for a document that has none: all items of the patch but those to be deleted. */
export function withoutDeletions(list: List): List {
  return list.some(isDeletedItem) ? list.filter((item) => !isDeletedItem(item)) : list;
}
