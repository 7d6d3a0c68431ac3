/** The members of `after` in the order in which `before` has them; new ones take free places. */
import { isMembers } from './members.ts';

export function inOrderOf(before: unknown, after: unknown): unknown {
  if (Array.isArray(after)) {
    const items: readonly unknown[] = Array.isArray(before) ? before : [];
    return after.map((item, index) => inOrderOf(items[index], item));
  }
  if (!isMembers(after) || !isMembers(before)) return after;
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const isGone = (name: string): boolean => !Object.hasOwn(after, name);
  const names = Object.keys(before).flatMap((name) => (isGone(name) ? added.splice(0) : [name]));
  return Object.fromEntries(
    [...names, ...added].map((name) => [name, inOrderOf(before[name], after[name])]),
  );
}
