/** `npm run lab`: the laboratory of a running server from a terminal. */
import { parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';
import { findServer, TARGET_FLAGS, TARGET_HELP } from '../backup/target.ts';
import { exitCodeOf, ToolError } from '../backup/tool-error.ts';
import { CALL_FLAGS, CALLS } from './calls.ts';
import { CAMPAIGN_HELP } from './campaign/options.ts';
import { runCampaignCommand } from './campaign/run-campaign.ts';
import { REPLAY_HELP, runReplay } from './run-replay.ts';
import { runReport } from './run-report.ts';
import { writeExample } from './write-example.ts';

const PATH = '/shardplane/lab/v1/';
const COLUMN = 52;
const USAGE_CODE = 2;

const HELP = [
  'Usage: npm run lab -- COMMAND [options]',
  '',
  'Has a server that runs with --laboratory go wrong and go back, on request.',
  '',
  'Commands:',
  ...Object.entries(CALLS).map(([name, { takes, help }]) =>
    `  ${name} ${takes}`.padEnd(COLUMN).concat(help),
  ),
  '  replay FILE --server URL'.padEnd(COLUMN).concat('send a recording again, and compare'),
  '  report A.html B.html --to FILE.html'.padEnd(COLUMN).concat('show two reports side by side'),
  '  campaign --snapshot NAME …'
    .padEnd(COLUMN)
    .concat('have a controller meet all that can go wrong'),
  '  example [FOLDER]'
    .padEnd(COLUMN)
    .concat('write a controller with a bug that a campaign finds (keeper)'),
  '',
  'Which server:',
  ...TARGET_HELP,
  '',
  ...REPLAY_HELP,
  '',
  ...CAMPAIGN_HELP,
  '',
].join('\n');

/** The commands that are more than a request. */
const PROGRAMS: Readonly<
  Record<string, (args: readonly string[], output: Output) => Promise<number>>
> = { replay: runReplay, campaign: runCampaignCommand, report: runReport, example: writeExample };

/** Runs with arguments; returns the exit code. */
export async function runLab(args: readonly string[], output: Output): Promise<number> {
  const [name = '', ...rest] = args;
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program !== undefined) return exitCodeOf(output, () => program(rest, output));
  if (name === '--help' || name === '-h') {
    output.write(HELP);
    return 0;
  }
  const command = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (command === undefined) {
    const names = [...Object.keys(CALLS), ...Object.keys(PROGRAMS)].join(', ');
    output.say(`"${name}" is no command: give one of ${names}`);
    return USAGE_CODE;
  }
  return exitCodeOf(output, async () => {
    const [first = ''] = rest;
    const hasFirst = first !== '' && !first.startsWith('-');
    const given = parseOptions({ ...TARGET_FLAGS, ...CALL_FLAGS }, hasFirst ? rest.slice(1) : rest);
    if (given['help'] === true) {
      output.write(HELP);
      return 0;
    }
    const { method, path, body } = command.call(hasFirst ? first : '', given);
    const server = findServer(given);
    if (!('api' in server)) {
      server.lock.release();
      throw new ToolError(`no server runs on ${server.folder}`);
    }
    try {
      const answer = await server.api.json<object>(method, `${PATH}${path}`, body);
      output.write(`${JSON.stringify(answer, undefined, 2)}\n`);
      return 0;
    } finally {
      server.api.close();
    }
  });
}
