/** `npm run backup`. */
import { processOutput } from '../output.ts';
import { runBackup } from './backup.ts';

process.exitCode = await runBackup(process.argv.slice(2), processOutput('backup'));
