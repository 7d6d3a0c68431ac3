/** The metadata inside the stored text of an object (README.md#yaml). */
import { assert } from '../base/assert.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `"metadata":`, with which members begin. */
const MEMBER_LENGTH = 11;

/**
 * The value of the `metadata` member, braces included: a view of `members`, which is the UTF-8 text
 * of an object's members as they are stored, without the first brace. Works on bytes, since most
 * of an object is copied as it is: text would have to be decoded first.
 */
export function metadataBytes(members: Uint8Array): Uint8Array {
  return members.subarray(MEMBER_LENGTH, metadataEnd(members));
}

/** The position after the value. A plain loop: strings are too short for native searches. */
function metadataEnd(members: Uint8Array): number {
  assert(members[MEMBER_LENGTH] === OPEN_BRACE, 'members that do not begin with metadata');
  let depth = 0;
  for (let at = MEMBER_LENGTH; at < members.length; at++) {
    const byte = members[at];
    if (byte === QUOTE) {
      at = closingQuote(members, at + 1);
    } else if (byte === OPEN_BRACE) {
      depth++;
    } else if (byte === CLOSE_BRACE) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('metadata that do not end');
}

/** The position of the quote that ends the string whose content begins at `start`. */
function closingQuote(members: Uint8Array, start: number): number {
  for (let at = start; at < members.length; at++) {
    const byte = members[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return members.length;
}
