/**
 * The directive `$setElementOrder/<field>`: how a list is ordered at last
 * (README.md#strategic-merge-patch).
 */
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { isMembers, memberOf } from './document.ts';
import { goValueText, scalarIdentity } from './go-value-text.ts';
import { PatchError } from './patch-error.ts';
import { fieldOfDirective, noKeyDeclared, wrongType } from './strategic-errors.ts';
import { newOrderedList } from './strategic-new-values.ts';
import { isDeletedItem, itemIdentity, itemType, mergeLists } from './strategic-lists.ts';
import type { MergeLater } from './strategic-lists.ts';
import { inMergedOrder, placesOf } from './strategic-order.ts';
import { strategicListField } from './strategic-plan.ts';
import type { StrategicPlan } from './strategic-plan.ts';

export const SET_ELEMENT_ORDER = '$setElementOrder';

type List = readonly unknown[];

/**
 * Merges and orders the lists that such directives name; returns the names of these lists. Throws
 * PatchError 400 for a directive without a name, 500 where a list, its order and the schema do not
 * fit together.
 */
export function mergeOrderedLists(
  target: Members,
  patch: Members,
  plan: StrategicPlan,
  mergeLater: MergeLater,
): ReadonlySet<string> {
  const merged = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(SET_ELEMENT_ORDER)) continue;
    const order = listOf(patch[key]);
    const name = fieldOfDirective(key, SET_ELEMENT_ORDER, 'setElementOrder list');
    const server = maybeListOf(memberOf(target, name));
    const patched = maybeListOf(memberOf(patch, name));
    const field = strategicListField(plan, name);
    checkOrder(patched ?? [], order, field.mergeKey);
    const list =
      server !== undefined && patched !== undefined
        ? mergeLists(server, patched, field, false, mergeLater)
        : (server ?? (patched && newOrderedList(patched)));
    if (list === undefined) continue;
    const ordered = inElementOrder(list, order, server ?? [], field.mergeKey);
    const type = itemType(server ?? [], patched ?? []);
    if (type === 'map[string]interface {}' && field.mergeKey === '') throw noKeyDeclared(field);
    setMember(target, name, ordered);
    merged.add(name);
  }
  return merged;
}

function listOf(value: unknown): List {
  if (Array.isArray(value)) return value;
  throw wrongType('[]interface {}', value);
}

function maybeListOf(value: unknown): List | undefined {
  return value === undefined ? undefined : listOf(value);
}

/** The items of the patch must be part of the order, and come in that order. */
function checkOrder(patched: List, order: List, mergeKey: string): void {
  if (patched.length === 0 || order.length === 0) return;
  const items = mergeKey === '' ? patched : patched.filter(isNotDeleted);
  let next = 0;
  for (let place = 0; place < order.length && next < items.length;) {
    const item = items[next];
    if (isMembers(item) && item['$patch'] !== undefined) next++;
    else if (isSame(item, order[place++], mergeKey)) next++;
  }
  if (next === items.length) return;
  const text = `${goValueText(patched)}\n doesn't match ${SET_ELEMENT_ORDER} list:\n`;
  throw new PatchError(500, `The order in patch list:\n${text}${goValueText(order)}\n`);
}

/** Throws PatchError 500 for an item that is no object. */
function isNotDeleted(item: unknown): boolean {
  if (!isMembers(item)) throw wrongType('map[string]interface {}', item);
  return !isDeletedItem(item);
}

function isSame(item: unknown, ordered: unknown, mergeKey: string): boolean {
  return identityOf(item, mergeKey) === identityOf(ordered, mergeKey);
}

function identityOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return scalarIdentity(item);
  if (!isMembers(item)) throw wrongType('map[string]interface {}', item);
  return itemIdentity(item, mergeKey);
}

function inElementOrder(list: List, order: List, server: List, mergeKey: string): unknown[] {
  const identity = (item: unknown): unknown => identityOf(item, mergeKey);
  const isLast = mergeKey === '' ? undefined : isDeletedItem;
  const patchPlaces = placesOf(order.map(identity));
  return inMergedOrder(list, identity, patchPlaces, placesOf(server.map(identity)), isLast);
}
