/**
 * Measures the client of etcd: transactions as group commits make them, reads, and watches. It runs
 * on a real etcd (`$ETCD`, or as tests find one), else on its double, in this very process.
 */
import { connectEtcd } from '../src/etcd/connect.ts';
import type { EtcdClient, Operation } from '../src/etcd/etcd.ts';
import type { WatchAnswer } from '../src/etcd/message-types.ts';
import { etcdCodecs } from '../src/etcd/messages.ts';
import { txnBytesHint, txnMessage } from '../src/etcd/to-messages.ts';
import { EtcdDouble } from '../test/support/etcd/double/etcd-double.ts';
import { findEtcd } from '../test/support/etcd/find-etcd.ts';
import { ETCD_MESSAGES } from '../test/support/etcd/messages.ts';
import { startRealEtcd } from '../test/support/etcd/real-etcd.ts';
import { keysOf } from '../test/support/etcd/requests.ts';
import type { EtcdUnderTest } from '../test/support/etcd/under-test.ts';
import { measure, measureInFlight, microOptions, report } from './micro.ts';
import type { ResultRow } from './report.ts';

/** A group commit. */
const PUTS = 64;
const VALUE = Buffer.alloc(1_024, 'value ');
/** So many keys are written over and over. */
const KEYS = 10_000;
/** What is caught up with. */
const HISTORY_TXNS = 100;

const options = microOptions();
let written = 0;

const { name, etcd } = await openEtcd();
const client = connectEtcd({ servers: etcd.servers, messages: ETCD_MESSAGES });
const rows: ResultRow[] = [...codecRows(), ...(await callRows()), ...(await watchRows())];
report('etcd', options, rows);
client.close();
await etcd.close();

async function openEtcd(): Promise<{ readonly name: string; readonly etcd: EtcdUnderTest }> {
  const program = findEtcd();
  if (program !== undefined) return { name: 'etcd', etcd: await startRealEtcd(program) };
  const double = new EtcdDouble();
  await double.start();
  const opened = { servers: [double.url], close: () => double.close() };
  return { name: 'the double', etcd: opened };
}

function group(): Operation[] {
  return Array.from({ length: PUTS }, () => {
    const key = Buffer.from(`bench/${(written += 1) % KEYS}`);
    return { put: { key, value: VALUE } };
  });
}

/** Both sides of the wire, without it. */
function codecRows(): ResultRow[] {
  const codecs = etcdCodecs(ETCD_MESSAGES);
  const txn = { success: group() };
  const kv = { key: Buffer.from('bench/1'), value: VALUE, modRevision: 1_000_000, version: 9 };
  const events = Array.from({ length: PUTS }, () => ({ kv: { ...kv, createRevision: 900_000 } }));
  const answer = codecs.WatchResponse.encode({ watchId: 1, events });
  return [
    measure(`encode ${PUTS} puts of 1 KB`, options, () => {
      codecs.TxnRequest.encode(txnMessage(txn), txnBytesHint(txn));
    }),
    measure(`decode ${PUTS} events of 1 KB`, options, () => {
      const { events: read } = codecs.WatchResponse.decode(answer) as WatchAnswer;
      if (read.length !== PUTS) throw new Error('events are missing');
    }),
  ];
}

async function callRows(): Promise<ResultRow[]> {
  const made: ResultRow[] = [];
  for (const inFlight of [1, 4, 16]) {
    const scenario = `${name}: a transaction of ${PUTS} puts of 1 KB, ${inFlight} at a time`;
    made.push(await measureInFlight(scenario, options, inFlight, put));
  }
  const one = { key: Buffer.from('bench/1') };
  for (const serializable of [false, true]) {
    const kind = serializable ? 'serializable' : 'linearizable';
    const scenario = `${name}: a ${kind} get, 64 at a time`;
    const get = (done: () => void): void => call(client.range({ ...one, serializable }), done);
    made.push(await measureInFlight(scenario, options, 64, get));
  }
  return made;
}

function put(done: () => void): void {
  call(client.txn({ success: group() }), done);
}

function call(promise: Promise<unknown>, done: () => void): void {
  promise.then(done, (error: unknown) => {
    throw error;
  });
}

async function watchRows(): Promise<ResultRow[]> {
  const made: ResultRow[] = [];
  let seen = 0;
  const live = watchFrom(client, undefined, (count) => (seen += count));
  const before = seen;
  const scenario = `${name}: the same with a watch of all keys, 4 at a time`;
  made.push(await measureInFlight(scenario, options, 4, put));
  if (seen === before) throw new Error('the watch has seen nothing');
  live.close();
  const { revision } = await client.range({ ...keysOf('bench/1'), countOnly: true });
  for (let count = 0; count < HISTORY_TXNS; count += 1) await client.txn({ success: group() });
  const events = HISTORY_TXNS * PUTS;
  const catchUp = (done: () => void): void => {
    let left = events;
    const watch = watchFrom(client, revision + 1, (count) => {
      left -= count;
      if (left > 0) return;
      watch.close();
      done();
    });
  };
  const all = `${name}: a watch that catches up with ${events} events of 1 KB`;
  made.push(await measureInFlight(all, options, 1, catchUp));
  return made;
}

function watchFrom(
  etcdClient: EtcdClient,
  startRevision: number | undefined,
  onEvents: (count: number) => void,
): { close(): void } {
  const start = startRevision === undefined ? {} : { startRevision };
  return etcdClient.watch(
    { ...keysOf('bench/*'), ...start },
    {
      events: (events) => onEvents(events.length),
      ended: (error) => {
        throw error;
      },
    },
  );
}
