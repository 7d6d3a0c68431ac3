/**
 * The check of several servers on one etcd: `npm run check:servers -- --rounds 20 --seed 1`.
 * Clients hop between three servers on three members of etcd, while servers and members are killed,
 * stopped, asked to leave and cut off from each other, and clocks jump. Ends with exit code 1 where
 * something that was acknowledged is lost, a watch misses an event or sees one twice, there is more
 * of something than there may be, or a server does not come back.
 */
import { parseArgs } from 'node:util';
import { PreloadError } from '../../../tools/compile-preload.ts';
import { findEtcd, NO_ETCD } from '../../support/etcd/find-etcd.ts';
import { Random } from '../../support/random.ts';
import { Cluster } from './cluster.ts';
import { FAULTS } from './faults.ts';
import { Run } from './run.ts';

const VIOLATIONS_SHOWN = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    rounds: { type: 'string', default: '12' },
    faults: { type: 'string', default: FAULTS.join(',') },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run check:servers -- [--rounds 12] [--seed N] [--faults A,B,…]');
  console.log(`faults: ${FAULTS.join(', ')}`);
  process.exit(0);
}
const unknown = values.faults.split(',').filter((fault) => !FAULTS.includes(fault));
const program = findEtcd();
if (program === undefined || unknown.length > 0) {
  console.error(program === undefined ? NO_ETCD : `there are no faults ${unknown.join(', ')}`);
  process.exit(1);
}
console.log(`seed ${values.seed}`);
const cluster = await Cluster.start(program).catch((error: unknown) => {
  if (!(error instanceof PreloadError)) throw error;
  console.error(error.message);
  process.exit(1);
});
const run = new Run(cluster, new Random(Number(values.seed)), (line) => console.log(line));
await run.begin();
for (let round = 1; round <= Number(values.rounds); round++) {
  await run.round(values.faults.split(','), round);
}
await run.end();
await cluster.close();
const { tally } = run;
const failures = [...tally.failures].map(([code, count]) => `${code}: ${count}`).join(', ');
console.log(
  `${values.rounds} rounds, ${tally.acknowledged} writes acknowledged, ${run.events} events over ` +
    `${run.breaks} breaks; not acknowledged: ${failures || 'none'}; ` +
    `${tally.violations.length} violations`,
);
for (const violation of tally.violations.slice(0, VIOLATIONS_SHOWN)) console.log(violation);
process.exit(tally.violations.length === 0 ? 0 : 1);
