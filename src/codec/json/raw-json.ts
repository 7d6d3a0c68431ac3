/**
 * JSON that is kept as text: RawExtension and FieldsV1. The reference keeps the bytes that were
 * sent, so member order, number spelling and even repeated members survive; `JSON.parse` would
 * lose them.
 */
import { escapeHtmlInJson, stringifyGo } from './go-json.ts';
import { JsonCursor, stringEnd } from './json-cursor.ts';

/** Compact JSON text, escaped as the encoder escapes: written as it is. */
export class RawJson {
  readonly text: string;

  /** `text` must be canonical already; `ofText` and `ofValue` make it so. */
  constructor(text: string) {
    this.text = text;
  }

  /** From valid JSON text. */
  static ofText(text: string): RawJson {
    return new RawJson(escapeHtmlInJson(compact(text)));
  }

  /** From a JSON value. */
  static ofValue(value: unknown): RawJson {
    return new RawJson(stringifyGo(value));
  }
}

/** Stands in a decoded object until `fillRawJson` has found the text. */
export const PENDING_RAW_JSON = new RawJson('null');

/** The members of a message that lead to kept text, by name. */
export type RawJsonFields = Map<string, RawJsonField>;

export interface RawJsonField {
  readonly container: 'single' | 'list' | 'map';
  /** The plan of the message below; undefined where the value itself is kept. */
  readonly plan: RawJsonFields | undefined;
}

const SPACE = /[ \t\r\n]/;

/**
 * Puts the text of every kept value into `target`, which was decoded from `text` (valid JSON, an
 * object) and holds RawJson placeholders. With repeated members the last one wins, as in decoding.
 */
export function fillRawJson(text: string, plan: RawJsonFields, target: object): void {
  const cursor = new JsonCursor(text);
  cursor.skipSpace();
  fillMembers(cursor, plan, target);
}

type Slots = Record<string | number, unknown>;

function fillMembers(cursor: JsonCursor, plan: RawJsonFields, target: object): void {
  cursor.forEachMember((key) => {
    const step = plan.get(key);
    const value = step === undefined ? undefined : (target as Slots)[key];
    if (step === undefined || !isObject(value)) cursor.skipValue();
    else if (step.container === 'single') fillValue(cursor, step, target as Slots, key);
    else if (step.container === 'list' && cursor.peek() === '[') {
      cursor.forEachItem((index) => fillValue(cursor, step, value as Slots, index));
    } else if (step.container === 'map' && cursor.peek() === '{') {
      cursor.forEachMember((name) => fillValue(cursor, step, value as Slots, name));
    } else cursor.skipValue();
  });
}

function fillValue(
  cursor: JsonCursor,
  step: RawJsonField,
  slots: Slots,
  slot: string | number,
): void {
  const target = slots[slot];
  if (step.plan === undefined && target instanceof RawJson) {
    slots[slot] = RawJson.ofText(cursor.takeValue());
  } else if (step.plan !== undefined && Array.isArray(target) && cursor.peek() === '[') {
    cursor.forEachItem((index) => fillValue(cursor, step, target as unknown as Slots, index));
  } else if (step.plan !== undefined && isObject(target) && cursor.peek() === '{') {
    fillMembers(cursor, step.plan, target);
  } else cursor.skipValue();
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Valid JSON text without the space between its tokens. */
function compact(text: string): string {
  if (!SPACE.test(text)) return text;
  let out = '';
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at);
    else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      out += text.slice(from, at);
      at += 1;
      from = at;
    } else at += 1;
  }
  return out + text.slice(from);
}
