/** One comparison: starts the server of this release, compares, tells what differs. */
import { writeFileSync } from 'node:fs';
import { pluginsOf } from '../../src/admission/plugins.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { launchServer, type ServerProcess } from '../../test/support/server-process.ts';
import { OptionsError } from '../flags.ts';
import { ApiClient } from './api-client.ts';
import { Comparison } from './comparison.ts';
import { groupsText, type Findings } from './findings.ts';
import type { CompareOptions } from './options.ts';

/** Only what the requests themselves change; a reference has its controllers in another process. */
const OWN_SERVER_ARGS = [
  '--api-domain',
  'k8s.io',
  '--durability',
  'relaxed',
  '--controllers=-namespace,-garbage-collector,-event-expiry',
];

/** They do what objects say that only an exclusive run makes. */
const OF_EXCLUSIVE_KINDS = new Set([
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicy',
]);
/** Both servers have it. */
const KEPT_PLUGIN = 'NamespaceLifecycle';

/** Compares; returns the exit code. */
export async function runComparison(options: CompareOptions): Promise<number> {
  if (options.report !== '') writeReport(options.report, '');
  const own =
    options.ownServer === '' ? await launchServer({ args: ownServerArgs(options) }) : undefined;
  try {
    return await compare(options, own);
  } finally {
    await own?.dispose();
  }
}

function ownServerArgs(options: CompareOptions): readonly string[] {
  const { release } = options;
  const isDefault = release.minor === DEFAULT_RELEASE.minor;
  return [
    ...OWN_SERVER_ARGS,
    ...(isDefault ? [] : [`--release=${release.name}`, '--runtime-config=api/all=true']),
    `--disable-admission-plugins=${disabledPlugins(options).join(',')}`,
  ];
}

/** Those that are on by themselves: the other server has none of them either. */
function disabledPlugins({ release, exclusive }: CompareOptions): readonly string[] {
  return pluginsOf(release)
    .filter(([name, { isOnByDefault }]) => isOnByDefault && name !== KEPT_PLUGIN)
    .map(([name]) => name)
    .filter((name) => exclusive || !OF_EXCLUSIVE_KINDS.has(name));
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
