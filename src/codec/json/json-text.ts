/**
 * Writes values that clients may nest deeply as JSON text. `JSON.stringify` compares each object
 * with all objects around it, to find cycles: 200,000 small ones at 10,000 levels, 1.6 MB, took
 * three seconds. This writes values that nest so deep without recursion, in time that grows with
 * their length.
 */
import type { Members } from '../model/schema-model.ts';

/** The runtime has this function, and the compiler's library lacks it. */
const { isRawJSON } = JSON as unknown as { isRawJSON(value: unknown): boolean };

/** Deeper than any honest object; up to this depth `JSON.stringify` is faster. */
const DEPTH_MAX = 100;

/** `JSON.stringify(value)` for plain values; `null` for values that JSON has no text for. */
export function jsonText(value: unknown): string {
  return nestsFar(value, DEPTH_MAX)
    ? textWithoutRecursion(value as object, JSON_FORM)
    : shallowText(value);
}

function shallowText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function nestsFar(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return !isRawJSON(value);
  if (Array.isArray(value)) return value.some((item) => nestsFar(item, levels - 1));
  for (const name in value) {
    const member = (value as Members)[name];
    if (typeof member === 'object' && nestsFar(member, levels - 1)) return true;
  }
  return false;
}

/** The form in which values are written. */
export interface TextForm {
  /** Undefined for an object or a list. */
  scalar(value: unknown): string | undefined;
  name(name: string): string;
  /** The names of an object's members, in the order in which they are written. */
  names(members: Members): readonly string[];
}

const JSON_FORM: TextForm = {
  scalar: (value) => {
    const isContainer = typeof value === 'object' && value !== null && !isRawJSON(value);
    return isContainer ? undefined : shallowText(value);
  },
  name: (name) => JSON.stringify(name),
  names: (members) => Object.keys(members).filter((name) => members[name] !== undefined),
};

/** An object or a list that is being written. */
interface Writing {
  readonly members: Members;
  /** Undefined of a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  at: number;
}

/** Compact text of a value however deep it nests. */
export function textWithoutRecursion(value: object, form: TextForm): string {
  const parts: string[] = [];
  const open: Writing[] = [];
  beginText(value, form, parts, open);
  for (let writing = open.at(-1); writing !== undefined; writing = open.at(-1)) {
    const { members, names, length, at } = writing;
    if (at === length) {
      parts.push(names === undefined ? ']' : '}');
      open.pop();
      continue;
    }
    if (at > 0) parts.push(',');
    writing.at += 1;
    const name = names?.[at];
    if (name !== undefined) parts.push(form.name(name), ':');
    beginText(members[name ?? at], form, parts, open);
  }
  return parts.join('');
}

/** Writes a scalar, or opens a container, which is written next. */
function beginText(value: unknown, form: TextForm, parts: string[], open: Writing[]): void {
  const text = form.scalar(value);
  if (text !== undefined) {
    parts.push(text);
    return;
  }
  const members = value as Members;
  const names = Array.isArray(value) ? undefined : form.names(members);
  const { length } = names ?? (value as unknown[]);
  parts.push(names === undefined ? '[' : '{');
  open.push({ members, names, length, at: 0 });
}
