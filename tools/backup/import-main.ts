/** `npm run import`. */
import { processOutput } from '../output.ts';
import { runImport } from './import.ts';

process.exitCode = await runImport(process.argv.slice(2), processOutput('import'));
