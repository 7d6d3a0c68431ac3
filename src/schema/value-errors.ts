/** Errors of values, as the reference tells them (README.md#errors). */
import { quoteText } from '../codec/json/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../limits.ts';
import { invalidPrinted, required, type FieldError } from '../semantics/errors/field-error.ts';
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
}

/** A value that breaks a rule: `<path> in body <what>`. */
export function valueError(path: string, what: string, value: unknown): ValueError {
  return { reason: 'value', path, what, value };
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
  const { reason, what, value } = error;
  const path = error.path.startsWith('.') ? error.path.slice(1) : error.path;
  const field = [root, path].filter((part) => part !== '').join('.') || NO_FIELD;
  if (reason === 'required') return required(field);
  if (reason === 'enum') {
    const supported = (error.supported ?? []).map(supportedText).map(quoteText).join(', ');
    const message = `Unsupported value: ${shownValue(value)}: supported values: ${supported}`;
    return { reason: 'FieldValueNotSupported', field, message };
  }
  const detail = reason === 'whole' ? what : `${error.path} in body ${what}`;
  return invalidPrinted(field, shownValue(value), detail);
}

/** The field of an error about the whole object, as the reference prints it. */
const NO_FIELD = '<nil>';

function supportedText(value: unknown): string {
  return typeof value === 'string' ? value : unstructuredText(value);
}
