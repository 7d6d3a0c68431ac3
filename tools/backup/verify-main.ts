/** `npm run verify`. */
import { processOutput } from '../output.ts';
import { runVerify } from './verify.ts';

process.exitCode = await runVerify(process.argv.slice(2), processOutput('verify'));
