/** Regular expressions in schemas. */
import { invalid, type FieldError } from '../../semantics/field-error.ts';

/** Adds an error unless the pattern at the path `field` is one. */
export function checkPattern(pattern: string, field: string, errors: FieldError[]): void {
  if (isRegularExpression(pattern)) return;
  const detail = "must be a valid regular expression, but isn't: error parsing regexp";
  errors.push(invalid(field, pattern, detail));
}

/** What may be written as Go alone understands it is taken for one. */
function isRegularExpression(pattern: string): boolean {
  if (/\\|\(\?|\[:/.test(pattern)) return true;
  try {
    return new RegExp(pattern).source !== undefined;
  } catch {
    return false;
  }
}
