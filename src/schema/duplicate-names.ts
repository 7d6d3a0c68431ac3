/** Names that repeat in an object of JSON text, for `fieldValidation` (README.md#pruning). */
import { JsonCursor } from '../codec/json/json-cursor.ts';
import { STRICT_PROBLEMS_MAX } from '../codec/json/strict-check.ts';
import { quoteText } from '../codec/json/strict-quote.ts';

/**
 * `duplicate field "a"` for each name that some object of the valid text has more than once. A name
 * is told once, wherever it repeats; of very many, the first.
 */
export function duplicateNames(text: string): string[] {
  const cursor = new JsonCursor(text);
  const duplicates = new Set<string>();
  /** The names so far of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  const begin = (): void => {
    const first = cursor.peek();
    if (first !== '{' && first !== '[') {
      cursor.skipValue();
      return;
    }
    cursor.enter();
    open.push(first === '{' ? new Set() : undefined);
  };
  cursor.skipSpace();
  begin();
  while (open.length > 0 && duplicates.size < STRICT_PROBLEMS_MAX) {
    const names = open.at(-1);
    if (cursor.leaves(names === undefined ? ']' : '}')) {
      open.pop();
      continue;
    }
    if (names !== undefined) {
      const name = cursor.takeKey();
      if (names.has(name)) duplicates.add(name);
      names.add(name);
    }
    begin();
  }
  return Array.from(duplicates, (name) => `duplicate field ${quoteText(name)}`);
}
