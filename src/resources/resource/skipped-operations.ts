/** Checks the operations that node agents need not ask of drivers. */
import {
  duplicate,
  invalidPrinted,
  notSupported,
  printStrings,
  type FieldError,
} from '../../semantics/errors/field-error.ts';

const PREPARE = 'NodePrepareResources';
const UNPREPARE = 'NodeUnprepareResources';
const ALL = '*';
const OPERATIONS = [ALL, PREPARE, UNPREPARE];

/** Who prepares also cleans up. */
export function checkSkippedOperations(
  operations: readonly string[],
  field: string,
  errors: FieldError[],
): void {
  operations.forEach((operation, index) => {
    const at = `${field}[${index}]`;
    if (operations.indexOf(operation) < index) errors.push(duplicate(at, operation));
    if (!OPERATIONS.includes(operation)) errors.push(notSupported(at, operation, OPERATIONS));
  });
  const skips = (operation: string): boolean => operations.includes(operation);
  if (!skips(PREPARE) || skips(UNPREPARE) || skips(ALL)) return;
  const detail = `${PREPARE} cannot be skipped unless ${UNPREPARE} is also skipped`;
  errors.push(invalidPrinted(field, printStrings(operations), detail));
}
