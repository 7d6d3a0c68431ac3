/** Bytes to text, and checks of bytes that are none. */
import { isUtf8 } from 'node:buffer';

/**
 * The native slice works on any Uint8Array, so that no call makes a Buffer. It is as fast as
 * TextDecoder at its best, but keeps a byte order mark.
 */
// oxlint-disable-next-line typescript/unbound-method -- only called with `.call`
const utf8Slice = (
  Buffer.prototype as unknown as {
    utf8Slice(this: Uint8Array, start: number, end: number): string;
  }
).utf8Slice;

/** The text of UTF-8 bytes. Invalid sequences become U+FFFD, and nothing is stripped. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return utf8Slice.call(bytes, start, end);
}

/** Decodes bytes that nobody has checked; undefined when they are not valid UTF-8. */
export function decodeUntrusted(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  // Looking for the character takes no time in text of one byte per character, which most is.
  return text.includes(REPLACEMENT) && !isUtf8(bytes) ? undefined : text;
}

const REPLACEMENT = '\ufffd';

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
/** A pair, a half, or any other escape, so that the u of `\\\\u` is not taken for one. */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]|(u[dD][89a-fA-F]..)|.)/g;

/**
 * The first lone surrogate in JSON text, in its escaped spelling; '' when there is none. The text
 * itself is well-formed.
 */
export function loneSurrogate(json: string): string {
  if (!ESCAPED_SURROGATE.test(json)) return '';
  for (const [escape, half] of json.matchAll(ESCAPES)) if (half !== undefined) return escape;
  return '';
}
