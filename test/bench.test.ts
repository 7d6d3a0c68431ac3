/** Every benchmark runs in a tiny size, so that none rots. */
import { join } from 'node:path';
import t from 'tap';
import { readReport } from '../tools/report/report.ts';
import { checkBenchmark } from './support/run-benchmark.ts';

for (const [name, results, args] of [
  ['main.ts', 91, []],
  ['forms.ts', 14, []],
  ['hop.ts', 3, []],
  ['authorization.ts', 5, []],
  ['custom-objects.ts', 10, []],
  ['etcd.ts', 9, []],
  ['kind-rules.ts', 18, []],
  ['servers.ts', 10, []],
  ['field-owners.ts', 15, []],
  ['write-path.ts', 3, []],
] as const) {
  t.test(`bench/${name} runs, prints a table and appends a line`, async (t) => {
    await checkBenchmark(t, name, results, args);
  });
}

t.test('servers of the other dialect are asked in theirs; results are reported', async (t) => {
  const page = join(t.testdir(), 'results.html');
  const report = ['--only', 'get-forms', '--report', page];
  await checkBenchmark(t, 'main.ts', 7, [...report, '--', '--api-domain', 'cluster.io']);
  const { figures } = readReport(page);
  t.ok(figures.length >= 7);
  t.ok(figures.every(({ name, value }) => name !== '' && Number.isFinite(value)));
});

t.end();
