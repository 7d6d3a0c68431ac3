/** Field errors and the Invalid (422) Status made of them (API-FACTS 1.3). */
import { groupResourceText, StatusError } from './status.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong';

/** One broken rule: `field` is a dotted path, `message` the text after `<field>: `. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** Values as the reference server prints them: strings quoted, null quoted, the rest bare. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || value === undefined) return '"null"';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value);
  }
  return JSON.stringify(value, withoutBigints);
}

/** An int64 inside a printed object may be a bigint, which JSON knows nothing of. */
function withoutBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function withDetail(start: string, detail: string): string {
  return detail === '' ? start : `${start}: ${detail}`;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  const message = withDetail(`Invalid value: ${printValue(value)}`, detail);
  return { reason: 'FieldValueInvalid', field, message };
}

export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const values = supported.map((text) => JSON.stringify(text)).join(', ');
  const message = `Unsupported value: ${printValue(value)}: supported values: ${values}`;
  return { reason: 'FieldValueNotSupported', field, message };
}

export function fieldForbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function duplicate(field: string, value: unknown): FieldError {
  return {
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${printValue(value)}`,
  };
}

export function tooLong(field: string, bytesMax: number): FieldError {
  const message = `Too long: must have at most ${bytesMax} bytes`;
  return { reason: 'FieldValueTooLong', field, message };
}

/**
 * The 422 of one object: one cause per error; the message shows each distinct text once.
 * `kind` is the Kind, `group` '' for the core group.
 */
export function invalidObject(
  group: string,
  kind: string,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const groupKind = groupResourceText({ group, resource: kind });
  return new StatusError(422, 'Invalid', `${groupKind} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind,
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}
