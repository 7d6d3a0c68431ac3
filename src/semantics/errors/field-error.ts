/** Field errors and the Invalid (422) Status made of them (../README.md#field-errors). */
import { withoutBigints } from '../../base/text/without-bigints.ts';
import { escapeHtmlInJson, stringifyGo } from '../../codec/json/go-json.ts';
import { sortedKeys } from '../../codec/json/json-encode.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../../limits.ts';
import { ownRelease } from '../../release/release.ts';
import { groupResourceText, StatusError } from './status.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
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

/** Values as the reference server prints them: strings quoted, the rest bare. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (value === null || value === undefined) return showsJson() ? 'null' : '"null"';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value);
  }
  const text = JSON.stringify(value, withoutBigints);
  return showsJson() ? escapeHtmlInJson(text) : text;
}

/** Whether errors show values of any type as JSON. */
export function showsJson(): boolean {
  return ownRelease().has('jsonInErrors');
}

function withDetail(start: string, detail: string): string {
  return detail === '' ? start : `${start}: ${detail}`;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

/** `required` with a detail that says nothing but that: newer releases leave it out. */
export function requiredSaying(field: string, detail: string): FieldError {
  return required(field, showsJson() ? '' : detail);
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
  return notSupportedPrinted(field, printValue(value), supported);
}

/** `detail` says why the field may not be there, or not be so. */
export function fieldForbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

/** A reference to a part of the object that it does not have. */
export function notFound(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${printValue(value)}` };
}

/** Like `notFound`, with a detail about the values that there are. */
export function notFoundAmong(field: string, value: unknown, detail: string): FieldError {
  const error = notFound(field, value);
  return { ...error, message: withDetail(error.message, detail) };
}

export function duplicate(field: string, value: unknown): FieldError {
  return {
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${printValue(value)}`,
  };
}

/** `duplicate` of a part of an object, with all of its members. */
export function duplicatePart(field: string, part: object): FieldError {
  if (!showsJson()) return duplicate(field, part);
  const message = `Duplicate value: ${printPart(part, [])}`;
  return { reason: 'FieldValueDuplicate', field, message };
}

/** The value itself is not shown: it is long. */
export function tooLong(field: string, bytesMax: number): FieldError {
  const message = ownRelease().has('mayNotBeMore')
    ? `Too long: may not be more than ${countOf(bytesMax, 'byte')}`
    : `Too long: must have at most ${bytesMax} bytes`;
  return { reason: 'FieldValueTooLong', field, message };
}

/** `tooLong` for a text whose characters are counted. */
export function tooLongText(field: string, charactersMax: number): FieldError {
  const message = `Too long: may not be more than ${countOf(charactersMax, 'character')}`;
  return { reason: 'FieldValueTooLong', field, message };
}

/** The error for a list with `count` items. */
export function tooMany(field: string, count: number, itemsMax: number): FieldError {
  const message = `Too many: ${count}: must have at most ${countOf(itemsMax, 'item')}`;
  return { reason: 'FieldValueTooMany', field, message };
}

function countOf(count: number, unit: string): string {
  const isOne = count === 1 && ownRelease().has('countsOneInErrors');
  return `${count} ${unit}${isOne ? '' : 's'}`;
}

/** The error for a value that a rule could not check. */
export function fieldInternalError(field: string, problem: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${problem}` };
}

/** `invalid` without the value. */
export function invalidOmitted(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail('Invalid value', detail) };
}

/** `invalid` of a value that is shown in the reference's own syntax, such as `printStrings`. */
export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  const message = withDetail(`Invalid value: ${printed}`, detail);
  return { reason: 'FieldValueInvalid', field, message };
}

/** A list of strings as the reference server prints it, by its element type: `[]string{"a"}`. */
export function printStrings(values: readonly string[], type = 'string'): string {
  if (showsJson()) return stringifyGo(values);
  return `[]${type}{${values.map(quoteText).join(', ')}}`;
}

/** A list of numbers as the reference server prints it, by its element type: `[]int32{1}`. */
export function printNumbers(values: readonly number[], type: string): string {
  if (values.length === 0) return showsJson() ? 'null' : `[]${type}(nil)`;
  return showsJson() ? JSON.stringify(values) : `[]${type}{${values.join(', ')}}`;
}

/** Labels as the reference server prints them: `map[string]string{"a":"b"}`, sorted by key. */
export function printTextMap(map: Readonly<Record<string, string>> | undefined): string {
  if (showsJson()) return sortedJson(map);
  if (map === undefined) return 'map[string]string(nil)';
  const entries = sortedKeys(map).map((key) => {
    return `${quoteText(key)}:${quoteText(map[key] ?? '')}`;
  });
  return `map[string]string{${entries.join(', ')}}`;
}

function sortedJson(map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return 'null';
  return stringifyGo(Object.fromEntries(sortedKeys(map).map((key) => [key, map[key]])));
}

/**
 * A part of an object as the reference shows it in JSON: by the names that members have inside of
 * it, which begin with a capital. Those in `names` are always there.
 */
export function printPart(part: object, names: readonly string[]): string {
  const members = Object.fromEntries(names.map((name) => [name, null]));
  return stringifyGo({ ...members, ...(capitalized(part) as object) });
}

function capitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capitalized);
  if (typeof value !== 'object' || value === null) return withoutBigints('', value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      capitalized(member),
    ]),
  );
}

/** `notSupported` of a value that is shown in the reference's own syntax. */
export function notSupportedPrinted(
  field: string,
  printed: string,
  supported: readonly string[],
): FieldError {
  const values = supported.map(quoteText).join(', ');
  const message = `Unsupported value: ${printed}: supported values: ${values}`;
  return { reason: 'FieldValueNotSupported', field, message };
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
