/** The metadata inside the stored text of an object (../README.md#yaml). */
import { assert } from '../../base/assert.ts';
import { stringEnd, valueEnd } from './json-bytes.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `"metadata":`, with which members begin. */
const NAME_LENGTH = 11;

/**
 * The `metadata` member, its name included: a view of `members`, which is the UTF-8 text of an
 * object's members as they are stored, without the first brace. Works on bytes, since most of an
 * object is copied as it is: text would have to be decoded first.
 */
export function metadataMember(members: Uint8Array): Uint8Array {
  assert(members[NAME_LENGTH] === OPEN_BRACE, 'members that do not begin with metadata');
  let at = NAME_LENGTH + 1;
  while (members[at] !== CLOSE_BRACE) {
    const valueAt = stringEnd(members, at) + 1;
    at = isManagedFields(members, at, valueAt)
      ? managedFieldsEnd(members, valueAt)
      : valueEnd(members, valueAt);
    if (members[at] === COMMA) at++;
  }
  return members.subarray(0, at + 1);
}

const MANAGED_FIELDS = Buffer.from('"managedFields":');

function isManagedFields(members: Uint8Array, start: number, end: number): boolean {
  if (end - start !== MANAGED_FIELDS.length) return false;
  let same = 0;
  while (same < MANAGED_FIELDS.length && members[start + same] === MANAGED_FIELDS[same]) same++;
  return same === MANAGED_FIELDS.length;
}

/**
 * The position after `metadata.managedFields`, which begins at `at`. It is half of the text of most
 * objects, and is only skipped. The list holds no other list, and a quote inside of a string has a
 * backslash before it. So `}],"` before a letter, or `}]},"`, is in no string, and ends the list.
 */
export function managedFieldsEnd(members: Uint8Array, at: number): number {
  if (members[at + 1] !== OPEN_BRACE) return valueEnd(members, at);
  let end = members.indexOf(CLOSE_BRACKET, at);
  while (end !== -1 && members[end - 1] !== CLOSE_BRACE) {
    end = members.indexOf(CLOSE_BRACKET, end + 1);
  }
  const next = members[end + 1] === CLOSE_BRACE ? end + 2 : end + 1;
  const letter = members[next + 2] ?? 0;
  const isEnd =
    members[next] === COMMA &&
    members[next + 1] === QUOTE &&
    letter >= LOWER_A &&
    letter <= LOWER_Z;
  return isEnd ? end + 1 : valueEnd(members, at);
}
