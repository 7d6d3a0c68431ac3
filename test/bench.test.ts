/** Every benchmark runs in a tiny size, so that none rots. */
import t from 'tap';
import { checkBenchmark } from './support/run-benchmark.ts';

for (const [name, results, args] of [
  ['main.ts', 85, []],
  ['forms.ts', 14, []],
  ['hop.ts', 3, []],
  ['authorization.ts', 5, []],
  ['custom-objects.ts', 10, []],
  ['etcd.ts', 9, []],
  ['kind-rules.ts', 18, []],
  ['field-owners.ts', 15, []],
  ['write-path.ts', 3, []],
] as const) {
  t.test(`bench/${name} runs, prints a table and appends a line`, async (t) => {
    await checkBenchmark(t, name, results, args);
  });
}

t.test('servers of the other dialect are asked in theirs', async (t) => {
  const args = ['--only', 'get-forms', '--', '--api-domain', 'cluster.io'];
  await checkBenchmark(t, 'main.ts', 7, args);
});

t.end();
