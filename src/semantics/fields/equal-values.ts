/** Tells whether two values of a field mean the same, be they decoded or parsed JSON. */
import { canonicalBase64 } from '../../codec/leaves/base64-text.ts';
import { canonicalDuration } from '../../codec/leaves/duration-text.ts';
import { keptQuantity } from '../../codec/leaves/quantity.ts';
import { RawJson } from '../../codec/json/raw-json.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { canonicalMicroTime, canonicalTime } from '../../codec/leaves/time-text.ts';
import { isMembers, isRawNumber, parseDocument } from '../patch/document.ts';
import type { FieldType, MessageStruct, StructField } from './field-types.ts';
import { FIELD_DEPTH_MAX } from './typed-error.ts';

/**
 * Whether the values are equal: zero equals absent where JSON leaves it out, quantities and times
 * equal those written otherwise. Lists are equal in order, whatever their relation.
 */
export function equalValues(type: FieldType, a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (type.kind === 'scalar') return equalLeaves(type.leaf, a, b);
  if (type.kind === 'untyped' || depth > FIELD_DEPTH_MAX) return equalJson(a, b);
  if (type.kind === 'list') {
    if (!Array.isArray(a) || !Array.isArray(b)) return equalJson(a, b);
    if (a.length !== b.length) return false;
    const { item } = type;
    return a.every((element, at) => equalValues(item, element, b[at], depth + 1));
  }
  if (!isObject(a) || !isObject(b)) return false;
  if (type.kind === 'struct') {
    return type.isPlain ? equalJson(a, b) : equalStructs(type, a, b, depth);
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const { item } = type;
  return keys.every((key) => Object.hasOwn(b, key) && equalValues(item, a[key], b[key], depth + 1));
}

function equalStructs(type: MessageStruct, a: Members, b: Members, depth: number): boolean {
  for (const field of type.fields) {
    const left = a[field.name];
    const right = b[field.name];
    if (left !== right && !equalFields(field, left, right, depth)) return false;
  }
  return true;
}

function equalFields(field: StructField, a: unknown, b: unknown, depth: number): boolean {
  const left = a ?? field.zero;
  const right = b ?? field.zero;
  if (left !== undefined && right !== undefined) {
    return equalValues(field.type, left, right, depth + 1);
  }
  if (left === right) return true;
  return field.dropsZero && isZero(field.type, left === undefined ? right : left);
}

/** Whether JSON leaves the value out where presence is not tracked. */
export function isZero(type: FieldType, value: unknown): boolean {
  switch (type.kind) {
    case 'scalar':
      if (typeof value === 'string') {
        if (value === '') return true;
        if (type.leaf === 'Quantity') return equalLeaves('Quantity', value, '0');
        return type.leaf === 'Duration' && equalLeaves('Duration', value, '0s');
      }
      return value === 0 || value === false;
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'map':
      return isObject(value) && Object.keys(value).length === 0;
    default:
      return false;
  }
}

const CANONICAL: Readonly<Record<string, (text: string) => string>> = {
  Quantity: keptQuantity,
  Time: canonicalTime,
  MicroTime: canonicalMicroTime,
  Duration: canonicalDuration,
  bytes: canonicalBase64,
};

/** Two values of a leaf type; a value of another type is compared as it is. */
export function equalLeaves(leaf: string, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const canonical = CANONICAL[leaf];
  if (canonical === undefined) {
    if (typeof a === 'string' || typeof b === 'string') return false;
    return equalJson(a, b);
  }
  const left = leafText(leaf, a);
  const right = leafText(leaf, b);
  if (left === undefined || right === undefined) return equalJson(a, b);
  try {
    return canonical(left) === canonical(right);
  } catch {
    return false;
  }
}

function leafText(leaf: string, value: unknown): string | undefined {
  if (typeof value === 'string') return leaf === 'Quantity' ? value.trim() : value;
  return leaf === 'Quantity' ? numberText(value) : undefined;
}

/** JSON equality without recursion, for content that may nest as deep as a body can. */
export function equalJson(a: unknown, b: unknown): boolean {
  const pending = [a, b];
  while (pending.length > 0) {
    const right = parsedRaw(pending.pop());
    const left = parsedRaw(pending.pop());
    if (left === right) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (let at = 0; at < left.length; at++) pending.push(left[at], right[at]);
    } else if (isMembers(left)) {
      if (!isMembers(right) || !pushMembers(left, right, pending)) return false;
    } else if (!equalNumbers(left, right)) return false;
  }
  return true;
}

/** false when one has a member that the other has not. */
function pushMembers(a: Members, b: Members, pending: unknown[]): boolean {
  let missing = definedCount(b);
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || b[key] === undefined) return false;
    missing -= 1;
    pending.push(value, b[key]);
  }
  return missing === 0;
}

function definedCount(members: Members): number {
  return Object.values(members).filter((value) => value !== undefined).length;
}

/** Kept text is parsed; anything else is the value itself. */
export function parsedRaw(value: unknown): unknown {
  return value instanceof RawJson ? parseDocument(value.text) : value;
}

/** A cheap test for values of a known type: one that is not any of these is a message or a map. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a number in any of its forms; undefined for another value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return isRawNumber(value) ? value.rawJSON : undefined;
}

const INTEGER = /^-?[0-9]+$/;

function equalNumbers(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return false;
  const left = numberText(a);
  const right = numberText(b);
  if (left === undefined || right === undefined) return false;
  if (left === right) return true;
  return !(INTEGER.test(left) && INTEGER.test(right)) && Number(left) === Number(right);
}
