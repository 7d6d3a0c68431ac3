/** The access modes of volumes and claims (README.md#volumes). */
import {
  fieldForbidden,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';

/** Behind a feature gate that is off. */
const ONE_POD = 'ReadWriteOncePod';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'] as const;
const KNOWN: ReadonlySet<string> = new Set(ACCESS_MODES);

/** At least one mode, and known ones only: all errors are those of the list itself. */
export function checkAccessModes(
  modes: readonly string[] | undefined,
  field: string,
  errors: FieldError[],
  whenMissing = '',
): void {
  if (modes === undefined || modes.length === 0) {
    errors.push(required(field, whenMissing));
    return;
  }
  for (const mode of modes) {
    if (!KNOWN.has(mode)) errors.push(notSupported(field, mode, ACCESS_MODES));
  }
  if (!modes.includes(ONE_POD) || !modes.some((mode) => KNOWN.has(mode))) return;
  errors.push(fieldForbidden(field, `may not use ${ONE_POD} with other access modes`));
}
