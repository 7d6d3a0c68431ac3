/** Who uses a claim, and that it is to be deallocated: the same in all versions. */
import { deepEqual } from '../../base/deep-equal.ts';
import { fieldForbidden, type FieldError } from '../../semantics/errors/field-error.ts';

const ENDING =
  'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';

/** The parts of a status that the rules look at. */
interface UsedStatus {
  readonly allocation?: object;
  readonly reservedFor?: readonly object[];
  readonly deallocationRequested?: boolean;
}

/** Users only of what is allocated, and no new ones of what is to go. */
export function checkUsers(
  { reservedFor = [], allocation, deallocationRequested = false }: UsedStatus,
  before: UsedStatus,
  isDeleted: boolean,
  errors: FieldError[],
): void {
  if (reservedFor.length === 0) return;
  const field = 'status.reservedFor';
  if (allocation === undefined) {
    errors.push(fieldForbidden(field, 'may not be specified when `allocated` is not set'));
  } else if (isDeleted || deallocationRequested) {
    const isNew = (user: object): boolean =>
      before.reservedFor?.some((known) => deepEqual(known, user)) !== true;
    if (reservedFor.some(isNew)) errors.push(fieldForbidden(field, ENDING));
  }
}

/** In releases whose claims can be asked to be deallocated. */
export function checkDeallocation(
  { allocation, reservedFor = [], deallocationRequested = false }: UsedStatus,
  before: UsedStatus,
  errors: FieldError[],
): void {
  const field = 'status.deallocationRequested';
  const wasRequested = before.deallocationRequested ?? false;
  if (!wasRequested && deallocationRequested && reservedFor.length > 0) {
    const detail = 'deallocation cannot be requested while `reservedFor` is set';
    errors.push(fieldForbidden(field, detail));
  }
  if (allocation === undefined && deallocationRequested) {
    const detail = '`allocation` must be set when `deallocationRequested` is set';
    errors.push(fieldForbidden('status', detail));
  }
  if (wasRequested && !deallocationRequested && allocation !== undefined) {
    errors.push(fieldForbidden(field, 'may not be cleared when `allocation` is set'));
  }
}
