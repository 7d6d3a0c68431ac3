/** What the runtime has compiled, for the next start. */
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside the built program; a folder that cannot be written is no reason not to start. */
export function keepCompiled(): void {
  enableCompileCache(join(dirname(fileURLToPath(import.meta.url)), 'compiled'));
}
