/** The program. */
import { asError, fail } from './fail.ts';
import { run } from './run.ts';

run(process.argv.slice(2)).catch((error: unknown) => fail(asError(error)));
