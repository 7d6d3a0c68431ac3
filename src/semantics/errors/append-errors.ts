/** The most errors that are kept for one object: answers show no more than these. */
const ERRORS_MAX = 10_000;

/**
 * Appends the errors of another message to those of a validator, which it may change. Generated
 * validators call it.
 */
export function appendErrors<T>(errors: T[] | null, more: readonly T[]): T[] {
  const all = errors ?? [];
  for (const error of more) if (all.length < ERRORS_MAX) all.push(error);
  return all;
}
