/**
 * Measures servers that share an etcd beside a single one on its disk, in turns: `npm run
 * bench:servers`. The etcd is `$ETCD`, or as tests find one, else the double of it in this process.
 */
import { parseArgs } from 'node:util';
import { connectEtcd } from '../src/etcd/connect.ts';
import { JournalKeys } from '../src/journal/keys.ts';
import { EtcdDouble } from '../test/support/etcd/double/etcd-double.ts';
import { findEtcd } from '../test/support/etcd/find-etcd.ts';
import { ETCD_MESSAGES } from '../test/support/etcd/messages.ts';
import { startRealEtcd } from '../test/support/etcd/real-etcd.ts';
import { launchServer, type ServerProcess } from '../test/support/server-process.ts';
import { BenchTarget, DEFAULT_NAMESPACE } from './bench-target.ts';
import {
  compareInTurn,
  costOf,
  medianOf,
  ratioOf,
  requestCost,
  warmUpOf,
  type Cost,
} from './comparison.ts';
import { eachWrite, etcdFigures } from './etcd-figures.ts';
import { cpuMilliseconds, residentOf } from './process-usage.ts';
import { appendResults, resultsFile, table, type ResultRow } from './report.ts';
import { modelRows, stepCosts } from './servers-model.ts';
import { measureLag, WatchRig } from './watch-rig.ts';

const API_DOMAIN = 'k8s.io';
const CONNECTIONS = 64;
const PREFIX = '/shardplane';
const TAKEN_OVER_MS_MAX = 120_000;
const RETRY_MS = 20;
/** What is reckoned with for servers as they may be. */
const MODEL = { cores: 8, filled: 0.7 };

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    pods: { type: 'string', default: '50000' },
    watches: { type: 'string', default: '200' },
    writes: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    'round-seconds': { type: 'string', default: '5' },
    small: { type: 'boolean', default: false },
    output: { type: 'string', default: resultsFile('servers.jsonl') },
  },
});
const sized = (
  name: 'objects' | 'pods' | 'watches' | 'writes' | 'rounds',
  small: number,
): number => (values.small ? small : Number(values[name]));
const [objects, pods] = [sized('objects', 50), sized('pods', 20)];
const [watches, writesPerSecond] = [sized('watches', 2), sized('writes', 100)];
const rounds = sized('rounds', 1);
const roundSeconds = values.small ? 0.1 : Number(values['round-seconds']);
const options = {
  seconds: roundSeconds,
  warmUpSeconds: roundSeconds,
  roundSeconds,
  seed: 1,
  objectBytes: 1_024,
};

const etcd = await openEtcd();
const leaseSeconds = values.small ? 2 : 5;
const shared = [
  '--store',
  'etcd',
  '--etcd-servers',
  etcd.servers.join(','),
  '--etcd-lease-ttl',
  `${leaseSeconds}s`,
];
const started: ServerProcess[] = [];
const targets: BenchTarget[] = [];
try {
  const rows = await measureAll();
  console.log(table(rows));
  const costs = stepCosts(rows);
  if (costs !== undefined) console.log(`\n${table(modelRows(costs, MODEL))}`);
  appendResults(values.output, options, rows);
} finally {
  for (const target of targets) target.stopLoad();
  await Promise.all(started.map((server) => server.dispose()));
  await etcd.close();
}

interface OpenedEtcd {
  readonly servers: readonly string[];
  /** Its processes; none for the double. */
  readonly pids: readonly number[];
  close(): Promise<void>;
}

async function openEtcd(): Promise<OpenedEtcd> {
  const program = findEtcd();
  if (program !== undefined) {
    const real = await startRealEtcd(program);
    const pids = real.members.flatMap(({ pid }) => pid ?? []);
    return { servers: real.servers, pids, close: () => real.close() };
  }
  const double = new EtcdDouble();
  await double.start();
  return { servers: [double.url], pids: [], close: async () => double.close() };
}

async function start(args: readonly string[], dataDirectory?: string): Promise<ServerProcess> {
  const folder = dataDirectory === undefined ? {} : { dataDirectory };
  const server = await launchServer({ args: ['--api-domain', API_DOMAIN, ...args], ...folder });
  started.push(server);
  return server;
}

/** Load of this server; the CPU that counts is that of `measured`. */
function targetOf({ port, token }: ServerProcess, measured: ServerProcess): BenchTarget {
  const pids = [measured.pid];
  const domain = API_DOMAIN;
  const namespace = DEFAULT_NAMESPACE;
  const target = new BenchTarget(options, { endpoint: { port }, token, domain, namespace, pids });
  targets.push(target);
  return target;
}

async function measureAll(): Promise<ResultRow[]> {
  const single = await start([]);
  const owner = await start(shared);
  const rows = await costsOfFollowers(owner);
  const follower = started.at(-1) ?? owner;
  rows.push(...(await besideSingle(single, owner, follower)));
  rows.push(...(await memory(single, owner, follower)));
  rows.push(await takeover(owner, follower));
  return rows;
}

/** What writes at a pace cost the owner, etcd and each server that follows, by their number. */
async function costsOfFollowers(owner: ServerProcess): Promise<ResultRow[]> {
  const target = targetOf(owner, owner);
  await target.fill(Math.min(objects, 100));
  const rows: ResultRow[] = [];
  for (let followers = 0; followers <= 2; followers += 1) {
    const follower = followers > 0 ? await start(shared) : undefined;
    const parts = {
      'CPU µs each': [owner.pid],
      'etcd CPU µs': etcd.pids,
      'follower CPU µs': follower === undefined ? [] : [follower.pid],
    };
    const writes = `${writesPerSecond} writes/s`;
    const costs = await costsOfWrites(target, parts);
    rows.push({ scenario: `${writes}, ${followers} followers: a write of the owner`, ...costs });
    if (follower === undefined) continue;
    const through = await costsOfWrites(targetOf(follower, follower), parts);
    rows.push({ scenario: `${writes}, ${followers} followers: a write through one`, ...through });
  }
  return rows;
}

/** The CPU that one write costs each of the parts, and what it has etcd do. */
async function costsOfWrites(
  target: BenchTarget,
  parts: Readonly<Record<string, readonly number[]>>,
): Promise<Record<string, number>> {
  const costs = new Map(Object.keys(parts).map((part) => [part, [] as Cost[]]));
  const [member = ''] = etcd.servers;
  const etcdBefore = await etcdFigures(member);
  let writes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const pace = { connections: 16, objects: Math.min(objects, 100), seconds: roundSeconds };
    const seed = target.nextSeed();
    const before = Object.values(parts).map(cpuMilliseconds);
    const job = { ...target.target(), ...pace, seed, writesPerSecond };
    const { answeredAt } = await target.load.run('pacedWrites', job);
    writes += answeredAt.length;
    for (const [at, [part, pids]] of Object.entries(parts).entries()) {
      const spentMs = cpuMilliseconds(pids) - (before[at] ?? 0);
      costs.get(part)?.push(costOf(answeredAt.length, roundSeconds, spentMs));
    }
  }
  const known = [...costs].filter(([part]) => parts[part]?.length !== 0);
  const etcdAfter = await etcdFigures(member);
  return {
    ...Object.fromEntries(known.map(([part, its]) => [part, medianOf(its, 'serverMs') * 1_000])),
    ...(etcdBefore && etcdAfter && eachWrite(etcdBefore, etcdAfter, writes)),
  };
}

/** Gets and events of a follower beside those of a server on its own. */
async function besideSingle(
  single: ServerProcess,
  owner: ServerProcess,
  follower: ServerProcess,
): Promise<ResultRow[]> {
  const onSingle = targetOf(single, single);
  const onOwner = targetOf(owner, owner);
  const onFollower = targetOf(follower, follower);
  const namespace = DEFAULT_NAMESPACE;
  const filled = { firstObject: 100 };
  await onSingle.fill(objects);
  await onOwner.fill(Math.max(1, objects - 100), filled);
  const gets = await inTurn(onSingle, onFollower, async (target, round) => {
    const bounds = { warmUpSeconds: warmUpOf(options, round), seconds: roundSeconds };
    const get = { verb: 'get', connections: CONNECTIONS, objects } as const;
    return requestCost(await target.closedLoop({ ...get, ...bounds }));
  });
  // What a follower pays for a write that it follows is a part of what its events cost.
  const followed = targetOf(owner, follower);
  const rigs = new Map([onSingle, onFollower].map((target) => [target, new WatchRig(target, 1)]));
  const events = await inTurn(onSingle, onFollower, async (target) => {
    const rig = rigs.get(target) as WatchRig;
    await rig.open({ group: 'watches', count: watches, timedEventsMax: roundSeconds * 400 });
    const writing = target === onSingle ? onSingle : followed;
    const pace = { seconds: roundSeconds, writesPerSecond: 200, namespace };
    const lag = await measureLag(writing, rig, 'watches', pace);
    await rig.close('watches');
    return costOf(lag.writes * watches, lag.p99 / 1_000, lag.serverCpuMs);
  });
  return [
    besideRow(`get, ${CONNECTIONS} connections`, gets),
    besideRow(`${watches} watches, 200 writes/s: an event`, events),
  ];
}

interface Sides {
  readonly single: readonly Cost[];
  readonly follower: readonly Cost[];
}

async function inTurn(
  single: BenchTarget,
  follower: BenchTarget,
  measure: (target: BenchTarget, round: number) => Promise<Cost>,
): Promise<Sides> {
  const costs = await compareInTurn(rounds, [single, follower], measure);
  return { single: costs.get(single) ?? [], follower: costs.get(follower) ?? [] };
}

function besideRow(scenario: string, { single, follower }: Sides): ResultRow {
  return {
    scenario: `${scenario}: follower beside single`,
    'CPU µs each': medianOf(follower, 'serverMs') * 1_000,
    'single CPU µs': medianOf(single, 'serverMs') * 1_000,
    'times the CPU': ratioOf(follower, single, 'serverMs'),
  };
}

/** With as many Pods, after a start of each and a list. */
async function memory(
  single: ServerProcess,
  owner: ServerProcess,
  follower: ServerProcess,
): Promise<ResultRow[]> {
  for (const server of [single, owner])
    await targetOf(server, server).fill(pods, { kind: 'newPod' });
  const rows: ResultRow[] = [];
  for (const [name, server, args] of [
    ['a single server', single, []],
    ['a follower', follower, shared],
  ] as const) {
    await server.stop();
    const again = await start(args, server.dataDirectory);
    const response = await targetOf(again, again).fetch('/api/v1/pods');
    for await (const _ of response.body ?? []);
    const { rssMb, pssMb, anonMb } = residentOf([again.pid]);
    const scenario = `${pods} Pods and ${objects} ConfigMaps: memory of ${name}`;
    rows.push({ scenario, 'RSS MB': rssMb, 'PSS MB': pssMb, 'anon MB': anonMb });
  }
  return rows;
}

/** From when the lease of an owner that was killed is over until another takes writes. */
async function takeover(owner: ServerProcess, follower: ServerProcess): Promise<ResultRow> {
  const keys = new JournalKeys(PREFIX);
  const client = connectEtcd({ servers: etcd.servers, messages: ETCD_MESSAGES });
  const other = started.find((server) => isFollower(server, owner, follower)) ?? follower;
  const target = targetOf(other, other);
  const { revision } = await client.range({ key: keys.owner });
  const over = new Promise<number>((resolve, reject) => {
    client.watch(
      { key: keys.owner, startRevision: revision + 1 },
      { events: () => resolve(performance.now()), ended: reject },
    );
  });
  const killedMs = performance.now();
  await owner.kill();
  const overMs = await over;
  const body = JSON.stringify({ metadata: { name: 'taken-over' } });
  const path = `/api/v1/namespaces/${DEFAULT_NAMESPACE}/configmaps`;
  while (performance.now() - killedMs < TAKEN_OVER_MS_MAX) {
    const { status } = await target.fetch(path, { method: 'POST', body });
    if (status === 201) break;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  const takenMs = performance.now();
  client.close();
  return {
    scenario: `takeover with ${objects} ConfigMaps and ${pods} Pods, lease of ${leaseSeconds} s`,
    'ms from kill': Math.round(takenMs - killedMs),
    'ms from the end of the lease': Math.round(takenMs - overMs),
  };
}

/** One that follows all the time: the last one was started again. */
function isFollower(server: ServerProcess, owner: ServerProcess, last: ServerProcess): boolean {
  const [single] = started;
  return server !== single && server !== owner && server !== last;
}
