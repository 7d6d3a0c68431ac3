/** The `dryRun` option, in a query or in a body (../README.md#dry-run). */
import { quoteText } from '../../codec/json/strict-quote.ts';
import { ownRelease } from '../../release/release.ts';
import type { FieldError } from '../errors/field-error.ts';

const SHOWS_JSON = ownRelease().has('jsonInErrors');

/** The error for values of `dryRun` other than `All`; undefined when there is none. */
export function dryRunError(values: readonly unknown[]): FieldError | undefined {
  if (values.every((value) => value === 'All')) return undefined;
  const texts = values.map((value) =>
    typeof value === 'string' ? quoteText(value) : JSON.stringify(value),
  );
  const shown = SHOWS_JSON ? `[${texts.join(',')}]` : `[]string{${texts.join(', ')}}`;
  const message = `Unsupported value: ${shown}: supported values: "All"`;
  return { reason: 'FieldValueNotSupported', field: 'dryRun', message };
}
