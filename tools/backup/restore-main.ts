/** `npm run restore`. */
import { processOutput } from '../output.ts';
import { runRestore } from './restore.ts';

process.exitCode = await runRestore(process.argv.slice(2), processOutput('restore'));
