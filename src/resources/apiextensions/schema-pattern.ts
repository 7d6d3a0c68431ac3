/** Regular expressions in schemas. */
import { patternProblem } from '../../schema/pattern.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';

/** Adds an error unless the pattern at the path `field` is one. */
export function checkPattern(pattern: string, field: string, errors: FieldError[]): void {
  const problem = patternProblem(pattern);
  if (problem === undefined) return;
  errors.push(invalid(field, pattern, `must be a valid regular expression, but isn't: ${problem}`));
}
