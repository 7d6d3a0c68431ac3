/** Bodies of streams, as far as they are wanted. */

/**
 * The whole, or its first `bytesMax` bytes; the rest is cut. Rejects when the stream breaks off.
 */
export async function collectBytes(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Buffer> {
  const collected: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    collected.push(chunk);
    length += chunk.length;
    if (length >= bytesMax) break;
  }
  return Buffer.concat(collected).subarray(0, bytesMax);
}
