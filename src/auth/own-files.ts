/** Files of the data folder that hold keys, certificates and tokens. */
import { lstatSync, readFileSync } from 'node:fs';
import { writeDurably } from '../base/durable-file.ts';

/** One that cannot be used; `message` names it, and says what to do. */
export class OwnFileError extends Error {
  override readonly name = 'OwnFileError';
}

/** Its text; undefined where there is no such file. Throws OwnFileError. */
export function readOwn(file: string): string | undefined {
  if (!isThere(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OwnFileError(
      `cannot read ${file} (${(error as Error).message}): restore it from a backup`,
    );
  }
}

/** Also where it is a link that leads nowhere. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Writes a file that only its owner can read, and that is there after a power cut too. Throws
 * OwnFileError.
 */
export function writePrivate(file: string, text: string): void {
  try {
    writeDurably(file, text, 0o600);
  } catch (error) {
    throw new OwnFileError(
      `cannot write ${file} (${(error as Error).message}): remove what is in its way, or give ` +
        'this user the right to write there',
    );
  }
}
