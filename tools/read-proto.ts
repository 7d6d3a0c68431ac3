/** Reads the folder `proto/` for `loadSchemaModel`, which itself takes text only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All `.proto` files below `dir`: path relative to it (with `/`) to text. */
export function readProtoFolder(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (entry.endsWith('.proto')) {
      files[entry.replaceAll('\\', '/')] = readFileSync(join(dir, entry), 'utf8');
    }
  }
  return files;
}
