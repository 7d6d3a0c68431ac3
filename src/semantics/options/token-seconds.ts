/** The lifetimes that a token of a service account may have (../README.md#lifetimes-of-tokens). */
import { invalid, type FieldError } from '../errors/field-error.ts';

const TOKEN_SECONDS_MIN = 600;
const TOKEN_SECONDS_MAX = 2 ** 32;

/** The lifetime that the token volume of every pod requests: by it such requests are recognized. */
export const POD_TOKEN_SECONDS = 3_607;

/** Adds an error for a duration that is too short or too long. */
export function checkTokenSeconds(
  seconds: number | bigint,
  field: string,
  errors: FieldError[],
): void {
  if (seconds < TOKEN_SECONDS_MIN) {
    errors.push(invalid(field, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > TOKEN_SECONDS_MAX) {
    errors.push(invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
}
