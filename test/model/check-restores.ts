/**
 * The rule of restores: at one moment of the request each type is as it was at the version, but for
 * the versions of its objects.
 */
import type { History, Report } from './history.ts';
import { apply, type State } from './object-history.ts';
import type { RestoreRecord } from './records.ts';

export function checkRestores(history: History, report: Report): void {
  for (const restore of history.restores) {
    if (restore.outcome === 'unknown') continue;
    for (const type of history.types.keys()) checkRestore(history, type, restore, report);
  }
}

function checkRestore(
  history: History,
  type: string,
  restore: RestoreRecord,
  report: Report,
): void {
  const objects = history.of(type);
  const past = objects.stateAt(restore.version);
  const low = history.seenOfTypeBefore(type, restore.start);
  const first = objects.stateAt(low);
  const segment = objects.covering(low);
  if (past === undefined || first === undefined || segment === undefined) {
    history.unchecked++;
    return;
  }
  const high = history.highestAt(restore.end);
  const state = new Map(first);
  if (isSameState(state, past)) return;
  for (const change of segment.changes) {
    if (change.version <= low) continue;
    if (change.version > high) break;
    apply(state, change);
    if (isSameState(state, past)) return;
  }
  // What was written later is not known.
  if (segment.to < high && segment.to < Infinity) {
    history.unchecked++;
    return;
  }
  const message = `${type} was never as at version ${restore.version}`;
  report('restore-state', message, restore, ...differing(state, past));
}

function isSameState(one: State, other: State): boolean {
  return one.size === other.size && differing(one, other).length === 0;
}

/** The keys of objects that are not the same. */
function differing(one: State, other: State): string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].filter((key) => {
    const [a, b] = [one.get(key), other.get(key)];
    return a?.uid !== b?.uid || a?.digest !== b?.digest;
  });
}
