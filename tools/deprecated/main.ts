/** `npm run check-deprecated`: `run.ts` does it, and `options.ts` says what can be asked for. */
import { processOutput } from '../output.ts';
import { runCheckDeprecated } from './run.ts';

const output = processOutput('check-deprecated');
process.exitCode = await runCheckDeprecated(process.argv.slice(2), output);
