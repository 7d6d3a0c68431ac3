/**
 * The objects that a selection finds in the state of one version, in the order of lists. It reads
 * the object table, and for an old version what has been replaced or deleted since.
 */
import { afterKey } from './object-table.ts';
import type { KeyRange } from './object-table.ts';
import type { PastObject, PastState } from './past-states.ts';
import type { Selection } from './selection.ts';
import type { Shard } from './shard.ts';

export interface SelectRequest {
  readonly selection: Selection;
  /** The least key to look at; '' for the beginning. */
  readonly start?: string;
  /** At most so many objects; 0 for all. */
  readonly limit?: number;
  /** Absent for the state of this turn. */
  readonly past?: PastState | undefined;
}

export interface SelectedObjects {
  /** Key and version of each object, side by side. */
  readonly keys: readonly string[];
  readonly rvs: readonly number[];
  /** Where the rest begins; undefined if there is none. */
  readonly next: string | undefined;
  /** Objects of the table that were looked at. */
  readonly lookedAt: number;
}

/** All versions are in the log when it returns; nothing is read of the objects themselves. */
export function selectObjects(shard: Shard, request: SelectRequest): SelectedObjects {
  const { selection, start = '', limit = 0, past } = request;
  const range = rangeFrom(selection, start);
  const most = limit > 0 ? limit : Infinity;
  const keys: string[] = [];
  const rvs: number[] = [];
  let next: string | undefined;
  // False once there is one more than asked for.
  const add = (key: string, rv: number): boolean => {
    if (keys.length >= most) {
      next = afterKey(keys.at(-1) ?? '');
      return false;
    }
    keys.push(key);
    rvs.push(rv);
    return true;
  };
  const old = past === undefined ? [] : replacedObjects(past, selection, range, most + 1);
  let oldIndex = 0;
  const addOldBefore = (key: string | undefined): boolean => {
    for (let one = old[oldIndex]; one !== undefined; one = old[oldIndex]) {
      if (key !== undefined && one.key > key) return true;
      oldIndex++;
      if (!add(one.key, one.rv)) return false;
    }
    return true;
  };
  const asOf = past?.rv ?? Infinity;
  const all = selection.selectsAll;
  let more = true;
  let lookedAt = 0;
  shard.table.scan(
    range,
    (entry) => {
      lookedAt++;
      if (entry.rv > asOf || !(all || selection.matchesSelectors(entry))) return true;
      more = addOldBefore(entry.key) && add(entry.key, entry.rv);
      return more;
    },
    selection.fieldValue,
  );
  if (more) addOldBefore(undefined);
  return { keys, rvs, next, lookedAt };
}

/** Versions of the selected objects as of this turn, eight bytes each. */
export function snapshot(shard: Shard, selection: Selection): Float64Array {
  return Float64Array.from(selectObjects(shard, { selection }).rvs);
}

/** How many objects the whole range held, from `start` on: for selections without selectors. */
export function countObjects(
  shard: Shard,
  selection: Selection,
  start: string,
  past: PastState | undefined,
): number {
  const range = rangeFrom(selection, start);
  const now = shard.table.count(range);
  if (past === undefined) return now;
  let newer = 0;
  shard.table.scan(range, ({ rv }) => {
    if (rv > past.rv) newer++;
  });
  return now - newer + past.replaced.countRange(range.from, range.to);
}

function rangeFrom({ range }: Selection, start: string): KeyRange {
  return start > range.from ? { from: start, to: range.to } : range;
}

function replacedObjects(
  past: PastState,
  selection: Selection,
  { from, to }: KeyRange,
  most: number,
): PastObject[] {
  const found: PastObject[] = [];
  const all = selection.selectsAll;
  past.replaced.scan(from, to, (_key, object) => {
    if (all || selection.matchesSelectors(object)) found.push(object);
    return found.length < most;
  });
  return found;
}
