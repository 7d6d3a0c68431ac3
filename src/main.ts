/** The program. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCompiledCode } from './actors/compiled-code.ts';
import { nameSourcesInStacks } from './base/source-stacks.ts';
import { asError, fail } from './fail.ts';

nameSourcesInStacks();
useCompiledCode(dirname(fileURLToPath(import.meta.url)));
const { run } = await import('./run.ts');
await run(process.argv.slice(2)).catch((error: unknown) => fail(asError(error)));
