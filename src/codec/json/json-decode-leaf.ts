/** Decoders of the leaf types: one value of the parsed document each. */
import { canonicalBase64 } from '../leaves/base64-text.ts';
import { canonicalDuration } from '../leaves/duration-text.ts';
import {
  DecodeError,
  fieldMismatch,
  NumberLiteral,
  valueKind,
  valueMismatch,
} from './go-errors.ts';
import { wellFormed } from './go-json.ts';
import { keptQuantity } from '../leaves/quantity.ts';
import { membersWithin } from './member-count.ts';
import { PENDING_RAW_JSON, RawJson } from './raw-json.ts';
import { canonicalMicroTime, canonicalTime } from '../leaves/time-text.ts';

/** The state of one decoding. */
export interface DecodeContext {
  /** The path of members to the current message. */
  readonly path: string[];
  /**
   * Set inside a schema, which the reference decodes by a reader of its own: the field that errors
   * name instead.
   */
  outerField: string | undefined;
  /** Numbers are `NumberLiteral`: the second attempt, after `NEEDS_NUMBER_TEXT`. */
  readonly exact: boolean;
  /** Set when a placeholder for kept text was put in. */
  rawPending: boolean;
  /** How many members of the document were looked at: those of all its objects. */
  membersRead: number;
}

/** `value` is neither null nor undefined. Returns undefined for absent. Throws `DecodeError`. */
export type DecodeValue = (value: unknown, context: DecodeContext) => unknown;

/**
 * Thrown when a decision needs the text of a number; the caller then parses again and keeps that
 * text.
 */
export const NEEDS_NUMBER_TEXT = Symbol('needs number text');

/** A field, as mismatches name it: the innermost message and the member. */
export interface Site {
  readonly struct: string;
  readonly name: string;
}

const INT32_MAX = 2 ** 31 - 1;
const INT64_LIMIT = 2n ** 63n;
const INTEGER = /^-?[0-9]+$/;

/** The decoder of a leaf field; with `keepZero` a zero value is not absent. */
export function decodeLeaf(type: string, site: Site, keepZero: boolean): DecodeValue {
  switch (type) {
    case 'string':
      return (value, context) => {
        if (typeof value !== 'string') throw mismatch(value, site, type, context);
        return value === '' && !keepZero ? undefined : wellFormed(value);
      };
    case 'bool':
      return (value, context) => {
        if (typeof value !== 'boolean') throw mismatch(value, site, type, context);
        return value || keepZero ? value : undefined;
      };
    case 'int32':
    case 'int64':
    case 'double':
      return numberDecoder(type, site, keepZero);
    case 'bytes':
      return (value, context) => {
        if (Array.isArray(value)) {
          const text = bytesOfList(value, site, context);
          return text === '' && !keepZero ? undefined : text;
        }
        if (typeof value !== 'string') throw mismatch(value, site, '[]uint8', context);
        return value === '' && !keepZero ? undefined : reworded(canonicalBase64, value);
      };
    case 'Time':
      return (value) => reworded(canonicalTime, textOf(value)) || undefined;
    case 'MicroTime':
      return (value) => reworded(canonicalMicroTime, textOf(value)) || undefined;
    case 'Duration':
      return (value) => dropped(reworded(canonicalDuration, textOf(value)), '0s', keepZero);
    case 'Quantity':
      return (value) => dropped(reworded(keptQuantity, quantityText(value)), '0', keepZero);
    case 'IntOrString':
      return (value) => dropped(decodeIntOrString(value), 0, keepZero);
    case 'RawExtension':
      return keptText;
    case 'FieldsV1':
      // FieldsV1 has no numbers, and a repeated member means the same twice, so that parsing loses
      // nothing. Nearly all bodies have FieldsV1, and finding its text costs more than the rest of
      // decoding.
      return (value, context) => {
        if (context.exact) return keptText(value, context);
        context.membersRead += membersWithin(value);
        return RawJson.ofValue(value);
      };
    default:
      throw new Error(`leaf type ${type} is not known`);
  }
}

/** Bytes may be sent as a list of numbers too. */
function bytesOfList(items: unknown[], site: Site, context: DecodeContext): string {
  const bytes = Buffer.alloc(items.length);
  for (const [at, item] of items.entries()) {
    if (typeof item !== 'number' && item !== null) throw mismatch(item, site, 'uint8', context);
    const byte = item ?? 0;
    if (byte !== (byte & 0xff)) {
      throw fieldMismatch(`number ${byte}`, fieldPath(site, context), 'uint8');
    }
    bytes[at] = byte;
  }
  return bytes.toString('base64');
}

function keptText(_value: unknown, context: DecodeContext): RawJson {
  context.rawPending = true;
  return PENDING_RAW_JSON;
}

function dropped<T>(value: T, zero: T, keepZero: boolean): T | undefined {
  return value === zero && !keepZero ? undefined : value;
}

function numberDecoder(
  type: 'int32' | 'int64' | 'double',
  site: Site,
  keepZero: boolean,
): DecodeValue {
  const fits = { int32: isInt32, int64: Number.isSafeInteger, double: Number.isFinite }[type];
  return (value, context) => {
    if (typeof value !== 'number') {
      if (!(value instanceof NumberLiteral)) throw mismatch(value, site, type, context);
      const exact = exactNumber(value.text, type);
      if (exact !== undefined) return dropped<number | bigint>(exact, 0, keepZero);
      throw fieldMismatch(`number ${value.text}`, fieldPath(site, context), goNumberType(type));
    }
    if (!fits(value)) throw NEEDS_NUMBER_TEXT;
    // Adding 0 turns minus zero into zero.
    return value === 0 && !keepZero ? undefined : value + 0;
  };
}

function goNumberType(type: string): string {
  return type === 'double' ? 'float64' : type;
}

function isInt32(value: unknown): boolean {
  return value === ((value as number) | 0) || (value === 0 && Object.is(value, -0));
}

/** undefined when the number does not fit the type. */
function exactNumber(text: string, type: string): number | bigint | undefined {
  const number = Number(text) + 0;
  if (type === 'double') return Number.isFinite(number) ? number : undefined;
  if (!INTEGER.test(text)) return undefined;
  if (type === 'int32') return Math.abs(number + 0.5) < INT32_MAX + 1 ? number : undefined;
  if (Number.isSafeInteger(number)) return number;
  // A 64-bit number has 19 digits; no need to convert a million of them.
  if (text.length > 20) return undefined;
  const integer = BigInt(text);
  return integer >= -INT64_LIMIT && integer < INT64_LIMIT ? integer : undefined;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw valueMismatch(valueKind(value), 'string');
  return value;
}

function quantityText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value instanceof NumberLiteral) return value.text;
  // The text counts here: `1e3` differs from 1000, and 0.1 from the nearest double.
  if (typeof value === 'number') throw NEEDS_NUMBER_TEXT;
  return 'not a quantity';
}

function decodeIntOrString(value: unknown): number | string {
  if (typeof value === 'string') return wellFormed(value);
  if (value instanceof NumberLiteral) {
    const exact = exactNumber(value.text, 'int32');
    if (typeof exact === 'number') return exact;
    throw valueMismatch(`number ${value.text}`, 'int32');
  }
  if (typeof value !== 'number') throw valueMismatch(valueKind(value), 'int32');
  if (!isInt32(value)) throw NEEDS_NUMBER_TEXT;
  return value + 0;
}

function reworded(canonical: (text: string) => string, text: string): string {
  try {
    return canonical(text);
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

/** The error for a value of the wrong type at a field of the message at hand. */
export function mismatch(value: unknown, site: Site, type: string, context: DecodeContext): Error {
  return fieldMismatch(valueKind(value), fieldPath(site, context), goNumberType(type));
}

/** A field as errors name it: `Container.spec.containers.name`. */
export function fieldPath(site: Site, { path, outerField }: DecodeContext): string {
  return outerField ?? `${site.struct}.${[...path, site.name].join('.')}`;
}
