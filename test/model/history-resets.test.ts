/**
 * A short run of the history checker in which all types go back to snapshots, again and again,
 * while the server is killed and started again: `npm run check:history -- --resets` is the long one.
 */
import t from 'tap';
import { seedFrom } from '../support/random.ts';
import { explain } from './check-history.ts';
import { runHistory, save, summary } from './history-run.ts';

const VIOLATIONS_SHOWN = 5;

t.test('what clients see through resets and crashes is one history', async (t) => {
  const seed = seedFrom('HISTORY_SEED');
  t.comment(`HISTORY_SEED=${seed}`);
  // Snapshots hold what is so old that nothing else keeps it.
  const how = { rounds: 2, roundMs: 1_500, historySeconds: 2, resets: true };
  const result = await runHistory({ seed, ...how });
  t.comment(summary(result));
  const { violations, records } = result;
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN)) t.fail(explain(violation));
  if (violations.length > 0) t.comment(`recorded in ${save(records)}`);
  t.equal(violations.length, 0, 'no rule is broken');
  const restores = records.filter((one) => one.record === 'restore');
  t.ok(
    restores.some(({ outcome }) => outcome === 'acknowledged'),
    'and something was restored',
  );
});

t.end();
