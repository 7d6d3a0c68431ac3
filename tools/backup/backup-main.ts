/** `npm run backup`. */
import { constants, setPriority } from 'node:os';
import { processOutput } from '../output.ts';
import { runBackup } from './backup.ts';

// The server may be on this machine, and has others to serve.
setPriority(constants.priority.PRIORITY_LOW);
process.exitCode = await runBackup(process.argv.slice(2), processOutput('backup'));
