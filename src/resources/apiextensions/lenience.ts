/**
 * Lets an update keep errors that the stored definition has already, so that definitions which were
 * made under older rules stay usable.
 */
import type { FieldError } from '../../semantics/errors/field-error.ts';

/** Rules that are not held against an update when the stored definition breaks them itself. */
export type Lenience = 'schemas' | 'types' | 'sets' | 'keys' | 'pruning' | 'reviewVersions';

interface LenientError extends FieldError {
  readonly lenience?: Lenience;
  /** The error to report instead where the update is let off. */
  readonly instead?: FieldError | undefined;
}

/** The error of a rule to be lenient with. */
export function lenient(error: FieldError, lenience: Lenience, instead?: FieldError): FieldError {
  const marked: LenientError = { ...error, lenience, instead };
  return marked;
}

/** The errors of an update that count; `storedErrors` are those of the stored definition. */
export function withLenience(
  errors: readonly FieldError[],
  storedErrors: () => readonly FieldError[],
): FieldError[] {
  if (errors.every((error) => lenienceOf(error) === undefined)) return [...errors];
  const broken = new Set(storedErrors().map(lenienceOf));
  return errors.flatMap((error) => {
    const { lenience, instead }: LenientError = error;
    if (lenience === undefined || !broken.has(lenience)) return [error];
    return instead === undefined ? [] : [instead];
  });
}

function lenienceOf(error: FieldError): Lenience | undefined {
  return (error as LenientError).lenience;
}
