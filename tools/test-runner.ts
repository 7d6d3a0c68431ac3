import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser, type Result } from 'tap-parser';
import { stringify } from 'yaml';

/** Test points: the assertions, without the points that sum up a subtest. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface TestRunOptions {
  /** Files and folders; a folder stands for the test files in and below it. */
  readonly paths: readonly string[];
  readonly jobs?: number;
  readonly timeoutMs?: number;
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Report extends TestCounts {
  readonly name: string;
  readonly failures: string[];
}

const STRIP_CACHE = new URL('strip-cache.mjs', import.meta.url).href;
const RUN_TEST_FILES = fileURLToPath(new URL('run-test-files.ts', import.meta.url));
/** A file that stops the time of its process, chooses its release, or runs its tests at once. */
const CHANGES_PROCESS = /^(mock\.timers\.enable|chooseRelease\(|t\.jobs = )/m;
/** It chooses the newest release for its process. */
const NEWEST_RELEASE = /^import '.*\/newest-release\.ts';/m;
/** It imports one of these to use the same server as others of its process. */
const SHARED_SERVER = /from '.*\/(shared-(?:public-)?server|run-transcripts)\.ts';/;
const FILES_PER_PROCESS_MAX = 12;
/** Long enough for a machine that does other things besides. */
const TIMEOUT_MS = 300_000;
const KILL_DELAY_MS = 2_000;

const children = new Set<ChildProcess>();

/**
 * Runs test files in Node processes, some files of a kind to a process (`shareProcesses`), some
 * processes at a time. Prints a line for each and what failed in it, and gives the counts of them
 * all. A file that fails in another way than by its assertions, or makes none, counts as one
 * failure.
 *
 * The tests use tap, this takes the place of its runner: that one needs a rebuild of tap for Node's
 * own type stripping, and its import hooks take 0.25 s of each process.
 */
export async function runTests(options: TestRunOptions): Promise<TestCounts> {
  const files = await findTestFiles(options.paths);
  const totals: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) {
    console.log(`no test files in ${options.paths.join(' ')}`);
    return { ...totals, failed: 1 };
  }
  const waiting = (await shareProcesses(files)).values();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const child of children) child.kill('SIGTERM');
      process.kill(process.pid, signal);
    });
  }
  const { timeoutMs = TIMEOUT_MS, env = {} } = options;
  const work = async () => {
    for (const together of waiting) {
      for await (const report of runTestFiles(together, { timeoutMs, env })) {
        totals.passed += report.passed;
        totals.failed += report.failed;
        totals.skipped += report.skipped;
      }
    }
  };
  // One more than there are cores: some of them wait for times to pass.
  const jobs = options.jobs ?? availableParallelism() + 1;
  await Promise.all(Array.from({ length: jobs }, work));
  return totals;
}

/** The line that ends every run: `12 passed, 0 failed`, and `, 1 skipped` if there are any. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}

async function findTestFiles(paths: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const path of paths) {
    const entry = await stat(path).catch(() => undefined);
    if (entry === undefined) continue;
    if (entry.isDirectory()) {
      for await (const file of glob('**/*.test.ts', { cwd: path })) files.add(join(path, file));
    } else {
      files.add(join(path));
    }
  }
  // Backwards: those of tools take longest, and wait for most of it while others work.
  return [...files].sort().reverse();
}

/** Which files share a process: those of a kind of one folder, up to a number of them. */
async function shareProcesses(files: readonly string[]): Promise<string[][]> {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    if (CHANGES_PROCESS.test(text)) {
      groups.push([file]);
      continue;
    }
    const [, server] = SHARED_SERVER.exec(text) ?? [];
    const kind = [folderOf(file), NEWEST_RELEASE.test(text), server].join(' ');
    const group = open.get(kind);
    if (group !== undefined && group.length < FILES_PER_PROCESS_MAX) {
      group.push(file);
      continue;
    }
    const own = [file];
    groups.push(own);
    open.set(kind, own);
  }
  return groups;
}

/** `test/codec` of whatever is below it. */
function folderOf(file = ''): string {
  return dirname(file).split('/').slice(0, 2).join('/');
}

/**
 * Runs files in one process. Where something fails, each runs again in a process of its own, so
 * that what is reported is that file's alone; what fails only beside others is reported too.
 */
async function* runTestFiles(
  files: readonly string[],
  options: ProcessOptions,
): AsyncGenerator<Report> {
  const [first = ''] = files;
  const isShared = files.length > 1;
  const started = performance.now();
  const name = isShared ? `${folderOf(first)} (${files.length} files)` : first;
  const together = await runInProcess(name, isShared ? RUN_TEST_FILES : first, {
    ...options,
    limitMs: options.timeoutMs * files.length,
    env: { ...options.env, ...(isShared && { SHARDPLANE_TEST_FILES: JSON.stringify(files) }) },
  });
  if (isShared && together.failed > 0) {
    let failedAlone = 0;
    for (const file of files) {
      for await (const report of runTestFiles([file], options)) {
        failedAlone += report.failed;
        yield report;
      }
    }
    if (failedAlone > 0) return;
  }
  print(together, performance.now() - started);
  yield together;
}

interface ProcessOptions {
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string>>;
}

async function runInProcess(
  name: string,
  script: string,
  { timeoutMs, limitMs, env }: ProcessOptions & { readonly limitMs: number },
): Promise<Report> {
  const report: Report = { name, passed: 0, failed: 0, skipped: 0, failures: [] };
  const child = spawn(process.execPath, ['--import', STRIP_CACHE, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // How long a file may take: where several hang, this process ends them.
    env: { ...process.env, TAP_TIMEOUT: String(timeoutMs / 1000), ...env },
  });
  children.add(child);
  const parser = new Parser();
  countPoints(parser, report);
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdout.pipe(parser);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), KILL_DELAY_MS).unref();
  }, limitMs);
  const [[code, signal], [results]] = await Promise.all([
    once(child, 'close') as Promise<[number | null, string | null]>,
    once(parser, 'complete') as Promise<[{ ok: boolean; bailout: boolean | string }]>,
  ]);
  clearTimeout(timer);
  children.delete(child);
  const failsSilently = report.failed === 0 && (code !== 0 || !results.ok);
  if (isLate) {
    addFailure(report, `took longer than ${limitMs / 1000} s`);
  } else if (failsSilently) {
    addFailure(report, `ended with ${signal ?? `exit code ${code}`} beside its assertions`);
  } else if (report.passed + report.failed + report.skipped === 0) {
    addFailure(report, 'made no assertion');
  }
  if (report.failed > 0 && errors.length > 0)
    report.failures.push(Buffer.concat(errors).toString());
  return report;
}

function addFailure(report: Report, reason: string): void {
  report.failed += 1;
  report.failures.push(`${report.name} ${reason}`);
}

/** The parser's `result` leaves out the points that only repeat what their subtest has shown. */
function countPoints(parser: Parser, report: Report): void {
  parser.on('result', (point: Result) => {
    if (point.skip !== false || point.todo !== false) {
      report.skipped += 1;
    } else if (point.ok) {
      report.passed += 1;
    } else {
      report.failed += 1;
      report.failures.push(describePoint(point));
    }
  });
  parser.on('bailout', (reason: string) => addFailure(report, `bailed out: ${reason}`));
}

function describePoint(point: Result): string {
  const name = point.fullname;
  return point.diag === null ? name : `${name}\n${stringify(point.diag)}`;
}

function print(report: Report, elapsedMs: number): void {
  const result = report.failed === 0 ? 'ok  ' : 'FAIL';
  console.log(`${result} ${report.name}: ${formatCounts(report)} (${Math.round(elapsedMs)} ms)`);
  for (const failure of report.failures) {
    console.log(failure.trimEnd().replaceAll(/^/gm, '     '));
  }
}
