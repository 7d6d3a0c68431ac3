/**
 * A short run of the history checker: clients of all kinds against the real server, which is
 * killed and started again meanwhile. `npm run check:history` is the long one.
 */
import t from 'tap';
import { seedFrom } from '../support/random.ts';
import { explain } from './check-history.ts';
import { runHistory, save, summary } from './history-run.ts';

const VIOLATIONS_SHOWN = 5;

t.test('what clients see through crashes is one history', async (t) => {
  const seed = seedFrom('HISTORY_SEED');
  t.comment(`HISTORY_SEED=${seed}`);
  // Either long enough for everything to be kept, or so short that clients find versions gone.
  const historySeconds = seed % 2 === 0 ? 300 : 2;
  const result = await runHistory({ seed, rounds: 3, roundMs: 1_500, historySeconds });
  t.comment(summary(result));
  const { violations, records, changes } = result;
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN)) t.fail(explain(violation));
  if (violations.length > 0) t.comment(`recorded in ${save(records)}`);
  t.equal(violations.length, 0, 'no rule is broken');
  t.ok(changes > 50, 'and something was done');
});

t.end();
