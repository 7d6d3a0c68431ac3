/** `npm run move`: `run.ts` does it, and `options.ts` says what can be asked for. */
import { processOutput } from '../output.ts';
import { runMove } from './run.ts';

process.exitCode = await runMove(process.argv.slice(2), processOutput('move'));
