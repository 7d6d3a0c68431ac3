/** `npm run lab`. */
import { processOutput } from '../output.ts';
import { runLab } from './run.ts';

process.exitCode = await runLab(process.argv.slice(2), processOutput('lab'));
