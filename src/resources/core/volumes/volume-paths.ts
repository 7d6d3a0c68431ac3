/** Paths below a directory, and modes of files (README.md#volumes). */
import { invalid, type FieldError } from '../../../semantics/errors/field-error.ts';
import { checkNoBacksteps } from './volume-source-rules.ts';

const MODE_MAX = 0o777;

/** A relative path that never goes up. */
export function checkDescendingPath(path: string, field: string, errors: FieldError[]): void {
  if (path.startsWith('/')) errors.push(invalid(field, path, 'must be a relative path'));
  checkNoBacksteps(path, field, errors);
}

/** A descending path that does not begin with `..`, since nodes use such names themselves. */
export function checkFilePath(path: string, field: string, errors: FieldError[]): void {
  checkDescendingPath(path, field, errors);
  if (!path.startsWith('..') || path.split('/').includes('..')) return;
  errors.push(invalid(field, path, "must not start with '..'"));
}

const USER_MAX = 2 ** 31 - 1;

/** The user who owns a file, if it has one of its own. */
export function checkFileUser(
  user: number | bigint | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (user === undefined || (user >= 0 && user <= USER_MAX)) return;
  errors.push(invalid(field, user, `must be between 0 and ${USER_MAX}, inclusive`));
}

/** The mode bits of a file, if it has any of its own. */
export function checkMode(mode: number | undefined, field: string, errors: FieldError[]): void {
  if (mode === undefined || (mode >= 0 && mode <= MODE_MAX)) return;
  const detail = 'must be a number between 0 and 0777 (octal), both inclusive';
  errors.push(invalid(field, mode, detail));
}
