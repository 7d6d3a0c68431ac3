/**
 * The check of several servers on one etcd: `npm run check:servers -- --seconds 120 --seed 1`.
 * Clients hop between three servers on three members of etcd, while servers and members are killed,
 * stopped and asked to leave. Ends with exit code 1 where something that was acknowledged is lost,
 * or a watch misses an event or sees one twice.
 */
import { parseArgs } from 'node:util';
import { findEtcd, NO_ETCD } from '../../support/etcd/find-etcd.ts';
import { Random } from '../../support/random.ts';
import { Cluster, FAULTS, pause, type Fault } from './cluster.ts';
import { Watcher } from './watchers.ts';
import { Counter, type Tally } from './writers.ts';

const COUNTERS = 20;
const WATCHERS = 6;
/** Between two faults. */
const QUIET_MS = 3_000;
/** Until a lease is over, and another server owns. */
const SETTLE_MS = 15_000;
const VIOLATIONS_SHOWN = 10;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '120' },
    faults: { type: 'string', default: FAULTS.join(',') },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run check:servers -- [--seconds 120] [--seed N] [--faults ${FAULTS.join(',')}]`);
  process.exit(0);
}
const program = findEtcd();
if (program === undefined) {
  console.error(NO_ETCD);
  process.exit(1);
}
const faults = values.faults.split(',') as [Fault, ...Fault[]];
const random = new Random(Number(values.seed));
console.log(`seed ${values.seed}`);
const cluster = await Cluster.start(program);
const endMs = performance.now() + Number(values.seconds) * 1_000;
const tally: Tally = { acknowledged: 0, failures: new Map(), violations: [] };
const any = () => cluster.any(random);
const prefix = 'counter-';
const counters = Array.from(
  { length: COUNTERS },
  (_, at) => new Counter(`${prefix}${at}`, any, tally),
);
const watchers = Array.from(
  { length: WATCHERS },
  (_, at) => new Watcher(`watch ${at}`, prefix, any, tally),
);
let isWatched = true;
const watching = watchers.map((watcher) => watcher.run(() => !isWatched));
let suffered = 0;

async function sufferAll(): Promise<void> {
  while (performance.now() < endMs - SETTLE_MS) {
    await pause(QUIET_MS + random.below(QUIET_MS));
    const fault = random.pick(faults);
    console.log(`${fault}: ${tally.acknowledged} writes, ${tally.violations.length} violations`);
    await cluster.suffer(fault, random);
    suffered++;
  }
}

const isOver = () => performance.now() > endMs;
await Promise.all([sufferAll(), ...counters.map((counter) => counter.run(isOver, random))]);
await pause(SETTLE_MS);
for (const counter of counters) {
  for (const server of cluster.servers) await counter.check(server);
  for (const [at, watcher] of watchers.entries()) {
    const seen = watcher.countOf(counter.name) ?? -1;
    if (seen >= counter.acknowledged) continue;
    tally.violations.push(`watch ${at} has ${seen} of ${counter.name}: ${counter.acknowledged}`);
  }
}
isWatched = false;
for (const watcher of watchers) watcher.close();
await Promise.all(watching);
await cluster.close();
const events = watchers.reduce((sum, watcher) => sum + watcher.events, 0);
const breaks = watchers.reduce((sum, watcher) => sum + watcher.breaks, 0);
const failures = [...tally.failures].map(([code, count]) => `${code}: ${count}`).join(', ');
console.log(
  `${suffered} faults, ${tally.acknowledged} writes acknowledged, ${events} events over ${breaks} ` +
    `breaks; not acknowledged: ${failures || 'none'}; ${tally.violations.length} violations`,
);
for (const violation of tally.violations.slice(0, VIOLATIONS_SHOWN)) console.log(violation);
process.exitCode = tally.violations.length === 0 ? 0 : 1;
