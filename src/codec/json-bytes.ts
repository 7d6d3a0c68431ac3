/**
 * Where values end in the bytes of compact JSON. Of most objects only few members are looked at:
 * the rest is skipped, or copied as it is, and never becomes text.
 */
import { assert } from '../base/assert.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Brackets differ from braces in this bit alone. */
const BRACE_BIT = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Strings are mostly shorter than this; in longer ones the native search is faster than a loop. */
const LOOP_BYTES = 48;

/** The position after the closing quote of the string whose opening one is at `at`. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  const loopEnd = Math.min(end + LOOP_BYTES, bytes.length);
  for (; end < loopEnd; end++) {
    const byte = bytes[end];
    if (byte === QUOTE) return end + 1;
    if (byte === BACKSLASH) end++;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, end);
    assert(quote !== -1, 'a string that does not end');
    if (!isEscaped(bytes, quote)) return quote + 1;
    end = quote + 1;
  }
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(bytes: Uint8Array, quote: number): boolean {
  let at = quote - 1;
  while (bytes[at] === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}

/** The position after the value that begins at `at`. */
export function valueEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first === QUOTE) return stringEnd(bytes, at);
  if ((first | BRACE_BIT) === OPEN_BRACE) return enclosingEnd(bytes, at + 1);
  let end = at + 1;
  for (; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0;
    if (byte === COMMA || (byte | BRACE_BIT) === CLOSE_BRACE) return end;
  }
  return end;
}

/** The position after the object or list in which `at` is, between two of its tokens. */
export function enclosingEnd(bytes: Uint8Array, at: number): number {
  let depth = 1;
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0;
    if (byte === QUOTE) {
      end = stringEnd(bytes, end) - 1;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      depth++;
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      depth--;
      if (depth === 0) return end + 1;
    }
  }
  throw new Error('an object or list that does not end');
}
