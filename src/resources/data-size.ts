/**
 * The size and the immutability of ConfigMap and Secret data
 * (src/resources/core/README.md#configuration).
 */
import { deepEqual } from '../base/deep-equal.ts';
import { fieldForbidden, type FieldError } from '../semantics/errors/field-error.ts';

/** The most bytes that all values of a ConfigMap or Secret may have together. */
export const DATA_BYTES_MAX = 1_048_576;

type Values = Readonly<Record<string, string>>;

/** The size of texts in UTF-8. */
export function textBytes(values: Values | undefined): number {
  let bytes = 0;
  for (const key in values) bytes += Buffer.byteLength(values[key] ?? '');
  return bytes;
}

/** The decoded size of canonical base64 texts. */
export function base64Bytes(values: Values | undefined): number {
  let bytes = 0;
  for (const key in values) {
    const text = values[key] ?? '';
    const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
    bytes += (text.length / 4) * 3 - padding;
  }
  return bytes;
}

interface Sealable {
  readonly immutable?: boolean;
  readonly [member: string]: unknown;
}

/** Adds errors for changes of an object that is `immutable: true`. */
export function immutableDataErrors(
  object: Sealable,
  stored: Sealable,
  members: readonly string[],
): FieldError[] {
  if (stored.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  // As in the reference, an empty map differs from an absent one where the schema tracks presence.
  const changed = members.filter((member) => !deepEqual(object[member], stored[member], true));
  const unsealed = object.immutable === true ? [] : ['immutable'];
  return [...unsealed, ...changed].map((member) => fieldForbidden(member, detail));
}
