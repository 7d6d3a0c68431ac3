/** What is wrong with a value, as the reference tells it (README.md#errors). */
import { quoteText } from '../codec/strict-quote.ts';
import { CAUSES_CHARACTERS_MAX } from '../limits.ts';
import { invalidPrinted, required, type FieldError } from '../semantics/field-error.ts';
import { shownValue } from './go-value.ts';
import { unstructuredText } from './unstructured.ts';

/** Of errors with the same path that say the same, only the first is told. */
export interface ValueError {
  /** What tells them apart; 'whole' is one whose `what` does not follow its path. */
  readonly reason: 'required' | 'enum' | 'value' | 'whole';
  /** Without what leads to the value that is validated; a member of it has a dot before it. */
  readonly path: string;
  readonly what: string;
  readonly value: unknown;
  /** Of 'enum', the values that are supported. */
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
 * Each different error once. Of very long ones only so many as are told anyway: values in them
 * repeat what is sent. `path` leads to the value, '' for an object.
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

/** How the reference prints the field of an error about the whole object. */
const NO_FIELD = '<nil>';

function supportedText(value: unknown): string {
  return typeof value === 'string' ? value : unstructuredText(value);
}
