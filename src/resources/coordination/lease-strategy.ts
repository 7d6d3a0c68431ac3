/** How the holder of a lease is chosen (README.md#leases). */
import type { LeaseSpec } from '#messages/coordination.v1';
import {
  addProblems,
  fieldForbidden,
  notSupported,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { qualifiedName } from '../../semantics/metadata/names.ts';

/** The candidate that emulates the oldest version. */
export const OLDEST_EMULATION = 'OldestEmulationVersion';

/** A name without a slash is one of the system. `field` is the place of the strategy. */
export function checkStrategy(strategy: string, field: string, errors: FieldError[]): void {
  // As the reference has it, which names the member twice.
  const told = `${field}.strategy`;
  if (strategy.includes('/')) addProblems(qualifiedName(strategy), told, strategy, errors);
  else if (strategy !== OLDEST_EMULATION) {
    errors.push(notSupported(told, strategy, [OLDEST_EMULATION]));
  }
}

/** A lease may have no strategy. */
export function checkLeaseStrategy(
  { strategy, preferredHolder = '' }: LeaseSpec,
  errors: FieldError[],
): void {
  if (strategy !== undefined) checkStrategy(strategy, 'spec.strategy', errors);
  if (preferredHolder === '' || (strategy ?? '') !== '') return;
  const detail = 'may only be specified if `strategy` is defined';
  errors.push(fieldForbidden('spec.preferredHolder', detail));
}
