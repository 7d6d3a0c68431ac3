/**
 * Runs clients against the real server while it is killed, stopped and started again on the same
 * data, and has the model judge what they recorded.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPRESSED_BYTES_MIN, DICTIONARY_CHOICE_RECORDS } from '../../src/limits.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Random } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import { checkHistory } from './check-history.ts';
import type { Verdict } from './check-history.ts';
import type { Violation } from './history.ts';
import { BULK_NAMESPACE, LiveRun, NAMESPACES, pause, TYPES } from './live-run.ts';
import { defineWidgets, definer, flapper } from './definition-clients.ts';
import { checkUsed, govern } from './governed.ts';
import { get, list, pager, reader } from './read-clients.ts';
import { matches } from './records.ts';
import type { HistoryRecord, Scope, WriteRecord } from './records.ts';
import { restorer } from './restore-clients.ts';
import { scribe, staller, watcher } from './watch-clients.ts';
import { bulkWriter, lookAhead, sweeper, writeLast, writer } from './write-clients.ts';
import type { LastWrites } from './write-clients.ts';

export interface RunOptions {
  /** Names the plan of operations; their order is up to the processes. */
  readonly seed: number;
  /** How often the server is ended and started again. */
  readonly rounds: number;
  /** The longest time between two ends. */
  readonly roundMs: number;
  /** As `--watch-history` takes it, in seconds. */
  readonly historySeconds: number;
  /** All types go back to moments of before, again and again. */
  readonly resets?: boolean;
}

export interface RunResult extends Verdict {
  readonly records: readonly HistoryRecord[];
  readonly seconds: number;
}

/** Everybody who may have a say in writes, but nobody who makes objects that no client made. */
const GOVERNING = [
  '--disable-admission-plugins=ServiceAccount',
  '--controllers=*,-bootstrap,-serviceaccount,-serviceaccount-token,-root-ca-cert-publisher',
];

/** The server counts its own time, from a moment that may lie before what clients see. */
const WINDOW_SLACK_MS = 200;

type Client = (run: LiveRun, random: Random) => Promise<void>;
type Crowd = readonly (readonly [client: Client, count: number])[];
const WORKERS: Crowd = [
  [writer, 6],
  [bulkWriter, 1],
  [sweeper, 1],
  [reader, 3],
  [pager, 4],
];
/** Definitions change, or go back with all that there is. */
const DEFINERS: Crowd = [
  [definer, 1],
  [flapper, 1],
];
const RESTORERS: Crowd = [[restorer, 1]];
const WATCHERS: Crowd = [
  [watcher, 9],
  [staller, 2],
];

export async function runHistory(options: RunOptions): Promise<RunResult> {
  const { historySeconds, resets = false } = options;
  const started = performance.now();
  const laboratory = resets ? ['--laboratory'] : [];
  const ends = ['--shutdown-timeout', '2s'];
  const server = await startServer({
    args: ['--watch-history', `${historySeconds}s`, ...ends, ...GOVERNING, ...laboratory],
  });
  const run = new LiveRun(server);
  const violations: Violation[] = [];
  let end = async (): Promise<void> => undefined;
  try {
    await prepare(run);
    end = await govern(run, new Random(options.seed));
    await drive(run, options);
  } catch (error) {
    violations.push({ rule: 'run-failed', message: String(error), involved: [] });
  } finally {
    run.finish();
    run.settle();
    run.setUp(false);
    server.closeConnections();
    await server.process.dispose();
    await end();
  }
  const verdict = checkHistory(run.records, historySeconds * 1_000 - WINDOW_SLACK_MS);
  violations.push(...verdict.violations);
  const seconds = (performance.now() - started) / 1_000;
  return { ...verdict, violations, records: run.records, seconds };
}

async function prepare(run: LiveRun): Promise<void> {
  for (const name of [...NAMESPACES, BULK_NAMESPACE]) {
    await run.server.post('/api/v1/namespaces', { metadata: { name } });
  }
  await defineWidgets(run);
  await compressConfigMaps(run);
}

/** Once so many were long, the store compresses those that are; then they are gone again. */
async function compressConfigMaps(run: LiveRun): Promise<void> {
  const collection = '/api/v1/namespaces/default/configmaps';
  const data = { filler: '.'.repeat(COMPRESSED_BYTES_MIN) };
  const made = Array.from({ length: DICTIONARY_CHOICE_RECORDS }, async (_, at) =>
    run.server.post(collection, { metadata: { name: `long-${at}`, labels: { long: '' } }, data }),
  );
  for (const { status } of await Promise.all(made)) assert.equal(status, 201);
  const { status } = await run.server.delete(`${collection}?labelSelector=long`);
  assert.equal(status, 200);
}

async function drive(run: LiveRun, options: RunOptions): Promise<void> {
  const { seed, rounds, roundMs, resets = false } = options;
  const random = new Random(seed);
  run.setUp(true);
  guard(run);
  const scribes = TYPES.map(async (type) => scribe(run, type));
  while (run.openWatches.size < TYPES.length) await sleep(5);
  let clients = 0;
  const start = async (crowd: Crowd): Promise<unknown> => {
    const all = crowd.flatMap(([client, count]) => Array<Client>(count).fill(client));
    return Promise.all(all.map(async (one) => one(run, new Random(seed * 1_000 + clients++))));
  };
  const workers = start([...WORKERS, ...(resets ? RESTORERS : DEFINERS)]);
  const watchers = Promise.all([start(WATCHERS), ...scribes]);
  // A failure ends the run at once.
  const failed = Promise.all([workers, watchers, run.failure.promise]);
  const disturbing = disturb(run, random, rounds, roundMs);
  try {
    await Promise.race([failed, disturbing]);
  } catch (error) {
    run.finish();
    // It may be about to start a server.
    await disturbing.catch(() => undefined);
    throw error;
  }
  run.finish();
  await Promise.race([failed, workers.then(async () => settle(run))]);
  run.settle();
  await watchers;
}

/** Notes when this process of the server ends though nobody ended it. */
function guard(run: LiveRun): void {
  const { process } = run.server;
  void process.exited.then(({ code, signal, stderr }) => {
    if (run.isUp) run.failure.fail(new Error(`the server ended: ${code ?? signal}: ${stderr}`));
  });
}

/** Ends the server, mostly as a crash does, and starts it again on the same data. */
async function disturb(run: LiveRun, random: Random, rounds: number, roundMs: number) {
  for (let round = 0; round < rounds; round++) {
    await pause(run, roundMs * (0.3 + 0.7 * random.fraction()));
    if (run.isFinishing) return;
    const what = random.fraction() < 0.8 ? 'kill' : 'stop';
    if (what === 'kill') await lookAhead(run, random);
    run.setUp(false);
    run.record({ record: 'server', what, start: run.now() });
    if (what === 'kill') await run.server.kill();
    else await run.server.stop();
    await run.server.restart();
    run.record({ record: 'server', what: 'ready', start: run.now() });
    run.setUp(true);
    guard(run);
  }
  await pause(run, roundMs * (0.3 + 0.7 * random.fraction()));
}

/** Writes what each watch must see, waits until they have, and looks at everything once more. */
async function settle(run: LiveRun): Promise<void> {
  const written = await writeLast(run);
  const deadline = performance.now() + PATIENCE_MS;
  const isBehind = (): boolean =>
    [...run.openWatches].some(({ type, scope, lastVersion }) => {
      return written.some((one) => one.type === type && lastVersion < lastEvent(one, scope));
    });
  while (isBehind() && performance.now() < deadline) await sleep(10);
  for (const open of run.openWatches) open.settled = true;
  await checkUsed(run);
  for (const type of TYPES) {
    const all = { type, scope: { namespace: '' }, asked: '', match: '', limit: 0 } as const;
    const last = await list(run, all);
    for (const { key } of last?.pages.flatMap(({ items }) => items) ?? []) {
      const [namespace = '', name = ''] = key.split('/');
      await get(run, type, namespace, name, '');
    }
  }
}

/** The last of the writes to an object, each on top of the one before, that a scope must see. */
function lastEvent({ written }: LastWrites, scope: Scope): number {
  const last = written.findLastIndex((object, at) => {
    const before = written[at - 1];
    return matches(scope, object) || (before !== undefined && matches(scope, before));
  });
  return written[last]?.version ?? 0;
}

/** Keeps a recorded history as JSON lines; returns where. */
export function save(records: readonly HistoryRecord[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'shardplane-history-')), 'history.jsonl');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** How much was done: a run that did little proves little. */
export function summary({ records, changes, unchecked, seconds }: RunResult): string {
  const count = (record: HistoryRecord['record']): number =>
    records.filter((one) => one.record === record).length;
  const pages = records.reduce(
    (sum, one) => sum + (one.record === 'list' ? one.pages.length : 0),
    0,
  );
  const watches = records.filter((one) => one.record === 'watch');
  const events = watches.reduce((sum, { events }) => sum + events.length, 0);
  const patches = records.filter((one) => {
    const isPatch = one.record === 'write' && ['merge', 'json', 'apply'].includes(one.verb);
    return isPatch && one.outcome === 'acknowledged';
  });
  const unknown = records.filter((one) => one.record === 'write' && one.outcome === 'unknown');
  const refused = (by: WriteRecord['refusedBy']): number =>
    records.filter((one) => one.record === 'write' && one.refusedBy === by).length;
  const expired = records.filter((one) => {
    if (one.record === 'list') return one.refusal?.code === 410;
    return one.record === 'watch' && (one.code === 410 || one.events.at(-1)?.code === 410);
  });
  return [
    `${seconds.toFixed(1)} s, ${count('server') / 2} restarts`,
    `${changes} changes by ${count('write')} writes (${unknown.length} cut off, ${patches.length} patches)`,
    `${refused('webhook')} refused by a webhook, ${refused('quota')} by a quota`,
    `${count('get')} gets, ${count('list')} lists of ${pages} pages`,
    `${watches.length} watches with ${events} events`,
    `${count('restore')} restores`,
    `${expired.length} expired, ${unchecked} unchecked`,
  ].join('; ');
}
