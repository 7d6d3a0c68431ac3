/** Every benchmark runs in a tiny size, so that none rots. */
import t from 'tap';
import { SCENARIOS } from '../bench/scenarios.ts';
import { checkBenchmark } from './support/run-benchmark.ts';

/** Run by `bench-representations.test.ts`: a file may take only so long. */
const RUN_ELSEWHERE = /^dialect$|-forms$/;
const scenarios = Object.keys(SCENARIOS).filter((name) => !RUN_ELSEWHERE.test(name));

for (const [name, results, args] of [
  ['main.ts', 40, ['--only', scenarios.join()]],
  ['forms.ts', 14, []],
  ['hop.ts', 3, []],
  ['authorization.ts', 5, []],
  ['custom-objects.ts', 10, []],
  ['kind-rules.ts', 18, []],
  ['field-owners.ts', 15, []],
  ['write-path.ts', 3, []],
] as const) {
  t.test(`bench/${name} runs, prints a table and appends a line`, async (t) => {
    await checkBenchmark(t, name, results, args);
  });
}

t.end();
