/**
 * `npm run check:nesting`: whether anything that reads bytes of clients comes to the end of the
 * stack, or holds its thread for long. `readers.ts` lists what reads, `texts.ts` what nests,
 * `requests.ts` what is sent to a server.
 */
import { launchServer } from '../../test/support/server-process.ts';
import { longestTurns, turnCounts } from '../attacks/longest-turns.ts';
import { OptionsError } from '../flags.ts';
import { drive } from './drive.ts';
import type { Answered } from './drive.ts';
import { fuzz, TURN_MS_MAX } from './fuzz.ts';
import type { Finding, Tally } from './fuzz.ts';
import { helpText, readOptions } from './options.ts';
import type { NestingOptions } from './options.ts';
import { READERS } from './readers.ts';
import { ReadingProcess } from './reading.ts';

const EXIT_OF_FAILURE = 1;
const EXIT_OF_USAGE = 2;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function textOf({ reader, shown, characters, milliseconds, seed }: Finding): string {
  const time = `${milliseconds.toFixed(0)} ms`;
  return `${reader}: ${time}, ${characters} characters of ${shown}, seed ${seed}`;
}

function tellFailure(finding: Finding): void {
  if (!finding.failed) return;
  say(`FAILED ${textOf(finding)}\n  ${finding.outcome}`);
  say(`  again: npm run check:nesting -- --only readers --seconds 0 --seed ${finding.seed}`);
}

async function checkReaders(options: NestingOptions): Promise<boolean> {
  const reading = new ReadingProcess();
  let tally: Tally;
  try {
    tally = await fuzz(reading, READERS, options, tellFailure);
  } finally {
    reading.stop();
  }
  const slowest = [...tally.slowest.values()].toSorted((a, b) => b.milliseconds - a.milliseconds);
  for (const finding of slowest) say(textOf(finding));
  const { readings, failures, longTurns } = tally;
  say(`${readings} texts, ${failures} failed, ${longTurns} turns above ${TURN_MS_MAX} ms`);
  return failures === 0;
}

async function checkServer(): Promise<boolean> {
  const server = await launchServer({ args: ['--durability', 'relaxed'] });
  let [count, failures, written] = [0, 0, 0];
  let turns = await turnCounts(server);
  const tell = async (answered: Answered): Promise<void> => {
    count += 1;
    const { status, what, milliseconds } = answered;
    const line = `${what}: ${status} after ${milliseconds.toFixed(0)} ms`;
    // The server writes down errors that it did not foresee.
    if (status === 0 || server.stderr.length > written) {
      failures += 1;
      say(`FAILED ${line}\n  ${server.stderr.slice(written)}`);
      written = server.stderr.length;
    }
    if (milliseconds <= TURN_MS_MAX) return;
    const now = await turnCounts(server);
    const long = [...longestTurns(turns, now)].filter(([, longest]) => longest > TURN_MS_MAX);
    turns = now;
    const told = long.map(([thread, longest]) => `${thread} ${longest.toFixed(0)} ms at most`);
    if (told.length > 0) say(`${line}; turns: ${told.join(', ')}`);
  };
  try {
    await drive(server, { every: 1 }, tell);
  } catch (error) {
    failures += 1;
    say(`FAILED ${(error as Error).message}: ${server.stderr}`);
  } finally {
    await server.dispose();
  }
  say(`${count} requests, ${failures} failed`);
  return failures === 0;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(helpText());
    return;
  }
  say(`seed ${options.seed}`);
  const checks = { readers: () => checkReaders(options), server: checkServer };
  for (const part of options.parts) {
    if (!(await checks[part]())) process.exitCode = EXIT_OF_FAILURE;
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`check:nesting: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
