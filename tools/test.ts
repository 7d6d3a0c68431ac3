/**
 * Runs the tests: `npm test`, `npm test -- test/codec`, `npm test -- --jobs 1 test/tidy.test.ts`.
 * Its last line on stdout is `N passed, N failed`.
 */
import { parseArgs } from 'node:util';
import { formatCounts, runTests } from './test-runner.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string' }, 'timeout-seconds': { type: 'string' } },
});
const counts = await runTests({
  paths: positionals.length === 0 ? ['test'] : positionals,
  ...(values.jobs && { jobs: Number(values.jobs) }),
  ...(values['timeout-seconds'] && { timeoutMs: Number(values['timeout-seconds']) * 1000 }),
});
console.log(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
