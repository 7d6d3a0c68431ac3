import { swapDocument } from './json-edits.ts';

/** As `swapDocument`, of UTF-8 bytes; the same array when nothing changes. */
export function swapDocumentBytes(kind: string, utf8: Uint8Array): Uint8Array {
  // Decoded as latin1, one unit per byte: names are ASCII, and other bytes pass through.
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength);
  const text = bytes.toString('latin1');
  const other = swapDocument(kind, text);
  return other === text ? utf8 : Buffer.from(other, 'latin1');
}
