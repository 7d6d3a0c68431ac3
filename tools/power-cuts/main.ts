/** `npm run check:power-cuts`: what a power cut leaves of a data folder. */
import { OptionsError } from '../flags.ts';
import { Campaign } from './campaign.ts';
import { helpText, readOptions } from './options.ts';
import { PreloadError } from '../compile-preload.ts';

const EXIT_OF_USAGE = 2;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  if (options === undefined) {
    say(helpText().trimEnd());
    return;
  }
  const { cuts, seed, durabilities, keeps } = options;
  say(`seed ${seed}`);
  for (const durability of durabilities) {
    const outcome = await new Campaign({ durability, cuts, seed, keeps }, say).run();
    const { broken, lostMsMax } = outcome;
    if (broken > 0) process.exitCode = 1;
    say(
      `${durability}: ${cuts} cuts, ${broken} broken; ` +
        `writes of ${lostMsMax.toFixed(0)} ms were lost at most`,
    );
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionsError || error instanceof PreloadError)) throw error;
  process.stderr.write(`check:power-cuts: ${error.message}\n`);
  process.exitCode = error instanceof OptionsError ? EXIT_OF_USAGE : 1;
}
