/** The access modes of volumes and claims (README.md#volumes). */
import { DEFAULT_GATES } from '../../../release/own-gates.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import {
  fieldForbidden,
  notSupported,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';

/** Behind a feature gate. */
const ONE_POD = 'ReadWriteOncePod';
const MANY_PODS = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'] as const;
const WITH_ONE_POD = [...MANY_PODS, ONE_POD] as const;
const FOR_MANY: ReadonlySet<string> = new Set(MANY_PODS);

/** Facts that the rules for access modes need besides them. */
export interface ModeRules {
  readonly whenMissing?: string;
  readonly gates?: FeatureGates;
  /** Those of a stored object. */
  readonly stored?: readonly string[];
}

/** At least one mode, and known ones only: all errors are those of the list itself. */
export function checkAccessModes(
  modes: readonly string[] | undefined,
  field: string,
  errors: FieldError[],
  { whenMissing = '', gates = DEFAULT_GATES, stored = [] }: ModeRules = {},
): void {
  if (modes === undefined || modes.length === 0) {
    errors.push(required(field, whenMissing));
    return;
  }
  const hasOnePod = gates.has(ONE_POD) || stored.includes(ONE_POD);
  const known: readonly string[] = hasOnePod ? WITH_ONE_POD : MANY_PODS;
  for (const mode of modes) {
    if (!known.includes(mode)) errors.push(notSupported(field, mode, known));
  }
  if (!modes.includes(ONE_POD) || !modes.some((mode) => FOR_MANY.has(mode))) return;
  errors.push(fieldForbidden(field, `may not use ${ONE_POD} with other access modes`));
}
