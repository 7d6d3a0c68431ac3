/** `npm run top`. */
import { processOutput } from '../output.ts';
import { runTop, terminalOf } from './run.ts';

// Who reads from the pipe has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
const output = processOutput('top');
process.exitCode = await runTop(process.argv.slice(2), output, terminalOf(process.stdout));
