/** Field errors and the Invalid (422) Status made of them (../README.md#field-errors). */
import { withoutBigints } from '../../base/text/without-bigints.ts';
import { sortedKeys } from '../../codec/json/json-encode.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../../limits.ts';
import { groupResourceText, StatusError } from './status.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError';

/** One broken rule: `field` is a dotted path, `message` the text after `<field>: `. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** Details that many rules share. */
export const FIELD_IMMUTABLE = 'field is immutable';
export const NOT_NEGATIVE = 'must be greater than or equal to 0';

/** Values as the reference server prints them: strings quoted, null quoted, the rest bare. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (value === null || value === undefined) return '"null"';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value);
  }
  return JSON.stringify(value, withoutBigints);
}

function withDetail(start: string, detail: string): string {
  return detail === '' ? start : `${start}: ${detail}`;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

/** `detail` names the values that are valid; '' shows the value alone. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  const message = withDetail(`Invalid value: ${printValue(value)}`, detail);
  return { reason: 'FieldValueInvalid', field, message };
}

/** Adds the problems of one value, as the functions of `names.ts` return them, to `errors`. */
export function addProblems(
  problems: readonly string[],
  field: string,
  value: string,
  errors: FieldError[],
): void {
  for (const problem of problems) errors.push(invalid(field, value, problem));
}

/** Adds the problems as one error, where the reference joins them. */
export function addJoinedProblems(
  problems: readonly string[],
  field: string,
  value: string,
  errors: FieldError[],
  separator: ',' | ';' = ',',
): void {
  if (problems.length > 0) errors.push(invalid(field, value, problems.join(separator)));
}

export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const values = supported.map(quoteText).join(', ');
  const message = `Unsupported value: ${printValue(value)}: supported values: ${values}`;
  return { reason: 'FieldValueNotSupported', field, message };
}

/** `detail` says why the field may not be there, or not be so. */
export function fieldForbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

/** A reference to a part of the object that it does not have. */
export function notFound(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${printValue(value)}` };
}

export function duplicate(field: string, value: unknown): FieldError {
  return {
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${printValue(value)}`,
  };
}

/** The value itself is not shown: it is long. */
export function tooLong(field: string, bytesMax: number): FieldError {
  const message = `Too long: must have at most ${bytesMax} bytes`;
  return { reason: 'FieldValueTooLong', field, message };
}

/** The error for a list with `count` items. */
export function tooMany(field: string, count: number, itemsMax: number): FieldError {
  const message = `Too many: ${count}: must have at most ${itemsMax} items`;
  return { reason: 'FieldValueTooMany', field, message };
}

/** The error for a value that a rule could not check. */
export function fieldInternalError(field: string, problem: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${problem}` };
}

/** `invalid` of a value that is shown in the reference's own syntax, such as `printStrings`. */
export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  const message = withDetail(`Invalid value: ${printed}`, detail);
  return { reason: 'FieldValueInvalid', field, message };
}

/** A list of strings as the reference server prints it, by its element type: `[]string{"a"}`. */
export function printStrings(values: readonly string[], type = 'string'): string {
  return `[]${type}{${values.map(quoteText).join(', ')}}`;
}

/** Labels as the reference server prints them: `map[string]string{"a":"b"}`, sorted by key. */
export function printTextMap(map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return 'map[string]string(nil)';
  const entries = sortedKeys(map).map((key) => {
    return `${quoteText(key)}:${quoteText(map[key] ?? '')}`;
  });
  return `map[string]string{${entries.join(', ')}}`;
}

/**
 * The 422 of one object: one cause per error; the message shows each distinct text once. `kind` is
 * the Kind, `group` '' for the core group. Very many or long errors are cut after the first ones.
 */
export function invalidObject(
  group: string,
  kind: string,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const told = withinLimit(errors);
  const texts = [...new Set(told.map((error) => `${error.field}: ${error.message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const groupKind = groupResourceText({ group, resource: kind });
  return new StatusError(422, 'Invalid', `${groupKind} ${quoteText(name)} is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
    causes: told.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}

function withinLimit(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.findIndex(({ field, message }) => {
    characters += field.length + message.length;
    return characters > CAUSES_CHARACTERS_MAX;
  });
  return end === -1 ? errors : errors.slice(0, Math.max(1, end));
}
