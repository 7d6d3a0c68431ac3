/** A document that does not fit the schema of its kind; the client sees the message. */
export class TypedError extends Error {
  override readonly name = 'TypedError';
}

/** The live object does not fit the schema, so no configuration can be applied to it. */
export class LiveTypedError extends TypedError {}

/** The deepest nesting of fields that owners can own: far beyond what any kind has. */
export const FIELD_DEPTH_MAX = 500;

/** Throws a TypedError when a document nests deeper. */
export function checkDepth(depth: number): void {
  if (depth > FIELD_DEPTH_MAX) throw new TypedError('exceeded max depth');
}
