/** Counts that may also be given as a share: `3` or `25%` (../README.md#counts-and-shares). */
import { quoteText } from '../../codec/json/strict-quote.ts';
import {
  invalid,
  invalidPrinted,
  NOT_NEGATIVE,
  showsJson,
  type FieldError,
} from '../errors/field-error.ts';

export type IntOrString = number | string;

const PERCENT_SOURCE = '[0-9]+%';
const PERCENT = new RegExp(`^(?:${PERCENT_SOURCE})$`);
const PERCENT_HINT =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  `(e.g. '1%',  or '93%', regex used for validation is '${PERCENT_SOURCE}')`;

/** The text that the reference server prints. */
export function printIntOrString(value: IntOrString): string {
  if (showsJson()) return JSON.stringify(value);
  const parts =
    typeof value === 'number'
      ? `Type:0, IntVal:${value}, StrVal:""`
      : `Type:1, IntVal:0, StrVal:${quoteText(value)}`;
  return `intstr.IntOrString{${parts}}`;
}

export function invalidShare(field: string, value: IntOrString, detail: string): FieldError {
  return invalidPrinted(field, printIntOrString(value), detail);
}

/** Adds an error unless `value` is a percentage or a number that is not negative. */
export function checkIntOrPercent(value: IntOrString, field: string, errors: FieldError[]): void {
  if (typeof value === 'string') {
    if (!PERCENT.test(value)) errors.push(invalidShare(field, value, PERCENT_HINT));
  } else if (value < 0) {
    errors.push(invalid(field, value, NOT_NEGATIVE));
  }
}

/** Adds an error when `value` is a percentage of more than the whole. */
export function checkNotMoreThanWhole(
  value: IntOrString,
  field: string,
  errors: FieldError[],
): void {
  if (typeof value !== 'string' || !PERCENT.test(value) || intOrPercentNumber(value) <= 100) return;
  errors.push(invalidShare(field, value, 'must not be greater than 100%'));
}

/** The number before any `%`; 0 for a text that holds none. */
export function intOrPercentNumber(value: IntOrString): number {
  if (typeof value === 'number') return value;
  const text = PERCENT.test(value) ? value.slice(0, -1) : value;
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}
