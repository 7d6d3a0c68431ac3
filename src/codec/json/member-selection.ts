/**
 * The members of an object that are read, as a tree of their names. `true` stands for a whole
 * value, `'keys'` for the keys of a map without its values, and `{}` for a message or a list of
 * messages of which the reader only learns whether it is there and how long it is.
 */
export type MemberSelection = true | 'keys' | { readonly [name: string]: MemberSelection };

/** A value of an object: its path, and the selection that reads nothing else of the object. */
export interface SelectedValue {
  readonly path: readonly string[];
  readonly members: MemberSelection;
}

/**
 * The values that a text names: `spec.type status.conditions{type status}`. In braces, of a value
 * or of each item of a list, are the members that are read; without braces all are. `{*}` are the
 * keys of a map, and braces without a path select from the object itself.
 */
export function selectionOf(text: string): SelectedValue[] {
  const tokens = text.match(/[{}]|[^\s{}]+/g) ?? [];
  let at = 0;
  const values = (): SelectedValue[] => {
    const found: SelectedValue[] = [];
    while (at < tokens.length && tokens[at] !== '}') {
      const path = tokens[at] === '{' ? [] : (tokens[at++] ?? '').split('.');
      const below = tokens[at] === '{' ? block() : true;
      const members = path.reduceRight<MemberSelection>((all, name) => ({ [name]: all }), below);
      found.push({ path, members });
    }
    return found;
  };
  const block = (): MemberSelection => {
    at++;
    const inside = values();
    at++;
    if (inside[0]?.path[0] === '*') return 'keys';
    return inside.map(({ members }) => members).reduce(mergedSelections, {});
  };
  return values();
}

/** The selection that reads all that either of two reads. */
export function mergedSelections(a: MemberSelection, b: MemberSelection): MemberSelection {
  if (a === true || b === true) return true;
  if (a === 'keys' || b === 'keys') return 'keys';
  const merged: Record<string, MemberSelection> = { ...a };
  for (const [name, below] of Object.entries(b)) {
    const there = merged[name];
    merged[name] = there === undefined ? below : mergedSelections(there, below);
  }
  return merged;
}
