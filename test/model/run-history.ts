/**
 * The long run of the history checker:
 * `npm run check:history -- --seconds 600 --rounds 6 --seed 1`. Runs one history after the
 * other, each with a new server and the next seed; ends with exit code 1 at the first violation.
 */
import { parseArgs } from 'node:util';
import { explain } from './check-history.ts';
import { runHistory, save, summary } from './history-run.ts';

const VIOLATIONS_SHOWN = 5;
/** Some runs keep old versions so shortly that clients find them gone. */
const HISTORY_SECONDS = [300, 2, 300, 3];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
    'round-ms': { type: 'string', default: '3000' },
    fronts: { type: 'string', default: '1' },
    resets: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run check:history -- [--seconds 60] [--seed N] [--rounds 5] [--round-ms 3000] [--fronts 1] [--resets]',
  );
  process.exit(0);
}
process.env['SHARDPLANE_FRONTS'] = values.fronts;
const first = Number(values.seed);
const { resets } = values;
const plan = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']), resets };
const deadline = performance.now() + Number(values.seconds) * 1_000;
console.log(`first seed ${first}`);
let histories = 0;
for (let seed = first; histories === 0 || performance.now() < deadline; seed++) {
  const historySeconds = HISTORY_SECONDS[seed % HISTORY_SECONDS.length] ?? 300;
  const result = await runHistory({ seed, historySeconds, ...plan });
  histories++;
  console.log(`seed ${seed}, history ${historySeconds}s: ${summary(result)}`);
  const { violations } = result;
  if (violations.length === 0) continue;
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN)) console.log(explain(violation));
  console.log(`${violations.length} violations; recorded in ${save(result.records)}`);
  const options = `--seed ${seed} --seconds 1 --rounds ${plan.rounds} --round-ms ${plan.roundMs} --fronts ${values.fronts}${resets ? ' --resets' : ''}`;
  console.log(`again: npm run check:history -- ${options}`);
  process.exitCode = 1;
  break;
}
console.log(`${histories} histories, ${process.exitCode === 1 ? 'broken' : 'all as they must be'}`);
