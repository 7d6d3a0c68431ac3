/**
 * Finds where values end in the bytes of compact JSON. Most readers need few members of an object:
 * the rest is skipped or copied as bytes, and never becomes text.
 */
import { assert } from '../../base/assert.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
/** Brackets differ from braces in this bit alone. */
const BRACE_BIT = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Strings are mostly shorter than this; in longer ones the native search is faster than a loop. */
const LOOP_BYTES = 48;
/**
 * After an escaped quote more of them follow soon, as in a string that holds JSON: there a loop is
 * faster for so many bytes.
 */
const ESCAPED_LOOP_BYTES = 512;

/** The position after the closing quote of the string whose opening one is at `at`. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  for (let looked = 0; looked < LOOP_BYTES; looked++) {
    const byte = bytes[end++];
    if (byte === QUOTE) return end;
    if (byte === BACKSLASH) end++;
  }
  return longStringEnd(bytes, end);
}

function longStringEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, end);
    assert(quote !== -1, 'a string that does not end');
    end = quote + 1;
    if (!isEscaped(bytes, quote)) return end;
    for (let looked = 0; looked < ESCAPED_LOOP_BYTES; looked++) {
      const byte = bytes[end++];
      if (byte === QUOTE) return end;
      if (byte === BACKSLASH) end++;
    }
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
  let end = at;
  while (end < bytes.length) {
    const byte = bytes[end] ?? 0;
    if (byte === QUOTE) {
      end = stringEnd(bytes, end);
      continue;
    }
    end++;
    // Commas, colons and digits, the most frequent bytes, are below both brackets and braces.
    if (byte < OPEN_BRACKET) continue;
    if ((byte | BRACE_BIT) === OPEN_BRACE) depth++;
    else if ((byte | BRACE_BIT) === CLOSE_BRACE && --depth === 0) return end;
  }
  throw new Error('an object or list that does not end');
}
