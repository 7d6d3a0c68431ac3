/** All that reads texts of clients, by name. */
import { DOCUMENT_READERS } from './document-readers.ts';
import { BINARY_READERS, SHARD_READERS } from './shard-readers.ts';
import { TEXT_READERS } from './text-readers.ts';
import type { Reader } from './reader.ts';

export const READERS: readonly Reader[] = [
  ...TEXT_READERS,
  ...DOCUMENT_READERS,
  ...SHARD_READERS,
  ...BINARY_READERS,
];
