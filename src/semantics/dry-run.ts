/** The `dryRun` option, in a query or in a body (SPEC Parameter semantics; API-FACTS 4.1). */
import type { FieldError } from './field-error.ts';

/** What is wrong with the values of `dryRun`: only `All` is allowed. Undefined when nothing is. */
export function dryRunError(values: readonly unknown[]): FieldError | undefined {
  if (values.every((value) => value === 'All')) return undefined;
  const shown = `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  const message = `Unsupported value: ${shown}: supported values: "All"`;
  return { reason: 'FieldValueNotSupported', field: 'dryRun', message };
}
