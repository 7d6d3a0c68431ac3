/** The options that a request carries in its query (SPEC Parameter semantics; API-FACTS 1.4). */
import { dryRunError } from '../semantics/dry-run.ts';
import type { FieldError } from '../semantics/field-error.ts';
import { invalidObject, notSupported } from '../semantics/field-error.ts';
import { validateFieldManager } from '../semantics/object-meta-validation.ts';
import type { FieldValidation } from '../shard/shard-protocol.ts';
import type { Query } from './query.ts';

const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'DeleteOptions';

/** What a write is asked to do besides writing. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Absent is `Ignore`, as in a release that has the parameter off by default. */
  readonly fieldValidation?: FieldValidation;
}

/**
 * Checks the options of a write. The bare `?dryRun` is accepted and means a real request. Throws
 * StatusError 422.
 */
export function checkWriteOptions(query: Query, kind: OptionsKind): WriteOptions {
  const errors: FieldError[] = [];
  const dryRun = query.all('dryRun').filter((value) => value !== '');
  const unsupported = dryRunError(dryRun);
  if (unsupported !== undefined) errors.push(unsupported);
  const validation = query.text('fieldValidation');
  if (kind !== 'DeleteOptions') {
    errors.push(...validateFieldManager(query.text('fieldManager'), 'fieldManager'));
    if (!FIELD_VALIDATIONS.includes(validation)) {
      errors.push(notSupported('fieldValidation', validation, FIELD_VALIDATIONS));
    }
  }
  if (errors.length > 0) throw invalidObject('meta.cluster.io', kind, '', errors);
  const isIgnored = validation === '' || validation === 'Ignore';
  return {
    dryRun: dryRun.length > 0,
    ...(!isIgnored && { fieldValidation: validation as FieldValidation }),
  };
}
