/** Conditions in the common form, `meta.v1.Condition`: one of each type (../README.md#metadata). */
import type { Condition } from '#messages/meta.v1';
import { ownRelease } from '../../release/release.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  requiredSaying,
  tooLong,
  type FieldError,
} from '../errors/field-error.ts';
import { checkLabelName } from '../metadata/label-validation.ts';

const STATUSES = ['False', 'True', 'Unknown'] as const;
const REASON_BYTES_MAX = 1024;
const MESSAGE_BYTES_MAX = 32_768;
const REASON_SOURCE = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON = new RegExp(`^(?:${REASON_SOURCE})$`);
const REASON_HINT =
  'a condition reason must start with alphabetic character, optionally followed by a string of ' +
  "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. " +
  "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex " +
  `used for validation is '${REASON_SOURCE}')`;

/** The problems of conditions at the path `field`. */
export function conditionErrors(
  conditions: readonly Condition[] | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  checkConditions(conditions ?? [], field, errors);
  return errors;
}

/** Adds the problems of conditions, whose list is at the path `field`. */
export function checkConditions(
  conditions: readonly Condition[],
  field: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  conditions.forEach((condition, index) => {
    const path = `${field}[${index}]`;
    const { type = '' } = condition;
    const repeated = ownRelease().has('declaredRules') ? path : `${path}.type`;
    if (seen.has(type)) errors.push(duplicate(repeated, type));
    seen.add(type);
    checkCondition(condition, path, errors);
  });
}

function checkCondition(condition: Condition, field: string, errors: FieldError[]): void {
  const { type = '', status = '', observedGeneration = 0, message = '' } = condition;
  const asksForParts = ownRelease().has('declaredRules');
  if (asksForParts && type === '') errors.push(required(`${field}.type`, 'is required'));
  else checkLabelName(type, `${field}.type`, errors);
  if (asksForParts && status === '') errors.push(required(`${field}.status`));
  else if (!STATUSES.some((one) => one === status)) {
    errors.push(notSupported(`${field}.status`, status, STATUSES));
  }
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalid(`${field}.observedGeneration`, observedGeneration, detail));
  }
  if (condition.lastTransitionTime === undefined) {
    errors.push(missing(`${field}.lastTransitionTime`));
  }
  checkReason(condition.reason ?? '', `${field}.reason`, errors);
  if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) {
    errors.push(tooLong(`${field}.message`, MESSAGE_BYTES_MAX));
  }
}

/** Adds the problem of the reason of a condition. */
export function checkReason(
  reason: string,
  field: string,
  errors: FieldError[],
  bytesMax = REASON_BYTES_MAX,
): void {
  if (reason === '') errors.push(missing(field));
  // A text that is too long is not matched against a pattern, whose cost would be unbounded.
  else if (Buffer.byteLength(reason) > bytesMax) {
    errors.push(tooLong(field, bytesMax));
  } else if (!REASON.test(reason)) errors.push(invalid(field, reason, REASON_HINT));
}

function missing(field: string): FieldError {
  return requiredSaying(field, 'must be set');
}

/** A condition as errors show it: with the members that are always told. */
export function wholeCondition(condition: Condition): object {
  const { type = '', status = '', observedGeneration, lastTransitionTime } = condition;
  return {
    type,
    status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: lastTransitionTime ?? null,
    reason: condition.reason ?? '',
    message: condition.message ?? '',
  };
}
