/**
 * Strategic merge patch (README.md#strategic-merge-patch): objects are merged, and so are lists
 * whose items the schema tells apart; directives in the patch say otherwise. The result of a patch
 * is that of the reference, down to the order of list items. Three of its ways are less than
 * obvious:
 *
 * - A member that the object lacks is taken from the patch as it is, with the directives and nulls
 *   in it; later releases leave them out (`strategic-new-values.ts`). Whoever decodes the result
 *   drops them, as members that the kind does not know. Items to be deleted from a merged list are
 *   the exception (but where `$setElementOrder` names the list): they are left out in any release.
 *   Two garbage collectors that take the same last owner away depend on it: the second is done
 *   then, where release 1.23 would add an owner of which only the uid is known, and refuse that.
 * - `$retainKeys` counts in every object, whatever the schema says of it.
 * - In a merged list, items that the patch brings stand before the others, unless
 *   `$setElementOrder` says otherwise.
 *
 * Nothing recurses: objects wait in a queue for their turn, so nesting cannot overflow the stack.
 */
import { valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { isMembers, isRawNumber, memberOf } from './document.ts';
import { PatchError } from './patch-error.ts';
import { badDirective, fieldOfDirective, unknownDirective } from './strategic-errors.ts';
import { mergeLists, withoutDeletions, withoutDirective } from './strategic-lists.ts';
import type { MergeLater } from './strategic-lists.ts';
import { newValue } from './strategic-new-values.ts';
import { strategicField, strategicListField } from './strategic-plan.ts';
import type { StrategicPlan } from './strategic-plan.ts';
import { SET_ELEMENT_ORDER, mergeOrderedLists } from './strategic-set-order.ts';

const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const LIST_OF_SCALARS = 'primitive list';
const DOLLAR = 36;

interface MergeTask {
  readonly target: Members;
  readonly patch: Members;
  readonly plan: StrategicPlan;
}

/**
 * The patched object. `document` may be changed, and parts of `patch` become parts of the result;
 * `patch` itself stays as it is, so that it can be applied again. Throws PatchError: 400 for a
 * directive of the wrong form, 422 for lists of lists, 500 for the rest (README.md#patch-types).
 */
export function applyStrategicPatch(
  plan: StrategicPlan,
  document: Members,
  patch: unknown,
): Members {
  if (patch === null) return document;
  if (!isMembers(patch)) throw notAnObject(patch);
  const tasks: MergeTask[] = [];
  const mergeLater: MergeLater = (target, patch, plan) => {
    tasks.push({ target, patch, plan });
  };
  const result = mergeObjects(document, patch, plan, mergeLater);
  // Each task may add tasks at the end of the list, which this loop then reaches.
  for (const task of tasks) mergeMembers(task, mergeLater);
  return result;
}

function notAnObject(patch: unknown): PatchError {
  const kind = isRawNumber(patch) ? 'number' : valueKind(patch);
  return new PatchError(400, valueMismatch(kind, 'map[string]interface {}').message);
}

/** Returns the new value of `target`: itself, filled later, unless the patch has a directive. */
function mergeObjects(
  target: Members,
  patch: Members,
  plan: StrategicPlan,
  mergeLater: MergeLater,
): Members {
  const directive = memberOf(patch, '$patch');
  if (directive === undefined) {
    mergeLater(target, patch, plan);
    return target;
  }
  if (directive === 'delete') return {};
  const rest = withoutDirective(patch);
  if (directive === 'replace') return rest;
  if (directive !== 'merge') throw unknownDirective(directive, patch);
  mergeLater(target, rest, plan);
  return target;
}

/** Merges one object of the patch into one of the document, without those below. */
function mergeMembers({ target, patch, plan }: MergeTask, mergeLater: MergeLater): void {
  const keys = Object.keys(patch);
  if (keys.some((key) => key.charCodeAt(0) === DOLLAR)) {
    obeyDirectives(target, patch, plan, mergeLater);
    return;
  }
  for (const key of keys) mergeMember(target, key, patch[key], plan, mergeLater);
}

/** Merges an object of the patch that may have directives, which act before its other members. */
function obeyDirectives(
  target: Members,
  patch: Members,
  plan: StrategicPlan,
  mergeLater: MergeLater,
): void {
  retainKeys(target, patch);
  const merged = mergeOrderedLists(target, patch, plan, mergeLater);
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || key.startsWith(SET_ELEMENT_ORDER) || merged.has(key)) continue;
    const value = patch[key];
    if (key.startsWith(DELETE_FROM_LIST)) removeFromList(target, key, value, plan, mergeLater);
    else mergeMember(target, key, value, plan, mergeLater);
  }
}

/** Drops the members that `$retainKeys` does not list; the patch may only set listed ones. */
function retainKeys(target: Members, patch: Members): void {
  const listed = memberOf(patch, RETAIN_KEYS);
  if (listed === undefined) return;
  if (!Array.isArray(listed)) throw badDirective('retainKeys');
  const retained = new Set<unknown>(listed);
  for (const key of Object.keys(patch)) {
    const isDirective =
      key === RETAIN_KEYS || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ELEMENT_ORDER);
    if (!isDirective && patch[key] !== null && !retained.has(key)) throw badDirective('retainKeys');
  }
  for (const key of Object.keys(target)) {
    if (!retained.has(key)) Reflect.deleteProperty(target, key);
  }
}

function mergeMember(
  target: Members,
  key: string,
  value: unknown,
  plan: StrategicPlan,
  mergeLater: MergeLater,
): void {
  if (value === null) {
    Reflect.deleteProperty(target, key);
    return;
  }
  const before = memberOf(target, key);
  if (isMembers(before) && isMembers(value)) {
    const field = strategicField(plan, key);
    const isReplaced = field.strategy === 'replace';
    const merged = isReplaced ? value : mergeObjects(before, value, field.plan, mergeLater);
    if (merged !== before) setMember(target, key, merged);
  } else if (Array.isArray(before) && Array.isArray(value)) {
    const field = strategicListField(plan, key);
    setMember(target, key, mergeLists(before, value, field, false, mergeLater));
  } else takeNew(target, key, value, plan);
}

/** Sets a member that the object does not have, or has as a value of another sort. */
function takeNew(target: Members, key: string, sent: unknown, plan: StrategicPlan): void {
  const value = newValue(sent);
  if (value === undefined) Reflect.deleteProperty(target, key);
  else if (Array.isArray(value) && memberOf(target, key) === undefined) {
    const isMerged = plan.fields.get(key)?.strategy === 'merge';
    setMember(target, key, isMerged ? withoutDeletions(value) : value);
  } else setMember(target, key, value);
}

/**
 * Obeys `$deleteFromPrimitiveList/<field>`. Objects in such a list are refused: the reference would
 * merge them, which nobody who writes this directive can mean.
 */
function removeFromList(
  target: Members,
  key: string,
  value: unknown,
  plan: StrategicPlan,
  mergeLater: MergeLater,
): void {
  const name = fieldOfDirective(key, DELETE_FROM_LIST, LIST_OF_SCALARS);
  const before = memberOf(target, name);
  if (value === null) Reflect.deleteProperty(target, name);
  else if (!Array.isArray(value) || value.some(isMembers)) throw badDirective(LIST_OF_SCALARS);
  else if (Array.isArray(before)) {
    const field = strategicListField(plan, name);
    setMember(target, name, mergeLists(before, value, field, true, mergeLater));
  }
}
