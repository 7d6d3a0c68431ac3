/**
 * `npm run check:reference`: sends the same requests to this server and to another one of the API,
 * and tells what differs. `comparison.ts` is a run, `differences.ts` says what a difference is.
 */
import { writeFileSync } from 'node:fs';
import { launchServer, RULES, type ServerProcess } from '../../test/support/server-process.ts';
import { ApiClient } from './api-client.ts';
import { Comparison } from './comparison.ts';
import { groupsText, type Findings } from './findings.ts';
import { ServerGone } from './lane.ts';
import { OptionsError } from '../flags.ts';
import { helpText, readOptions, type CompareOptions } from './options.ts';

const EXIT_OF_USAGE = 2;
/** Only what the requests themselves change; a reference has its controllers in another process. */
const OWN_SERVER_ARGS = [
  '--api-domain',
  'k8s.io',
  '--durability',
  'relaxed',
  '--controllers=-namespace,-garbage-collector,-event-expiry',
];

/** The other server has none where it is there for the run alone. */
const WITHOUT_WEBHOOKS = [
  '--disable-admission-plugins',
  [...RULES, 'MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'].join(','),
];

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(helpText());
    return 0;
  }
  if (options.report !== '') writeReport(options.report, '');
  const args = [...OWN_SERVER_ARGS, ...(options.exclusive ? WITHOUT_WEBHOOKS : [])];
  const own = options.ownServer === '' ? await launchServer({ args }) : undefined;
  try {
    return await compare(options, own);
  } finally {
    await own?.dispose();
  }
}

async function compare(options: CompareOptions, own: ServerProcess | undefined): Promise<number> {
  const ours =
    own === undefined
      ? new ApiClient(options.ownServer, options.ownToken)
      : new ApiClient(`http://127.0.0.1:${own.port}`, own.token);
  const theirs = new ApiClient(options.server, options.token);
  // Two runs against one server must not meet; what is random does not depend on it.
  const run = (process.pid % 46_656).toString(36);
  const comparison = new Comparison(options, { ours, theirs }, run);
  const interrupt = (): void => comparison.interrupt();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  try {
    await comparison.run((line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    if (comparison.findings.compared > 0) tell(comparison.findings, options);
    throw error;
  } finally {
    ours.close();
    theirs.close();
  }
  return tell(comparison.findings, options);
}

function tell(findings: Findings, { report, all, seed }: CompareOptions): number {
  const { compared, differing, groups, unexplained } = findings;
  if (report !== '') {
    const text = JSON.stringify({ seed, compared, differing, groups }, undefined, 1);
    writeReport(report, `${text}\n`);
  }
  const shown = groupsText(all ? groups : unexplained);
  if (shown !== '') process.stdout.write(`\n${shown}\n\n`);
  const alike = ((100 * (compared - differing)) / Math.max(1, compared)).toFixed(1);
  process.stdout.write(
    `${compared} answers compared, ${alike}% alike; ${groups.length} groups of differences, ` +
      `${unexplained.length} of them not accepted\n`,
  );
  return unexplained.length === 0 ? 0 : 1;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new OptionsError(`cannot write the report: ${(error as Error).message}`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionsError) && !(error instanceof ServerGone)) throw error;
  process.stderr.write(`check:reference: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
