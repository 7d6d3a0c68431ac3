import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { glob, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
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
}

interface FileReport extends TestCounts {
  readonly file: string;
  readonly failures: string[];
}

const STRIP_CACHE = new URL('strip-cache.mjs', import.meta.url).href;
const TIMEOUT_MS = 120_000;
const KILL_DELAY_MS = 2_000;

const children = new Set<ChildProcess>();

/**
 * Runs each test file as a Node process of its own, some at a time, prints a line for each and what
 * failed in it, and gives the counts of them all. A file that fails in another way than by its
 * assertions, or makes none, counts as one failure.
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
  const waiting = files.values();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const child of children) child.kill('SIGTERM');
      process.kill(process.pid, signal);
    });
  }
  const work = async () => {
    for (const file of waiting) {
      const started = performance.now();
      const report = await runTestFile(file, options.timeoutMs ?? TIMEOUT_MS);
      print(report, performance.now() - started);
      totals.passed += report.passed;
      totals.failed += report.failed;
      totals.skipped += report.skipped;
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
  return [...files].sort();
}

async function runTestFile(file: string, timeoutMs: number): Promise<FileReport> {
  const report: FileReport = { file, passed: 0, failed: 0, skipped: 0, failures: [] };
  const args = ['--import', STRIP_CACHE, file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  }, timeoutMs);
  const [[code, signal], [results]] = await Promise.all([
    once(child, 'close') as Promise<[number | null, string | null]>,
    once(parser, 'complete') as Promise<[{ ok: boolean; bailout: boolean | string }]>,
  ]);
  clearTimeout(timer);
  children.delete(child);
  const failsSilently = report.failed === 0 && (code !== 0 || !results.ok);
  if (isLate) {
    addFailure(report, `took longer than ${timeoutMs / 1000} s`);
  } else if (failsSilently) {
    addFailure(report, `ended with ${signal ?? `exit code ${code}`} beside its assertions`);
  } else if (report.passed + report.failed + report.skipped === 0) {
    addFailure(report, 'made no assertion');
  }
  if (report.failed > 0 && errors.length > 0)
    report.failures.push(Buffer.concat(errors).toString());
  return report;
}

function addFailure(report: FileReport, reason: string): void {
  report.failed += 1;
  report.failures.push(`${report.file} ${reason}`);
}

/** The parser's `result` leaves out the points that only repeat what their subtest has shown. */
function countPoints(parser: Parser, report: FileReport): void {
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

function print(report: FileReport, elapsedMs: number): void {
  const result = report.failed === 0 ? 'ok  ' : 'FAIL';
  console.log(`${result} ${report.file}: ${formatCounts(report)} (${Math.round(elapsedMs)} ms)`);
  for (const failure of report.failures) {
    console.log(failure.trimEnd().replaceAll(/^/gm, '     '));
  }
}
