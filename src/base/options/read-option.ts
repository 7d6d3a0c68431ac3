/** Files that options name. */
import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

/** The text of a file; `what` says what it is to be. Throws ConfigError. */
export function readOption(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read ${what} ${file}: ${(error as Error).message}`);
  }
}
