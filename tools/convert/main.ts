/** `npm run convert`: `run.ts` does it, and `options.ts` says what can be asked for. */
import { runConvert } from './run.ts';

process.exitCode = runConvert(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  say: (line) => process.stderr.write(`convert: ${line}\n`),
});
