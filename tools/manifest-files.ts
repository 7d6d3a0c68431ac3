/** Reads the manifests that a user names. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More than that is no manifest, and would take minutes to parse. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const ENDINGS = /\.(?:ya?ml|json)$/;

/** The message is one line for the user that begins with the file. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The file itself, or those below a folder, in order. Throws `FileError`. */
export function manifestFiles(path: string): readonly string[] {
  try {
    if (path === '-' || !statSync(path).isDirectory()) return [path];
    const files = filesBelow(path).filter((file) => ENDINGS.test(file));
    if (files.length > 0) return files.sort();
  } catch (error) {
    throw new FileError(`${path}: ${(error as Error).message}`);
  }
  throw new FileError(`${path}: there are no files that end in .yaml, .yml or .json`);
}

/** Links to folders are not followed: they may lead back. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

/** How messages name a file. */
export function titleOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}

/** The text of a file, '-' for standard input. Throws `FileError`. */
export function readManifest(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBounded(file));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${titleOf(file)}: ${(error as Error).message}`);
  }
}

/** Only reading it tells how much there is in a pipe. */
function readBounded(file: string): Buffer {
  const source = file === '-' ? 0 : openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(source, chunk);
      if (length === 0) return Buffer.concat(chunks);
      total += length;
      if (total > FILE_BYTES_MAX) throw tooLarge(file);
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    if (source !== 0) closeSync(source);
  }
}

function tooLarge(file: string): FileError {
  return new FileError(`${titleOf(file)}: is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`);
}
