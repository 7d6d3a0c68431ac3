/**
 * `npm run check:reference`: sends the same requests to this server and to another one of the API,
 * and tells what differs. `run.ts` is a run, `differences.ts` says what a difference is.
 */
import { chooseRelease } from '../../src/release/release.ts';
import { OptionsError } from '../flags.ts';
import { helpText, readOptions } from './options.ts';
import { ServerGone } from './server-gone.ts';

const EXIT_OF_USAGE = 2;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(helpText());
    return 0;
  }
  chooseRelease(options.release.minor);
  // It compares the requests of the release.
  const { runComparison } = await import('./run.ts');
  return runComparison(options);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionsError) && !(error instanceof ServerGone)) throw error;
  process.stderr.write(`check:reference: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
