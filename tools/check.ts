/**
 * Runs all that must hold of the code: types, lint, format, dead code, and beside these the tests.
 * Every step runs, even after one that failed; a failed step counts as one failure in the last
 * line.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatCounts, runTests } from './test-runner.ts';

interface Step {
  readonly name: string;
  readonly package: string;
  readonly args: readonly string[];
}

const STEPS: readonly Step[] = [
  { name: 'tsc', package: 'typescript', args: ['--project', 'tsconfig.json'] },
  // What runs in browsers has their types, and not those of Node.
  { name: 'tsc', package: 'typescript', args: ['--project', 'src/page/tsconfig.json'] },
  { name: 'oxlint', package: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'knip', package: 'knip', args: [] },
  // Last: it takes longest, on one core. What has not changed since it was right is not read.
  {
    name: 'prettier',
    package: 'prettier',
    args: [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      '--cache-location=.build/formatted.json',
      '.',
    ],
  },
];
/** More than all that a step would say of a tree in which everything is wrong. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const root = resolve(import.meta.dirname, '..');
process.chdir(root);

const [failedSteps, counts] = await Promise.all([runSteps(), runTests({ paths: ['test'] })]);
const failed = [...failedSteps, ...(counts.failed > 0 ? ['tests'] : [])];
if (failed.length > 0) console.log(`check failed: ${failed.join(', ')}`);
counts.failed += failedSteps.length;
counts.passed += STEPS.length - failedSteps.length;
console.log(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;

/** One after the other; gives the names of those that failed. */
async function runSteps(): Promise<string[]> {
  const failed: string[] = [];
  for (const step of STEPS) if (!(await passes(step))) failed.push(step.name);
  return failed;
}

/** What it says is shown in one piece, between what the tests say. */
async function passes({ name, package: packageName, args }: Step): Promise<boolean> {
  const started = performance.now();
  const program = [executableOf(packageName, name), ...args];
  return new Promise((resolve) => {
    const options = { maxBuffer: OUTPUT_BYTES_MAX };
    execFile(process.execPath, program, options, (error, stdout, stderr) => {
      const elapsed = `${Math.round(performance.now() - started)} ms`;
      console.log(`${error === null ? 'ok  ' : 'FAIL'} ${name} (${elapsed})`);
      process.stdout.write(stdout + stderr);
      resolve(error === null);
    });
  });
}

function executableOf(packageName: string, name: string): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : bin[name];
  if (file === undefined) throw new Error(`${packageName} has no executable ${name}`);
  return join(folder, file);
}
