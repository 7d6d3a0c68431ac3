/** Edits of the text of stored objects, which is not parsed for them. */
import { assert } from '../../base/assert.ts';
import { asBuffer } from '../../storage/record.ts';

const MANAGED_FIELDS_MEMBER = '"managedFields":';
const VERSION_MEMBER = '"resourceVersion":"';
const VERSION_MEMBER_BYTES = Buffer.from(VERSION_MEMBER);
const UID_MEMBER = Buffer.from('"uid":"');
const QUOTE = 0x22;

/**
 * The uid of an object, found in its stored bytes: only members that cannot hold a quote stand
 * before it in the canonical order, so its first occurrence is the object's own.
 */
export function uidIn(wire: Uint8Array): string {
  const bytes = asBuffer(wire);
  const start = bytes.indexOf(UID_MEMBER) + UID_MEMBER.length;
  return bytes.toString('latin1', start, bytes.indexOf(QUOTE, start));
}

/** Whether two stored texts differ in nothing but their resourceVersions. */
export function isSameWire(one: Uint8Array, other: Uint8Array): boolean {
  const [before, after] = aroundVersion(one);
  const [otherBefore, otherAfter] = aroundVersion(other);
  return after.equals(otherAfter) && before.equals(otherBefore);
}

function aroundVersion(wire: Uint8Array): [before: Buffer, after: Buffer] {
  const bytes = asBuffer(wire);
  const start = bytes.indexOf(VERSION_MEMBER_BYTES) + VERSION_MEMBER.length;
  return [bytes.subarray(0, start), bytes.subarray(bytes.indexOf(QUOTE, start))];
}

/**
 * Stored text with another resourceVersion. Only members that cannot hold a quote stand before
 * it in the canonical order, so its first occurrence is the object's own.
 */
export function withResourceVersion(wire: string, rv: number): string {
  const start = wire.indexOf(VERSION_MEMBER);
  assert(start >= 0, 'stored object without a resourceVersion');
  const valueStart = start + VERSION_MEMBER.length;
  return wire.slice(0, valueStart) + String(rv) + wire.slice(wire.indexOf('"', valueStart));
}

/**
 * Stored text without `metadata.managedFields`, and the text of that list, which is `length` UTF-16
 * units long; '' for none. Before it stand maps whose values are strings, and members with other
 * names, so that the first list of that name is the object's own.
 */
export function splitManagedFields(wire: string, length: number): [rest: string, managed: string] {
  if (length === 0) return [wire, ''];
  const at = wire.indexOf(`${MANAGED_FIELDS_MEMBER}[`);
  assert(at > 0, 'stored object without the managedFields that its record tells of');
  const start = at + MANAGED_FIELDS_MEMBER.length;
  const end = start + length;
  // Together with the comma before it: the name of the object stands before it at least.
  return [wire.slice(0, at - 1) + wire.slice(end), wire.slice(start, end)];
}
