/** A broken invariant: a bug, not an operating condition. It ends its actor loudly. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws `AssertionError` unless `condition` holds; `message` should carry the values. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
