import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Changes a letter of this text wherever it is in the store of a data folder, open or not. */
export function damageText(folder: string, text: string): void {
  const path = join(folder, 'store', 'data.mdb');
  const bytes = readFileSync(path);
  const file = openSync(path, 'r+');
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    writeSync(file, '#', at + 3);
  }
  closeSync(file);
}
