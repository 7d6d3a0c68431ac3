/** Guesses the name that somebody has mistyped. */

/** The most edits of a mistyped name: with more it is another name. */
const EDITS_MAX = 3;
const CHARACTERS_PER_EDIT = 3;
/** Longer ones are no names; the work grows with their length. */
const CHARACTERS_MAX = 64;

/** The first of those with the fewest edits; undefined where none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > CHARACTERS_MAX) return undefined;
  const editsMax = Math.min(EDITS_MAX, Math.floor(given.length / CHARACTERS_PER_EDIT));
  let fewest = editsMax + 1;
  let nearest: string | undefined;
  for (const name of names) {
    const edits = editsBetween(given, name);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = name;
  }
  return nearest;
}

/** Characters that are added, left out, replaced, or swapped with the one beside them. */
function editsBetween(one: string, other: string): number {
  let last: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1];
      const replaced = entry(row, to - 1) + (isSame ? 0 : 1);
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swapped = isSwapped ? entry(last, to - 2) + 1 : Infinity;
      next.push(Math.min(replaced, entry(row, to) + 1, entry(next, to - 1) + 1, swapped));
    }
    last = row;
    row = next;
  }
  return entry(row, other.length);
}

function entry(row: readonly number[], at: number): number {
  return row[at] ?? Infinity;
}
