/** The metadata inside the stored text of an object (README.md#yaml). */
import { assert } from '../base/assert.ts';
import { valueEnd } from './json-bytes.ts';

const OPEN_BRACE = 0x7b;

/** `"metadata":`, with which members begin. */
const NAME_LENGTH = 11;

/**
 * The `metadata` member, its name included: a view of `members`, which is the UTF-8 text of an
 * object's members as they are stored, without the first brace. Works on bytes, since most of an
 * object is copied as it is: text would have to be decoded first.
 */
export function metadataMember(members: Uint8Array): Uint8Array {
  assert(members[NAME_LENGTH] === OPEN_BRACE, 'members that do not begin with metadata');
  return members.subarray(0, valueEnd(members, NAME_LENGTH));
}
