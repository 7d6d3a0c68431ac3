/** `npm run repair`. */
import { processOutput } from '../output.ts';
import { runRepair } from './repair.ts';

process.exitCode = await runRepair(process.argv.slice(2), processOutput('repair'));
