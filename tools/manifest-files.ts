/** Reads the manifests that a user names. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More than that is no manifest, and would take minutes to parse. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const ENDINGS = /\.(?:ya?ml|json)$/;

/** The message is one line for the user that begins with the file. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The file itself, or those below a folder, in order. Throws `FileError`. */
export function manifestFiles(path: string): readonly string[] {
  try {
    if (path === '-' || !statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => ENDINGS.test(name)).sort();
    if (files.length > 0) return files.map((name) => join(path, name));
  } catch (error) {
    throw new FileError(`${path}: ${(error as Error).message}`);
  }
  throw new FileError(`${path}: there are no files that end in .yaml, .yml or .json`);
}

/** The text of a file, '-' for standard input. Throws `FileError`. */
export function readManifest(file: string): string {
  try {
    if (file !== '-' && statSync(file).size > FILE_BYTES_MAX) throw tooLarge(file);
    const bytes = readFileSync(file === '-' ? 0 : file);
    if (bytes.length > FILE_BYTES_MAX) throw tooLarge(file);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${file}: ${(error as Error).message}`);
  }
}

function tooLarge(file: string): FileError {
  return new FileError(`${file}: is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`);
}
