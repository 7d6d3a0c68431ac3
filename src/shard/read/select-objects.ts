/**
 * The objects that a selection finds in a view, in the order of lists: those of the object table,
 * and for an old version what has been replaced or deleted since.
 */
import { LOOK_BYTES, LOOKED_AT_MAX } from '../../limits.ts';
import { afterKey } from '../table/object-table.ts';
import type { KeyRange } from '../table/object-table.ts';
import type { PastObject } from '../log/past-states.ts';
import { viewAt } from './read-view.ts';
import type { ReadView } from './read-view.ts';
import type { Selection } from '../table/selection.ts';
import type { Shard } from '../state/shard.ts';

interface SelectRequest {
  readonly selection: Selection;
  /** A view of this turn. */
  readonly view: ReadView;
  /** The least key to look at; '' for the beginning. */
  readonly start: string;
  /** At most so many objects, beside those that were found before. */
  readonly most: number;
  /** So many objects are looked at, and so many that have been replaced since. */
  readonly lookMax: number;
}

export interface FindRequest extends Omit<SelectRequest, 'lookMax'> {
  /** The most objects that are looked at in a turn. */
  readonly lookMax?: number;
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

/** As in `SelectedObjects`, of all steps up to now. */
interface Found {
  readonly keys: string[];
  readonly rvs: number[];
}

interface SelectStep extends Omit<SelectedObjects, keyof Found> {
  /** Where to look on; undefined when there is no need to. */
  readonly lookedTo: string | undefined;
}

/**
 * Calls `then` with the objects that a selection finds: at once, or after turns in which others
 * were served, and then as at the version of the view all the same. All versions are in the log at
 * that time; nothing is read of the objects themselves. Calls `gone` when that state is needed and
 * no longer known, and `fail` with what is thrown in a later turn.
 */
export function findObjects(
  shard: Shard,
  request: FindRequest,
  then: (found: SelectedObjects) => void,
  gone: () => void,
  fail: (error: Error) => void,
): void {
  const { selection, most } = request;
  const { lookMax = selection.selectsAll ? Infinity : LOOKED_AT_MAX } = request;
  const found: Found = { keys: [], rvs: [] };
  let lookedAt = 0;
  const look = (start: string, view: ReadView): void => {
    const step = { selection, view, start, most: most - found.keys.length, lookMax };
    const { next, lookedTo, lookedAt: looked } = selectObjects(step, found);
    lookedAt += looked;
    if (lookedTo === undefined) {
      then({ ...found, next, lookedAt });
      return;
    }
    shard.pageTurns.add(() => {
      viewAt(shard, view.rv, (later) => (later === undefined ? gone() : look(lookedTo, later)));
      return LOOK_BYTES * lookMax;
    }, fail);
  };
  look(request.start, request.view);
}

/** Adds to what was found what this step finds. */
function selectObjects(request: SelectRequest, { keys, rvs }: Found): SelectStep {
  const { selection, view, start, most, lookMax } = request;
  const whole = rangeFrom(selection, start);
  const old = view.isPast ? replacedObjects(request, whole) : NOTHING_OLD;
  const range = old.lookedTo === undefined ? whole : { from: whole.from, to: old.lookedTo };
  const foundBefore = keys.length;
  let next: string | undefined;
  // False once there is one more than asked for.
  const add = (key: string, rv: number): boolean => {
    if (keys.length - foundBefore >= most) {
      const last = keys.at(-1);
      next = last === undefined || most === 0 ? range.from : afterKey(last);
      return false;
    }
    keys.push(key);
    rvs.push(rv);
    return true;
  };
  let oldIndex = 0;
  const addOldUpTo = (key: string | undefined): boolean => {
    for (let one = old.found[oldIndex]; one !== undefined; one = old.found[oldIndex]) {
      if (key !== undefined && one.key > key) return true;
      oldIndex++;
      if (!add(one.key, one.rv)) return false;
    }
    return true;
  };
  const all = selection.selectsAll;
  let more = true;
  let lookedAt = 0;
  let lookedTo: string | undefined;
  view.scanTable(
    range,
    (entry) => {
      lookedAt++;
      if (view.holds(entry) && (all || selection.matchesSelectors(entry))) {
        more = addOldUpTo(entry.key) && add(entry.key, entry.rv);
      }
      if (more && lookedAt >= lookMax) {
        more = addOldUpTo(entry.key);
        if (more) lookedTo = afterKey(entry.key);
        return false;
      }
      return more;
    },
    selection.fieldValue,
  );
  if (more && lookedTo === undefined && addOldUpTo(undefined)) lookedTo = old.lookedTo;
  return { next, lookedAt, lookedTo };
}

/** Counts the objects of the whole range from `start` on: for selections without selectors. */
export function countObjects(view: ReadView, selection: Selection, start: string): number {
  return view.count(rangeFrom(selection, start));
}

function rangeFrom({ range }: Selection, start: string): KeyRange {
  return start > range.from ? { from: start, to: range.to } : range;
}

interface OldObjects {
  readonly found: readonly PastObject[];
  /** The key from which on nothing was looked at; undefined when all was, or enough. */
  readonly lookedTo: string | undefined;
}

const NOTHING_OLD: OldObjects = { found: [], lookedTo: undefined };

function replacedObjects(
  { selection, view, most, lookMax }: SelectRequest,
  range: KeyRange,
): OldObjects {
  const found: PastObject[] = [];
  const all = selection.selectsAll;
  let lookedAt = 0;
  let lookedTo: string | undefined;
  view.scanReplaced(range, (object) => {
    if (all || selection.matchesSelectors(object)) found.push(object);
    if (found.length > most) return false;
    if (++lookedAt < lookMax) return true;
    lookedTo = afterKey(object.key);
    return false;
  });
  return { found, lookedTo };
}
