/**
 * `npm run bench`: drives the built server over HTTP from a process of its own, prints a table
 * and appends a line to `.benchmarks/e2e.jsonl`.
 *
 *     npm run bench -- --only create,get --seconds 10 -- --durability relaxed
 *
 * Flags after a second `--` go to the server.
 */
import { parseArgs } from 'node:util';
import { appendResults, resultsFile, table } from './report.ts';
import type { ResultRow } from './report.ts';
import type { BenchOptions } from './bench.ts';
import { SCENARIOS } from './scenarios.ts';

const HELP = `Usage: npm run bench -- [options] [-- server flags]

  --only NAMES              scenarios, separated by commas: ${Object.keys(SCENARIOS).join(', ')}
  --seconds N               measured time per scenario (5)
  --warm-up N               seconds before that (2)
  --objects N               objects of start-full (100000)
  --watches N               watches that get every event (1000)
  --watch-writes N          writes per second where they are paced (200)
  --watch-processes N       load processes that share the watches (1)
  --idle-watches N          watches that get none (10000)
  --rounds N                where two conditions are compared in turn (3)
  --round-seconds N         measured time of each (1.5)
  --seed N                  (1)
  --small                   tiny sizes: checks that everything works
  --server-cpu-profile DIR  writes a CPU profile of each server there
  --output FILE             instead of .benchmarks/e2e.jsonl
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '2' },
    objects: { type: 'string', default: '100000' },
    watches: { type: 'string', default: '1000' },
    'watch-writes': { type: 'string', default: '200' },
    'watch-processes': { type: 'string', default: '1' },
    'idle-watches': { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    'round-seconds': { type: 'string', default: '1.5' },
    seed: { type: 'string', default: '1' },
    small: { type: 'boolean', default: false },
    'server-cpu-profile': { type: 'string', default: '' },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const FULL: BenchOptions = {
  seconds: Number(values.seconds),
  warmUpSeconds: Number(values['warm-up']),
  seed: Number(values.seed),
  objectBytes: 1_024,
  listObjects: 10_000,
  lists: 30,
  manyObjects: Number(values.objects),
  starts: 3,
  watches: Number(values.watches),
  watchWritesPerSecond: Number(values['watch-writes']),
  watchProcesses: Number(values['watch-processes']),
  idleWatches: Number(values['idle-watches']),
  rounds: Number(values.rounds),
  roundSeconds: Number(values['round-seconds']),
  stallBytes: 4 * 1024 * 1024,
  longListObjects: 10_000,
  longListObjectBytes: 10 * 1024,
  longLists: 20,
  slowBytesPerSecond: 20_000_000,
  pageLimit: 500,
  historyObjects: 1_000,
  historyMs: 2_000,
  connections: [1, 64, 256],
  serverArgs: positionals,
  serverCpuProfile: values['server-cpu-profile'],
};

const SMALL: BenchOptions = {
  ...FULL,
  seconds: 0.06,
  warmUpSeconds: 0.03,
  listObjects: 50,
  lists: 3,
  manyObjects: 100,
  starts: 1,
  watches: 10,
  watchWritesPerSecond: 50,
  watchProcesses: 2,
  idleWatches: 20,
  rounds: 1,
  roundSeconds: 0.06,
  longListObjects: 300,
  longLists: 2,
  pageLimit: 20,
  historyObjects: 20,
  historyMs: 200,
  connections: [2],
};

function chosenScenarios(): (keyof typeof SCENARIOS)[] {
  const all = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[];
  if (values.only === undefined) return all;
  return values.only.split(',').map((name) => {
    const found = all.find((scenario) => scenario === name);
    if (found === undefined) throw new Error(`no scenario ${name}; there are ${all.join(', ')}`);
    return found;
  });
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const options = values.small ? SMALL : FULL;
  const rows: ResultRow[] = [];
  for (const name of chosenScenarios()) {
    process.stderr.write(`${name} …\n`);
    const group = await SCENARIOS[name](options);
    // A table each: scenarios measure different things.
    process.stdout.write(`${table(group)}\n\n`);
    rows.push(...group);
  }
  appendResults(values.output ?? resultsFile('e2e.jsonl'), options, rows);
}

await main();
