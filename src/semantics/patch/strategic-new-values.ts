/**
 * Values of a strategic patch that the object does not have, or has as values of another sort: what
 * releases leave out of them.
 */
import { ownRelease } from '../../release/release.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { cloneDocument, isContainer, isMembers } from './document.ts';

const DROPS_NULLS = ownRelease().has('droppedNullsOfPatches');
const DROPS_DIRECTIVES = ownRelease().has('droppedDirectivesOfPatches');

/**
 * The value as an object takes it: without members that are null, and without all objects that have
 * a directive; undefined when it is such an object itself. The value itself does not change.
 */
export function newValue(value: unknown): unknown {
  return DROPS_NULLS ? cleaned(value, isDroppedMember) : value;
}

/** The list that an object has from its order on, without all objects that have a directive. */
export function newOrderedList(list: readonly unknown[]): readonly unknown[] {
  return DROPS_DIRECTIVES ? (cleaned(list, isDropped) as unknown[]) : list;
}

type Test = (value: unknown) => boolean;

function isDropped(value: unknown): boolean {
  return DROPS_DIRECTIVES && isMembers(value) && Object.hasOwn(value, '$patch');
}

function isDroppedMember(value: unknown): boolean {
  return value === null || isDropped(value);
}

function cleaned(value: unknown, dropsMember: Test): unknown {
  if (!isContainer(value)) return value;
  if (isDropped(value)) return undefined;
  if (!hasDropped(value, dropsMember)) return value;
  const taken = cloneDocument(value);
  for (const part of partsOf(taken)) {
    if (Array.isArray(part)) {
      const kept = part.filter((item) => !isDropped(item));
      if (kept.length < part.length) part.splice(0, part.length, ...kept);
      continue;
    }
    for (const key of Object.keys(part)) {
      if (dropsMember(part[key])) Reflect.deleteProperty(part, key);
    }
  }
  return taken;
}

function hasDropped(value: unknown, dropsMember: Test): boolean {
  for (const part of partsOf(value)) {
    if (Array.isArray(part) ? part.some(isDropped) : Object.values(part).some(dropsMember)) {
      return true;
    }
  }
  return false;
}

type Part = unknown[] | Members;

/** All lists and objects in a value; those in one are found when it has been looked at. */
function* partsOf(value: unknown): Generator<Part> {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isContainer(next)) continue;
    yield next as Part;
    for (const inner of Object.values(next)) if (isContainer(inner)) pending.push(inner);
  }
}
