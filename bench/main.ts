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
import { writeReport } from '../tools/report/page.ts';
import { benchReport } from './bench-page.ts';
import type { BenchOptions } from './bench.ts';
import { domainIn } from './bench.ts';
import { comparePeer, PEER_SCENARIO_NAMES } from './peer.ts';
import { SCENARIOS } from './scenarios.ts';

const HELP = `Usage: npm run bench -- [options] [-- server flags]

  --only NAMES              scenarios, separated by commas: ${Object.keys(SCENARIOS).join(', ')}
  --seconds N               measured time per scenario (5)
  --warm-up N               seconds before that (2)
  --objects N               objects of start-full, resets and forks (100000)
  --watches N               watches that get every event (1000)
  --watch-writes N          writes per second where they are paced (200)
  --watch-processes N       load processes that share the watches (1)
  --idle-watches N          watches that get none (10000)
  --rounds N                where two conditions are compared in turn (3)
  --round-seconds N         measured time of each (1.5)
  --seed N                  (1)
  --tls                     speaks to the server over TLS, as it does beside a peer that has it
  --small                   tiny sizes: checks that everything works
  --server-cpu-profile DIR  writes a CPU profile of each server there
  --output FILE             instead of .benchmarks/e2e.jsonl
  --report FILE             writes a report: a page where its name ends in .html, else JSON

The server speaks the names of k8s.io, as public clients do; \`-- --api-domain cluster.io\` has it
speak the neutral ones.

  --peer URL                compares with another server of this API, in turns; both over TLS where
                            the URL is https:, and in HTTP/1.1. The peer keeps the namespaces
                            bench-…, whose Pods the next run finds again
  --peer-token TOKEN        a bearer token that may do everything there
  --peer-insecure           takes any certificate of it; otherwise NODE_EXTRA_CA_CERTS names its CA
  --peer-pids PID,PID       its processes on this machine: compares their CPU and memory too
  --peer-watches N          watches of Pods (100)
  --peer-page-objects N     Pods that are listed in pages (50000)
  --only NAMES              of ${PEER_SCENARIO_NAMES.join(', ')}
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
    tls: { type: 'boolean', default: false },
    'server-cpu-profile': { type: 'string', default: '' },
    peer: { type: 'string' },
    'peer-token': { type: 'string', default: '' },
    'peer-insecure': { type: 'boolean', default: false },
    'peer-pids': { type: 'string', default: '' },
    'peer-watches': { type: 'string', default: '100' },
    'peer-page-objects': { type: 'string', default: '50000' },
    definitions: { type: 'string', default: '500' },
    output: { type: 'string' },
    report: { type: 'string', default: '' },
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
  peerPageObjects: Number(values['peer-page-objects']),
  peerWatches: Number(values['peer-watches']),
  historyObjects: 1_000,
  historyMs: 2_000,
  stageRequests: 500_000,
  definitions: Number(values.definitions),
  sharesServers: false,
  connections: [1, 64, 256],
  serverArgs: ['--api-domain', 'k8s.io', ...positionals],
  secure: values.tls,
  serverCpuProfile: values['server-cpu-profile'],
};

const SMALL: BenchOptions = {
  ...FULL,
  seconds: 0.06,
  warmUpSeconds: 0.03,
  requestsMax: 40,
  // As much as is needed to fill sockets is then written by few requests.
  objectBytes: 16 * 1024,
  stallBytes: 1024 * 1024,
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
  longListObjects: 100,
  longLists: 2,
  pageLimit: 20,
  peerPageObjects: 50,
  peerWatches: 4,
  historyObjects: 20,
  historyMs: 200,
  stageRequests: 100,
  definitions: 3,
  sharesServers: true,
  connections: [2],
};

function chosen<Name extends string>(all: readonly Name[]): readonly Name[] {
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
  const dialect = domainIn(options.serverArgs);
  const rows: ResultRow[] = [];
  const onRows = (group: readonly ResultRow[]): void => {
    const shown = group.map((row) => ({ ...row, dialect }));
    // A table each: scenarios measure different things.
    process.stdout.write(`${table(shown)}\n\n`);
    rows.push(...shown);
  };
  const file = values.output ?? resultsFile('e2e.jsonl');
  const { peer: url } = values;
  if (url !== undefined) {
    const pids = values['peer-pids'].split(',').filter(Boolean).map(Number);
    const peer = { url, token: values['peer-token'], insecure: values['peer-insecure'], pids };
    const version = await comparePeer(options, peer, chosen(PEER_SCENARIO_NAMES), onRows);
    appendResults(file, { ...options, peer: version }, rows);
    report(`this server and ${url}`, rows);
    return;
  }
  for (const name of chosen(Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[])) {
    process.stderr.write(`${name} …\n`);
    onRows(await SCENARIOS[name](options));
  }
  appendResults(file, options, rows);
  report('this server', rows);
}

function report(of: string, rows: readonly ResultRow[]): void {
  if (values.report !== '') writeReport(values.report, benchReport(of, rows, new Date()));
}

await main();
