/** Errors of values, as the reference tells them (README.md#errors). */
import { quoteText } from '../codec/json/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../limits.ts';
import { ownRelease } from '../release/release.ts';
import {
  invalidPrinted,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../semantics/errors/field-error.ts';
import { shownValue } from './go-value.ts';
import { unstructuredText } from './unstructured.ts';

/** An error of a value. Errors with the same path and text are told once. */
export interface ValueError {
  /** The form of the error; 'whole' is one whose `what` does not follow its path. */
  readonly reason: 'required' | 'enum' | 'value' | 'whole';
  /** The path from the value that is validated; a member of it has a dot before it. */
  readonly path: string;
  readonly what: string;
  readonly value: unknown;
  /** For 'enum', the values that are supported. */
  readonly supported?: readonly unknown[];
  /** A release tells this kind apart from other values from then on. */
  readonly kind?: ValueKind;
}

export type ValueKind =
  | { readonly of: 'type' }
  | { readonly of: 'long'; readonly max: number }
  | { readonly of: 'many'; readonly count: number; readonly max: number };

/** A value that breaks a rule: `<path> in body <what>`. */
export function valueError(
  path: string,
  what: string,
  value: unknown,
  kind?: ValueKind,
): ValueError {
  return { reason: 'value', path, what, value, ...(kind && { kind }) };
}

/** A value that fails a combination of schemas. The reference names no field for it. */
export function schemaError(path: string, what: string): ValueError {
  return { reason: 'whole', path: '', what: `${quoteText(path)} must ${what}`, value: '' };
}

/**
 * The errors as field errors, each different one once. The list ends where no more is told anyway,
 * since values in long errors repeat what is sent. `path` leads to the value, '' for an object.
 */
export function fieldErrors(errors: readonly ValueError[], path: string): FieldError[] {
  const seen = new Map<string, Set<string>>();
  const told: FieldError[] = [];
  let characters = 0;
  for (const error of errors) {
    let said = seen.get(error.path);
    if (said === undefined) seen.set(error.path, (said = new Set()));
    if (said.has(error.what)) continue;
    said.add(error.what);
    const one = fieldError(error, path);
    told.push(one);
    characters += one.field.length + one.message.length;
    if (characters > CAUSES_CHARACTERS_MAX) break;
  }
  return told;
}

function fieldError(error: ValueError, root: string): FieldError {
  const { reason, what, value, kind } = error;
  const path = error.path.startsWith('.') ? error.path.slice(1) : error.path;
  const field = [root, path].filter((part) => part !== '').join('.') || NO_FIELD;
  if (reason === 'required') return required(field);
  if (reason === 'enum') {
    const supported = (error.supported ?? []).map(supportedText).map(quoteText).join(', ');
    const message = `Unsupported value: ${shownValue(value)}: supported values: ${supported}`;
    return { reason: 'FieldValueNotSupported', field, message };
  }
  if (kind !== undefined && TELLS_KINDS && kind.of !== 'type') {
    return kind.of === 'long' ? longError(field, kind.max) : tooMany(field, kind.count, kind.max);
  }
  const detail = reason === 'whole' ? what : `${error.path} in body ${what}`;
  const told = invalidPrinted(field, shownValue(value), detail);
  const isOfType = TELLS_KINDS && kind?.of === 'type';
  return isOfType ? { ...told, reason: 'FieldValueTypeInvalid' } : told;
}

function longError(field: string, max: number): FieldError {
  if (ownRelease().has('mayNotBeMore')) return tooLong(field, max);
  const message = `Too long: may not be longer than ${max}`;
  return { reason: 'FieldValueTooLong', field, message };
}

const TELLS_KINDS = ownRelease().has('kindsOfValueErrors');

/** The field of an error about the whole object, as the reference prints it. */
const NO_FIELD = '<nil>';

function supportedText(value: unknown): string {
  return typeof value === 'string' ? value : unstructuredText(value);
}
