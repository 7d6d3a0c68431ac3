/** Random requests, and what they are answered, so that two servers can be compared. */
import { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { Compare, EtcdClient, Keys, Operation, Range } from '../../src/etcd/etcd.ts';
import { bytesOf, keysOf } from '../support/etcd/requests.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import type { Random } from '../support/random.ts';

const KEYS = ['a', 'a/1', 'a/2', 'a/21', 'b', 'b/1', 'c'] as const;
const RANGES = ['a*', 'a/*', 'a/2*', 'b*', 'd*', ...KEYS] as const;
const LEASES = [0n, 0n, 7n, 8n] as const;

/**
 * Does `steps` requests that `random` chooses. Gives what each was answered, as text. Before history
 * goes, all watches have seen it: what they see would depend on who is first.
 */
export async function runProgram(
  client: EtcdClient,
  random: Random,
  steps: number,
): Promise<string[]> {
  for (const id of [7n, 8n]) await client.leaseGrant({ ttlSeconds: 1_000, id });
  const watches = [
    new WatchRecord(client, { key: bytesOf('a'), rangeEnd: bytesOf('c'), prevKv: true }),
  ];
  await watches[0]?.untilRunning();
  const answers: string[] = [];
  let revision = 1;
  for (let step = 0; step < steps; step += 1) {
    const answer = await answerOf(() => requestOf(client, random, revision, watches));
    const { revision: newest } = await client.range({ key: bytesOf('a'), countOnly: true });
    revision = newest;
    answers.push(answer);
  }
  for (const watch of watches) {
    await watch.untilProgress(revision);
    const end = watch.ended === undefined ? [] : [failureText(watch.ended)];
    answers.push(...watch.events.map(textOf), ...end);
  }
  return answers;
}

async function requestOf(
  client: EtcdClient,
  random: Random,
  revision: number,
  watches: WatchRecord[],
): Promise<unknown> {
  const chance = random.below(100);
  if (chance < 60) {
    return client.txn({
      compare: listOf(random, 3, () => compareOf(random, revision)),
      success: listOf(random, 5, () => operationOf(random, revision)),
      failure: listOf(random, 3, () => operationOf(random, revision)),
    });
  }
  if (chance < 90) return client.range(rangeOf(random, revision));
  if (chance < 95) {
    await Promise.all(watches.map((watch) => watch.untilProgress(revision)));
    return client.compact(nearOf(random, revision));
  }
  const startRevision = Math.max(1, nearOf(random, revision));
  const watch = { ...anyKeys(random), startRevision, prevKv: random.below(2) === 0 };
  const record = new WatchRecord(client, watch);
  watches.push(record);
  await record.untilProgress(revision);
  return record.ended === undefined ? 'a watch' : failureText(record.ended);
}

async function answerOf(request: () => Promise<unknown>): Promise<string> {
  try {
    return textOf(await request());
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    return failureText(error);
  }
}

function failureText({ sort, reason, message, compactRevision }: EtcdError): string {
  return `${sort} ${reason}: ${message} ${compactRevision}`;
}

function textOf(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : bufferText(value),
  );
}

/** Buffers become JSON before they are asked for. */
function bufferText(value: unknown): unknown {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' ? Buffer.from(data as number[]).toString() : value;
}

function listOf<T>(random: Random, lengthMax: number, make: () => T): T[] {
  return Array.from({ length: random.below(lengthMax + 1) }, make);
}

function someKeys(random: Random): Keys {
  return keysOf(random.pick(RANGES));
}

/** Or all that come behind a key. */
function anyKeys(random: Random): Keys {
  const keys = someKeys(random);
  return random.below(8) === 0 ? { ...keys, rangeEnd: new Uint8Array(1) } : keys;
}

/** Mostly one that is there. */
function nearOf(random: Random, revision: number): number {
  return Math.max(0, revision + 1 - random.below(12));
}

function rangeOf(random: Random, revision: number): Range {
  return {
    ...anyKeys(random),
    ...(random.below(3) === 0 ? { revision: nearOf(random, revision) } : {}),
    ...(random.below(3) === 0 ? { limit: random.below(4) } : {}),
    ...(random.below(4) === 0 ? { keysOnly: true } : {}),
    ...(random.below(6) === 0 ? { countOnly: true } : {}),
  };
}

function operationOf(random: Random, revision: number): Operation {
  const prevKv = random.below(2) === 0;
  const chance = random.below(10);
  if (chance < 6) {
    const value = bytesOf(String(random.below(3)));
    const lease = random.pick(LEASES);
    return { put: { key: bytesOf(random.pick(KEYS)), value, prevKv, lease } };
  }
  // A deletion without an end, together with puts, makes etcd 3.7 panic later.
  if (chance < 8) return { delete: { ...someKeys(random), prevKv } };
  return { range: rangeOf(random, revision) };
}

function compareOf(random: Random, revision: number): Compare {
  const keys = { ...anyKeys(random), is: random.pick(['=', '!=', '<', '>'] as const) };
  switch (random.below(5)) {
    case 0:
      return { ...keys, createRevision: nearOf(random, revision) };
    case 1:
      return { ...keys, modRevision: nearOf(random, revision) };
    case 2:
      return { ...keys, version: random.below(3) };
    case 3:
      return { ...keys, lease: random.pick(LEASES) };
    default:
      return { ...keys, value: bytesOf(String(random.below(3))) };
  }
}
