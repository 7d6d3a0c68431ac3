/**
 * `npm run check:attacks`: what one client can do to the others. `scenarios.ts` has the attacks,
 * `attacks.ts` is a run.
 */
import { OptionsError } from '../flags.ts';
import { outcomeText, runAttacks } from './attacks.ts';
import { helpText, readOptions } from './options.ts';

const EXIT_OF_USAGE = 2;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(helpText());
  else await runAttacks(options, (outcome) => process.stdout.write(`${outcomeText(outcome)}\n`));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`check:attacks: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
