/** The options that a request carries in its query (../README.md#query-parameters). */
import { appendAll } from '../../base/append-all.ts';
import { parseDuration } from '../../codec/leaves/duration-text.ts';
import { deleteOptionErrors } from '../../semantics/options/delete-options.ts';
import { dryRunError } from '../../semantics/options/dry-run.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import {
  fieldForbidden,
  invalidObject,
  notSupported,
  required,
} from '../../semantics/errors/field-error.ts';
import { validateFieldManager } from '../../semantics/metadata/object-meta-validation.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import type { FieldValidation, PatchType } from '../../protocol/shard-protocol.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { ownRelease } from '../../release/release.ts';
import type { Query } from './query.ts';

const NANOSECONDS_PER_MS = 1_000_000;

const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

export type OptionsKind = 'CreateOptions' | 'UpdateOptions';

/** The options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Absent is `Ignore`. */
  readonly fieldValidation?: FieldValidation;
  /** The value of the query, where that is not `Ignore`. */
  readonly sentFieldValidation?: FieldValidation;
}

/** The options in the query of a deletion; absent where the query does not say. */
export interface DeleteQueryOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

export interface PatchOptions extends WriteOptions {
  readonly force: boolean;
}

/**
 * Checks the options of a write. The bare `?dryRun` is accepted and means a real request. Throws
 * StatusError 422.
 */
export function checkWriteOptions(query: Query, kind: OptionsKind): WriteOptions {
  return checkedOptions(query, kind, []);
}

/**
 * Checks the options of a patch, some of which depend on its type (../README.md#query-parameters).
 */
export function checkPatchOptions(query: Query, patchType: PatchType): PatchOptions {
  const errors: FieldError[] = [];
  if (patchType !== 'apply') {
    // Also `force=false`: that it is there is what is refused.
    if (query.has('force')) {
      errors.push(fieldForbidden('force', 'may not be specified for non-apply patch'));
    }
  } else if (query.text('fieldManager') === '') {
    errors.push(required('fieldManager', 'is required for apply patch'));
  }
  return { ...checkedOptions(query, 'PatchOptions', errors), force: query.flag('force') };
}

/** Checks what the query of a deletion says, without its body. Throws StatusError 400 or 422. */
export function checkDeleteOptions(query: Query): DeleteQueryOptions {
  const propagationPolicy = query.has('propagationPolicy')
    ? query.text('propagationPolicy')
    : undefined;
  const orphanDependents = query.has('orphanDependents')
    ? query.flag('orphanDependents')
    : undefined;
  const dryRun = dryRunOf(query);
  const errors = deleteOptionErrors({ propagationPolicy, orphanDependents, dryRun });
  if (errors.length > 0) throw invalidObject(META_GROUP, 'DeleteOptions', '', errors);
  return {
    dryRun: dryRun.length > 0,
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
  };
}

/** A bare `?dryRun` says nothing. */
function dryRunOf(query: Query): string[] {
  return query.all('dryRun').filter((value) => value !== '');
}

/** `errors` are those found before, which come first. */
function checkedOptions(
  query: Query,
  kind: OptionsKind | 'PatchOptions',
  errors: FieldError[],
): WriteOptions {
  appendAll(errors, validateFieldManager(query.text('fieldManager'), 'fieldManager'));
  const dryRun = dryRunOf(query);
  const unsupported = dryRunError(dryRun);
  if (unsupported !== undefined) errors.push(unsupported);
  const validation = query.text('fieldValidation');
  if (!FIELD_VALIDATIONS.includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, FIELD_VALIDATIONS));
  }
  if (errors.length > 0) throw invalidObject(META_GROUP, kind, '', errors);
  const fieldValidation = fieldValidationOf(query);
  if (fieldValidation === 'Ignore') return { dryRun: dryRun.length > 0 };
  return {
    dryRun: dryRun.length > 0,
    fieldValidation,
    ...(validation !== '' && { sentFieldValidation: fieldValidation }),
  };
}

const DEFAULT_VALIDATION = ownRelease().has('warnedOfMembers') ? 'Warn' : 'Ignore';

/** How the members of a body are to be looked at; the query is checked elsewhere. */
export function fieldValidationOf(query: Query): FieldValidation {
  const said = query.text('fieldValidation');
  return said === '' ? DEFAULT_VALIDATION : (said as FieldValidation);
}

/** In milliseconds; 0 where it is not said. Throws StatusError 400 for what is no duration. */
export function timeoutOf(query: Query): number {
  const timeout = query.text('timeout');
  if (timeout === '') return 0;
  try {
    return Number(parseDuration(timeout)) / NANOSECONDS_PER_MS;
  } catch (error) {
    const why = (error as Error).message;
    throw badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}

/** Throws StatusError 400 for a get of what could once be sent to another cluster as it was. */
export function refuseExport(query: Query): void {
  if (query.flag('export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
}
