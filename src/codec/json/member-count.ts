/**
 * Counts members, which says soon that a document has none that comes twice, or that nobody knows.
 */
import { stringEnd } from './json-cursor.ts';

/** The runtime has this function, and the compiler's library lacks it. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): boolean };

/** How many members the objects of valid JSON text have together. */
export function countMembers(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x3a) members += 1;
  }
  return members;
}

/** How many members the objects of a parsed document have together. */
export function membersWithin(document: unknown): number {
  const open = [document];
  let members = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || isRawJSON(value)) continue;
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (items !== value) members += items.length;
    for (const item of items) if (typeof item === 'object') open.push(item);
  }
  return members;
}
