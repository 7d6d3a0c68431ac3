/** Checks the options of a deletion, in a query or in a body. */
import { dryRunError } from './dry-run.ts';
import { invalid, notSupported } from '../errors/field-error.ts';
import type { FieldError } from '../errors/field-error.ts';

const PROPAGATION_POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

export interface CheckedDeleteOptions {
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: readonly unknown[];
}

/** All that is wrong with the values, in the order in which the reference tells it. */
export function deleteOptionErrors(options: CheckedDeleteOptions): FieldError[] {
  const { propagationPolicy, orphanDependents, dryRun } = options;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) {
      const detail = 'orphanDependents and deletionPropagation cannot be both set';
      errors.push(invalid('propagationPolicy', propagationPolicy, detail));
    }
    if (!PROPAGATION_POLICIES.includes(propagationPolicy)) {
      const supported = [...PROPAGATION_POLICIES, 'nil'];
      errors.push(notSupported('propagationPolicy', propagationPolicy, supported));
    }
  }
  const unsupported = dryRunError(dryRun);
  return unsupported === undefined ? errors : [...errors, unsupported];
}
