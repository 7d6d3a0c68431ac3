/**
 * Documents that are made once and sent many times, as one run of bytes: four bytes of length, that
 * many of JSON, which says what there is, and the documents, each of them gzipped by itself.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A document as it is kept. */
export interface PackedDocument {
  readonly zipped: Uint8Array;
  /** A SHA-512 of its bytes in upper case hex; an ETag has quotes around it. */
  readonly hash: string;
}

/** The names of the documents in the pack. */
export const DOCUMENTS = {
  v2: 'v2',
  v2Protobuf: 'v2.protobuf',
  /** Not sent: by type, the definitions of version 3 that documents of custom types have. */
  shared: 'v3.shared',
  v3: (root: string): string => `v3/${root}`,
} as const;

interface Entry {
  readonly hash: string;
  /** The document's length in bytes; it follows those before it. */
  readonly length: number;
}

const LENGTH_BYTES = 4;
const GZIP_LEVEL_MAX = 9;

export function hashOf(content: Uint8Array | string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}

/** By the names that they are found by. */
export function packDocuments(documents: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const entries: Record<string, Entry> = {};
  const zipped = Array.from(documents, ([name, bytes]) => {
    const packed = gzipSync(bytes, { level: GZIP_LEVEL_MAX });
    entries[name] = { hash: hashOf(bytes), length: packed.length };
    return packed;
  });
  const head = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...zipped]);
}

/** The documents in the bytes of a pack, by name. */
export function unpackDocuments(bytes: Uint8Array): ReadonlyMap<string, PackedDocument> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = LENGTH_BYTES + view.readUInt32LE();
  const head = view.toString('utf8', LENGTH_BYTES, end);
  const documents = new Map<string, PackedDocument>();
  for (const [name, { hash, length }] of Object.entries(
    JSON.parse(head) as Record<string, Entry>,
  )) {
    documents.set(name, { hash, zipped: view.subarray(end, (end += length)) });
  }
  return documents;
}
