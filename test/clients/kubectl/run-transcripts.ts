/**
 * Runs kubectl as it is against a server, over HTTPS, with the `admin.kubeconfig` that the server
 * wrote. Test files of one process share the server and what kubectl keeps of it, so each
 * transcript has a namespace of its own. Needs kubectl on the PATH: without it the tests are left
 * out, or fail where SHARDPLANE_REQUIRE_KUBECTL is set.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { startServer } from '../../support/server.ts';
import type { Server } from '../../support/server.ts';
import { freePort, temporaryFolder } from '../../support/server-process.ts';
import type { ServerProcessOptions } from '../../support/server-process.ts';
import { BackgroundCommand, runCommand } from './commands.ts';
import type { Surroundings } from './commands.ts';
import { isOlder, linesMatch, parseTranscript } from './transcript.ts';
import type { Release, Step } from './transcript.ts';

/** By the namespace that each runs in; `default` uses the kubeconfig as the server wrote it. */
export type Transcripts = Readonly<Record<string, string>>;

export interface TranscriptOptions {
  /** Present in the folder that the commands run in, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** They show objects outside of namespaces, or need other options: a server of their own. */
  readonly ownServer?: ServerProcessOptions;
}

/** The result of a step and the expected one, as texts to compare. */
interface Outcome {
  readonly step: Step;
  readonly result: 'as expected' | 'too old' | { readonly seen: string; readonly expected: string };
}

/** kubectl takes 0.1 to 0.3 s of processor time for a command, and mostly waits in none of it. */
const TRANSCRIPTS_AT_ONCE = 4;
const OLDEST: Release = { major: 1, minor: 23 };

/**
 * Runs the transcripts, some at a time, and makes a test of each and an assertion of each command.
 */
export async function runTranscripts(
  t: Test,
  transcripts: Transcripts,
  options: TranscriptOptions = {},
): Promise<void> {
  const release = installedRelease();
  if (typeof release === 'string') {
    const isRequired = process.env['SHARDPLANE_REQUIRE_KUBECTL'] !== undefined;
    if (isRequired) t.fail(release);
    else t.pass('kubectl', { skip: release });
    return;
  }
  const { ownServer } = options;
  const { server, home } = await (ownServer ? start(ownServer) : (shared ??= start({})));
  const waiting = Object.entries(transcripts).values();
  const outcomes = new Map<string, Outcome[]>();
  const work = async (): Promise<void> => {
    for (const [namespace, text] of waiting) {
      const surroundings = await prepare(server, home, namespace, options.files ?? {});
      outcomes.set(namespace, await runSteps(parseTranscript(text), surroundings, release));
    }
  };
  await Promise.all(Array.from({ length: TRANSCRIPTS_AT_ONCE }, work));
  for (const namespace of Object.keys(transcripts)) {
    await t.test(namespace, async (t) => {
      for (const outcome of outcomes.get(namespace) ?? []) report(t, outcome);
    });
  }
}

interface Shared {
  readonly server: Server;
  /** Where kubectl keeps what it has found out of the server. */
  readonly home: string;
}

let shared: Promise<Shared> | undefined;

async function start({ args = [], ...others }: ServerProcessOptions): Promise<Shared> {
  const securePort = await freePort();
  // Without those that would write to objects between a command and the next.
  const controllers = ['--controllers', 'namespace,garbage-collector,clusterrole-aggregation'];
  const secure = ['--secure-port', String(securePort)];
  const all = [...controllers, ...secure, '--api-domain', 'k8s.io', ...args];
  const server = await startServer({ ...others, args: all });
  server.process.unref();
  return { server, home: temporaryFolder() };
}

/** The release of the kubectl on the PATH, or why it does not serve. */
function installedRelease(): Release | string {
  const { error, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'no kubectl on the PATH';
  const [, major, minor] = /"gitVersion": "v(\d+)\.(\d+)\./.exec(stdout) ?? [];
  if (minor === undefined) return 'the kubectl on the PATH does not say its version';
  const release = { major: Number(major), minor: Number(minor) };
  return isOlder(release, OLDEST) ? `kubectl ${major}.${minor} is older than 1.23` : release;
}

async function prepare(
  server: Server,
  home: string,
  namespace: string,
  files: Readonly<Record<string, string>>,
): Promise<Surroundings> {
  const folder = join(home, namespace);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  let kubeconfig = join(server.dataDirectory, 'admin.kubeconfig');
  if (namespace !== 'default') {
    const { status, text } = await server.post('/api/v1/namespaces', {
      metadata: { name: namespace },
    });
    if (status !== 201) throw new Error(`the namespace ${namespace} could not be made: ${text}`);
    const context = readFileSync(kubeconfig, 'utf8').replace(
      / +user: admin$/m,
      (line) => `${line}\n${line.replace('user: admin', `namespace: ${namespace}`)}`,
    );
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, context);
  }
  // They end before there is anything to collect.
  const go = { GOGC: 'off' };
  const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig, TMPDIR: '.', ...go };
  return { folder, env };
}

/** Runs the commands one after the other. One command in the background at a time. */
async function runSteps(
  steps: readonly Step[],
  surroundings: Surroundings,
  release: Release,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let background: BackgroundCommand | undefined;
  try {
    for (const step of steps) {
      const isTooOld = step.since !== undefined && isOlder(release, step.since);
      if (step.background) {
        await background?.end();
        background = isTooOld ? undefined : new BackgroundCommand(step.command, surroundings);
      }
      if (isTooOld) {
        outcomes.push({ step, result: 'too old' });
        continue;
      }
      const outcome =
        step.background && background !== undefined
          ? await backgroundOutcome(step, step.stdout, background)
          : await runStep(step, surroundings);
      outcomes.push(outcome);
      if (step.later.length > 0 && background !== undefined) {
        outcomes.push(await backgroundOutcome(step, step.later, background));
      }
    }
  } finally {
    await background?.end();
  }
  return outcomes;
}

async function runStep(step: Step, surroundings: Surroundings): Promise<Outcome> {
  const { stdout, stderr, exitCode } = await runCommand(step.command, surroundings);
  const isExpected =
    exitCode === step.exitCode &&
    linesMatch(step.stdout, stdout) &&
    linesMatch(step.stderr, stderr);
  if (isExpected) return { step, result: 'as expected' };
  const seen = transcriptOf({ stdout, stderr, exitCode });
  return { step, result: { seen, expected: transcriptOf(step) } };
}

async function backgroundOutcome(
  step: Step,
  patterns: readonly string[],
  background: BackgroundCommand,
): Promise<Outcome> {
  const lines = await background.nextLines(patterns);
  if (linesMatch(patterns, lines)) return { step, result: 'as expected' };
  return { step, result: { seen: lines.join('\n'), expected: patterns.join('\n') } };
}

function transcriptOf({ stdout, stderr, exitCode }: Pick<Step, 'stdout' | 'stderr' | 'exitCode'>) {
  const errors = stderr.map((line) => `! ${line}`);
  return [...stdout, ...errors, ...(exitCode === 0 ? [] : [`exit ${exitCode}`])].join('\n');
}

function report(t: Test, { step, result }: Outcome): void {
  const [name = ''] = step.command.split('\n');
  if (result === 'as expected') t.pass(name);
  else if (result === 'too old') t.pass(name, { skip: 'this kubectl is older than the command' });
  else t.equal(result.seen, result.expected, name);
}
