/** The size and the immutability of ConfigMap and Secret data (API-FACTS 14.1 and 14.2). */
import { deepEqual } from '../base/deep-equal.ts';
import { fieldForbidden, type FieldError } from '../semantics/field-error.ts';

/** What the values of one ConfigMap or Secret may hold together; this much is still accepted. */
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
  for (const key in values) bytes += Buffer.byteLength(values[key] ?? '', 'base64');
  return bytes;
}

interface Sealable {
  readonly immutable?: boolean;
  readonly [member: string]: unknown;
}

/** What an update changes of an object that was sealed with `immutable: true`. */
export function sealErrors(
  object: Sealable,
  stored: Sealable,
  members: readonly string[],
): FieldError[] {
  if (stored.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = members.filter(
    (member) => !deepEqual(object[member] ?? {}, stored[member] ?? {}),
  );
  const unsealed = object.immutable === true ? [] : ['immutable'];
  return [...unsealed, ...changed].map((member) => fieldForbidden(member, detail));
}
