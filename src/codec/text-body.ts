/** Bytes of a request body to text. */

/**
 * The native slice works on any Uint8Array, so no Buffer is made per call. It decodes as fast as
 * the best case of TextDecoder, and unlike that one it keeps a byte order mark.
 */
// oxlint-disable-next-line typescript/unbound-method -- only called with `.call`
const utf8Slice = (
  Buffer.prototype as unknown as {
    utf8Slice(this: Uint8Array, start: number, end: number): string;
  }
).utf8Slice;

/**
 * The text of UTF-8 bytes. Invalid sequences become U+FFFD, never an error: the reference server
 * replaces them silently too. Nothing is stripped.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return utf8Slice.call(bytes, 0, bytes.length);
}
