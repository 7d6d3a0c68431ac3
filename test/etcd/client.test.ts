/** What the client makes of etcd's own failures, as the double has them. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { status as codes } from '@grpc/grpc-js';
import type { Test } from 'tap';
import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import type { EtcdErrorSort } from '../../src/etcd/etcd-error.ts';
import type { EtcdClient } from '../../src/etcd/etcd.ts';
import { makeAuthority, writePair } from '../support/authorities.ts';
import { EtcdDouble } from '../support/etcd/double/etcd-double.ts';
import { StatusError } from '../support/etcd/double/status-error.ts';
import { failureOf } from '../support/etcd/failure-of.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { bytesOf, keysOf, put, write } from '../support/etcd/requests.ts';
import { WatchRecord } from '../support/etcd/watch-record.ts';
import { until } from '../support/owned-objects.ts';
import { temporaryFolder } from '../support/server-process.ts';

async function start(t: Test): Promise<{ double: EtcdDouble; client: EtcdClient }> {
  const double = new EtcdDouble();
  await double.start();
  const client = connectEtcd({ servers: [double.url], messages: ETCD_MESSAGES });
  t.teardown(() => {
    client.close();
    double.close();
  });
  return { double, client };
}

/** What a transaction that fails so is known to be, whether it was done or not. */
const FAILURES: readonly (readonly [EtcdErrorSort, keyof typeof codes, string])[] = [
  ['unknown', 'UNAVAILABLE', 'etcdserver: request timed out'],
  ['unknown', 'UNAVAILABLE', 'etcdserver: request timed out, possibly due to connection lost'],
  ['unknown', 'UNAVAILABLE', 'etcdserver: leader changed'],
  ['unknown', 'UNAVAILABLE', 'etcdserver: server stopped'],
  ['unknown', 'UNAVAILABLE', 'the connection is draining'],
  ['unknown', 'DEADLINE_EXCEEDED', 'context deadline exceeded'],
  ['unknown', 'CANCELLED', 'etcdserver: request canceled'],
  ['unknown', 'UNKNOWN', 'something that nobody knows'],
  ['unknown', 'RESOURCE_EXHAUSTED', 'Bandwidth exhausted or memory limit exceeded'],
  ['unknown', 'PERMISSION_DENIED', 'of a proxy'],
  ['unavailable', 'UNAVAILABLE', 'etcdserver: no leader'],
  ['unavailable', 'RESOURCE_EXHAUSTED', 'etcdserver: too many requests'],
  ['unavailable', 'UNKNOWN', 'raft proposal dropped'],
  ['unavailable', 'FAILED_PRECONDITION', 'etcdserver: rpc not supported for learner'],
  ['refused', 'RESOURCE_EXHAUSTED', 'etcdserver: mvcc: database space exceeded'],
  ['refused', 'PERMISSION_DENIED', 'etcdserver: permission denied'],
  ['refused', 'UNAUTHENTICATED', 'etcdserver: invalid auth token'],
  ['refused', 'DATA_LOSS', 'etcdserver: corrupt cluster'],
];

t.test('a failure says what is known of a write, which is not sent again', async (t) => {
  const { double, client } = await start(t);
  for (const [sort, code, details] of FAILURES) {
    const error = new StatusError({ code: codes[code], details });
    const before = double.counts.get('Txn') ?? 0;
    double.failNext('Txn', error, { isDone: sort === 'unknown' });
    const failure = await failureOf(client.txn({ success: [put('a', 'b')] }));
    t.match(failure, { sort, message: details });
    t.equal(double.counts.get('Txn'), before + 1, details);
  }
  const done = FAILURES.filter(([sort]) => sort === 'unknown').length;
  t.match(await client.range(keysOf('a')), { kvs: [{ version: done }] });
});

t.test('reasons of refusals can be told apart', async (t) => {
  const { double, client } = await start(t);
  const reasonFor = async (code: keyof typeof codes, details: string): Promise<unknown> => {
    const error = new StatusError({ code: codes[code], details: `etcdserver: ${details}` });
    double.failNext('Txn', error, { isDone: false });
    return (await failureOf(client.txn({}))).reason;
  };
  t.equal(await reasonFor('RESOURCE_EXHAUSTED', 'mvcc: database space exceeded'), 'noSpace');
  t.equal(await reasonFor('PERMISSION_DENIED', 'permission denied'), 'denied');
  t.equal(await reasonFor('UNAUTHENTICATED', 'invalid auth token'), 'denied');
  t.equal(await reasonFor('INVALID_ARGUMENT', 'something else'), 'other');
});

t.test(
  'a read is asked again where a server cannot answer, and not where it refuses',
  async (t) => {
    const { double, client } = await start(t);
    await write(client, put('a', 'b'));
    for (const details of ['etcdserver: leader changed', 'etcdserver: no leader', 'draining']) {
      const error = new StatusError({ code: codes.UNAVAILABLE, details });
      double.failNext('Range', error, { isDone: false });
      t.equal((await client.range(keysOf('a'))).count, 1, details);
    }
    const denied = { code: codes.PERMISSION_DENIED, details: 'etcdserver: permission denied' };
    double.failNext('Range', new StatusError(denied), { isDone: false });
    const failure = await failureOf(client.range(keysOf('a')));
    t.match(failure, { sort: 'refused', reason: 'denied', message: denied.details });
  },
);

t.test('without a leader writes fail at once, and watches wait for one', async (t) => {
  const { double, client } = await start(t);
  await write(client, put('a', '1'));
  const record = await new WatchRecord(client, keysOf('a')).untilRunning();
  const lease = await client.leaseGrant({ ttlSeconds: 3 });
  let renewals = 0;
  const renewing = client.leaseKeepAlive(lease, {
    renewed: () => (renewals += 1),
    lost: (error) => t.fail(error.message),
  });
  t.teardown(() => renewing.close());
  await until(async () => renewals > 0);
  double.loseLeader();
  const failure = await failureOf(client.txn({ success: [put('a', '2')] }));
  t.match(failure, { sort: 'unavailable', message: 'etcdserver: no leader' });
  const read = await failureOf(client.range(keysOf('a'), { deadlineMs: 300 }));
  t.match(read, { sort: 'unavailable' });
  t.equal((await client.range({ ...keysOf('a'), serializable: true })).count, 1);
  t.equal((await client.status()).leaderId, 0n);
  await until(async () => record.broken.length > 0);
  t.match(record.broken, [{ sort: 'unavailable', message: 'etcdserver: no leader' }]);
  double.electLeader();
  await record.untilRunning(2);
  const before = renewals;
  const revision = await write(client, put('a', '3'));
  await record.untilEvents(1);
  t.same(record.lines, [`${revision} put a=3`]);
  await until(async () => renewals > before);
});

t.test('a server that comes back is found again', async (t) => {
  const { double, client } = await start(t);
  const record = await new WatchRecord(client, keysOf('a')).untilRunning();
  double.stop();
  const late = client.range(keysOf('a'));
  await until(async () => record.broken.length > 0);
  const failure = failureOf(client.txn({ success: [put('a', '0')] }, { deadlineMs: 200 }));
  t.match(await failure, {
    sort: 'unavailable',
    message: /^etcd: http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
  });
  await double.start();
  t.equal((await late).count, 0, 'a read waits for it until its deadline');
  const revision = await write(client, put('a', '1'));
  await record.untilEvents(1);
  t.same(record.lines, [`${revision} put a=1`]);
  t.equal(record.broken.length, 1, 'a break is told once');
});

t.test('what is delivered twice is given once, whatever parts it comes in', async (t) => {
  const { double, client } = await start(t);
  double.faults.duplicates = true;
  double.faults.answerBytesMax = 10;
  const record = await new WatchRecord(client, { ...keysOf('a*'), prevKv: true }).untilRunning();
  const revisions = [];
  for (let count = 0; count < 20; count += 1) {
    revisions.push(await write(client, ...['a1', 'a2', 'a3'].map((key) => put(key, 'value'))));
  }
  await record.untilProgress(revisions.at(-1) ?? 0);
  t.same(
    record.calls.map(({ revision, events }) => [revision, events.length]),
    revisions.map((revision) => [revision, 3]),
  );
});

t.test('all watches of a client share a stream, which ends with the last', async (t) => {
  const { double, client } = await start(t);
  const records = Array.from({ length: 20 }, () => new WatchRecord(client, keysOf('a')));
  await Promise.all(records.map((record) => record.untilRunning()));
  t.equal(double.watchStreams, 1);
  for (const { running } of records) running.close();
  await until(async () => double.watchStreams === 0);
});

t.test('calls that are under way when the client is closed end', async (t) => {
  const { double, client } = await start(t);
  await client.status();
  double.loseLeader();
  const read = failureOf(client.range(keysOf('a')));
  await until(async () => (double.counts.get('Range') ?? 0) > 0);
  client.close();
  t.equal((await read).sort, 'unavailable');
});

t.test('servers and clients know each other by certificates', async (t) => {
  const [authority, other] = await Promise.all(['etcd', 'other'].map(makeAuthority));
  const folder = temporaryFolder();
  if (authority === undefined || other === undefined) throw new Error('no authorities');
  const server = await authority.sign({ subject: [{ CN: ['server'] }], names: ['localhost'] });
  const double = new EtcdDouble({ tls: { ca: authority.cert, ...server } });
  t.teardown(() => double.close());
  await double.start();
  const servers = [double.url.replace('127.0.0.1', 'localhost')];
  const files = new Map<string, { caFile: string; certFile: string; keyFile: string }>();
  for (const [name, signer] of [
    ['good', authority],
    ['bad', other],
  ] as const) {
    const caFile = join(folder, `${name}-ca.crt`);
    writeFileSync(caFile, signer.cert);
    const pair = await signer.sign({ subject: [{ CN: ['client'] }], usage: 'client' });
    files.set(name, { caFile, ...writePair(folder, name, pair) });
  }
  const connect = (tls: object): EtcdClient => {
    const client = connectEtcd({ servers, tls, messages: ETCD_MESSAGES });
    t.teardown(() => client.close());
    return client;
  };
  const good = files.get('good') ?? {};
  t.ok(await write(connect(good), put('a', 'b')));
  const options = { deadlineMs: 500 };
  for (const tls of [
    { ...good, caFile: files.get('bad')?.caFile },
    { caFile: files.get('good')?.caFile },
    { ...files.get('bad'), caFile: files.get('good')?.caFile },
    {},
  ]) {
    const failure = await failureOf(connect(tls).range({ key: bytesOf('a') }, options));
    t.equal(failure.sort, 'unavailable', failure.message);
  }
  t.throws(() => connect({ caFile: join(folder, 'none') }), { code: 'ENOENT' });
});
