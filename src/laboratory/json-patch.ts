/** The difference of two JSON documents as a JSON patch (RFC 6902). */
import { appendAll } from '../base/append-all.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

type Members = Readonly<Record<string, unknown>>;

/** The operations that make `after` of `before`; null is a document too. */
export function jsonPatch(before: unknown, after: unknown, path = ''): PatchOperation[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  if (isMembers(before) && isMembers(after)) return ofMembers(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

function ofMembers(before: Members, after: Members, path: string): PatchOperation[] {
  const operations: PatchOperation[] = [];
  for (const [key, value] of Object.entries(before)) {
    const at = `${path}/${escaped(key)}`;
    if (Object.hasOwn(after, key)) appendAll(operations, jsonPatch(value, after[key], at));
    else operations.push({ op: 'remove', path: at });
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) continue;
    operations.push({ op: 'add', path: `${path}/${escaped(key)}`, value });
  }
  return operations;
}

/** What both begin and end with stays; the items in between are compared one by one. */
function ofLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): PatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const operations: PatchOperation[] = [];
  for (const [at, value] of now.entries()) {
    const place = `${path}/${start + at}`;
    if (at < old.length) appendAll(operations, jsonPatch(old[at], value, place));
    else operations.push({ op: 'add', path: place, value });
  }
  for (let at = old.length - 1; at >= now.length; at--) {
    operations.push({ op: 'remove', path: `${path}/${start + at}` });
  }
  return operations;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
