/** Reads a file of settings that may change while the server runs, and tells its problems. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../base/options/config-error.ts';
import {
  ConfigDocumentError,
  readConfigDocument,
  type ConfigForm,
} from '../../codec/yaml/config-document.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';

/** Throws ConfigError, in one line. */
export function configurationText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file or directory' : (error as Error).message;
    throw new ConfigError(`open ${file}: ${why}`);
  }
}

/** The document of a text. Throws ConfigError, in one line that begins with `start`. */
export function configurationDocument(text: string, form: ConfigForm, start = ''): object {
  try {
    return readConfigDocument(text, form);
  } catch (error) {
    if (!(error instanceof ConfigDocumentError)) throw error;
    const lines = error.message.split('\n').map((line) => line.trim());
    throw new ConfigError(start + lines.join(' '));
  }
}

/** Each error in a line. */
export function configurationProblems(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => {
    // Further lines show where in the expression it is.
    return `${field}: ${message.replaceAll(/\n \|.*/g, '')}`;
  });
}
