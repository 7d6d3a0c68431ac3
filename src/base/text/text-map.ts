/**
 * A copy of a map as decoding makes them: without a prototype, so that `__proto__` is a key like
 * any other.
 */
export function textMap(entries: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, entries);
}
