/**
 * Runs the tests: `npm test`, `npm test -- test/codec`, `npm test -- --jobs 1 test/tidy.test.ts`.
 * With `--api-domain k8s.io` those that talk to a server, in its names (test/support/README.md).
 * Its last line on stdout is `N passed, N failed`.
 */
import { parseArgs } from 'node:util';
import { formatCounts, runTests } from './test-runner.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string' },
    'timeout-seconds': { type: 'string' },
    'api-domain': { type: 'string' },
  },
});
const apiDomain = values['api-domain'];
if (apiDomain !== undefined && apiDomain !== 'cluster.io' && apiDomain !== 'k8s.io') {
  throw new Error(`--api-domain is cluster.io or k8s.io, not ${apiDomain}`);
}
/** All tests, or in other names those that start servers. */
const all = apiDomain === 'k8s.io' ? ['test/flow', 'test/model/history.test.ts'] : ['test'];
const counts = await runTests({
  paths: positionals.length === 0 ? all : positionals,
  ...(values.jobs && { jobs: Number(values.jobs) }),
  ...(values['timeout-seconds'] && { timeoutMs: Number(values['timeout-seconds']) * 1000 }),
  ...(apiDomain && { env: { SHARDPLANE_TEST_API_DOMAIN: apiDomain } }),
});
console.log(formatCounts(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;
