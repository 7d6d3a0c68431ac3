/** A YAML body read as a whole, before anybody looks at its object (../README.md#bodies). */
import { decodeUntrusted } from '../text-body.ts';
import { readYamlText } from './yaml-body.ts';
import type { YamlText } from './yaml-body.ts';
import { YamlError } from './yaml-document.ts';

export interface ReadYaml extends YamlText {
  /** Why there is no JSON text, which is '' then; '' when there is. */
  readonly error: string;
}

export interface YamlJob {
  readonly body: Uint8Array;
  /** Whether strict decoding looks for problems. */
  readonly strict: boolean;
}

/** Undefined for bytes that are no text. */
export function readYaml({ body, strict }: YamlJob): ReadYaml | undefined {
  const text = decodeUntrusted(body);
  if (text === undefined) return undefined;
  try {
    return { ...readYamlText(text, strict), error: '' };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { json: '', error: error.message, problems: [] };
  }
}

/** A first look: such a number has an exponent of three digits, or very many digits before it. */
const MAYBE_BEYOND_DOUBLES = /[[:,\s]-?(?:\d{200}|[\d.]+[eE]\+?\d{3})/;
/** Numbers come after a separator and before one: no name is taken for one. */
const NUMBERS = /[[:,\s](-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?=[\s,\]}])/g;

/**
 * Whether JSON has a number that no double holds, which is text in YAML. What looks like one inside
 * of a text may count, too: the readers of YAML are right about both.
 */
export function goesBeyondDoubles(json: string): boolean {
  if (!MAYBE_BEYOND_DOUBLES.test(json)) return false;
  return Array.from(json.matchAll(NUMBERS)).some(([, number]) => !Number.isFinite(Number(number)));
}

/** Whether text is a JSON object, and the same in YAML. */
export function isJson(text: string): boolean {
  if (!text.startsWith('{') || goesBeyondDoubles(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The JSON text of a YAML body: as read before, else it is read now. With `isStrict`, strict
 * decoding looks for problems; it must be the same as when the body was read before. Throws
 * YamlError.
 */
export function yamlRead(text: string, isStrict: boolean, read: ReadYaml | undefined): YamlText {
  if (read === undefined) return readYamlText(text, isStrict);
  if (read.error !== '') throw new YamlError(read.error);
  return read;
}
