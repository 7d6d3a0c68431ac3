/** `npm run convert`: `run.ts` does it, and `options.ts` says what can be asked for. */
import { processOutput } from '../output.ts';
import { runConvert } from './run.ts';

process.exitCode = runConvert(process.argv.slice(2), processOutput('convert'));
