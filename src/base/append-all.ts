/**
 * Appends items to a list one by one. As arguments of `push` they would all lie on the stack, which
 * lists of clients can fill.
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
