/**
 * Runs all that must hold of the code: types, lint, format, dead code, then the tests. Every step
 * runs, even after one that failed; a failed step counts as one failure in the last line.
 */
import { spawnSync } from 'node:child_process';
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
  { name: 'prettier', package: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { name: 'knip', package: 'knip', args: [] },
];

const root = resolve(import.meta.dirname, '..');
process.chdir(root);

const failedSteps = STEPS.filter((step) => !passes(step)).map(({ name }) => name);
const counts = await runTests({ paths: ['test'] });
if (counts.failed > 0) failedSteps.push('tests');
if (failedSteps.length > 0) console.log(`check failed: ${failedSteps.join(', ')}`);
const failedStatic = failedSteps.filter((name) => name !== 'tests').length;
counts.failed += failedStatic;
counts.passed += STEPS.length - failedStatic;
console.log(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;

function passes({ name, package: packageName, args }: Step): boolean {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [executableOf(packageName, name), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const elapsed = `${Math.round(performance.now() - started)} ms`;
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${elapsed})`);
  return status === 0;
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
