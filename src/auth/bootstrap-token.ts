/** Secrets with bootstrap tokens (README.md#bootstrap-tokens). */

/** The form of `expiration`, about which the runtime is less strict. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * When a token with that `expiration` ends; undefined for never. One whose end cannot be read has
 * ended.
 */
export function bootstrapTokenEndMs(expiration: string): number | undefined {
  if (expiration === '') return undefined;
  return (RFC_3339.test(expiration) && Date.parse(expiration)) || 0;
}
