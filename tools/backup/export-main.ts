/** `npm run export`. */
import { processOutput } from '../output.ts';
import { runExport } from './export.ts';

process.exitCode = await runExport(process.argv.slice(2), processOutput('export'));
