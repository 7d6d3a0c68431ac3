/** `npm run check:release`: `run.ts` does it, and `options.ts` says what can be asked for. */
import { processOutput } from '../output.ts';
import { runCheckRelease } from './run.ts';

const output = processOutput('check:release');
process.exitCode = await runCheckRelease(process.argv.slice(2), output);
