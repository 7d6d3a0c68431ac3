/** Where a socket lies that nobody else may use. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest name of a socket on every system that this runs on, in bytes. */
const PATH_BYTES_MAX = 100;

/** A path in a private folder, or in a new one where that has too long a name for sockets. */
export function privateSocket(folder: string, name: string): string {
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return path;
  return join(mkdtempSync(join(tmpdir(), 'shardplane-')), `${name}.sock`);
}
