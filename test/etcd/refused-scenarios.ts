import type { Operation } from '../../src/etcd/etcd.ts';
import { failureOf } from '../support/etcd/failure-of.ts';
import { bytesOf, keysOf, put, remove, write } from '../support/etcd/requests.ts';
import type { Scenario } from '../support/etcd/under-test.ts';

const MIB = 1_024 * 1_024;

function puts(count: number): Operation[] {
  return Array.from({ length: count }, (_, at) => put(`many/${at}`, 'v'));
}

function long(bytes: number): Operation {
  return { put: { key: bytesOf('long'), value: Buffer.alloc(bytes) } };
}

export const REFUSED_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'transactions that are refused do nothing': async (t, client) => {
    const revision = await write(client, put('refused', '1'));
    const refused: readonly (readonly [Operation[], string, string])[] = [
      [puts(129), 'tooManyOperations', 'too many operations in txn request'],
      [[put('refused', '2'), put('', 'v')], 'other', 'key is not provided'],
      [[put('refused', '2'), put('refused', '3')], 'duplicateKey', DUPLICATE],
      [[put('refused', '2'), remove('refuse*')], 'duplicateKey', DUPLICATE],
      [[remove('refused'), put('refused', '2')], 'duplicateKey', DUPLICATE],
      [[put('refused', '2'), long(1.5 * MIB)], 'tooLarge', 'request is too large'],
      [
        [put('refused', '2'), { range: { key: bytesOf('a'), revision: revision + 100 } }],
        'futureRevision',
        'mvcc: required revision is a future revision',
      ],
      [
        [put('a', 'b'), { put: { key: bytesOf('b'), value: bytesOf('c'), lease: 12_345n } }],
        'leaseNotFound',
        'requested lease not found',
      ],
    ];
    for (const [success, reason, message] of refused) {
      const failure = await failureOf(client.txn({ success }));
      t.match(failure, { sort: 'refused', reason, message: `etcdserver: ${message}` });
    }
    const tooLong = await failureOf(client.txn({ success: [long(2 * MIB)] }));
    t.match(tooLong, { sort: 'refused', reason: 'tooLarge' });
    t.match(tooLong.message, /^grpc: received message larger than max \(\d+ vs\. 2097152\)$/);
    const { kvs, revision: after } = await client.range({ key: bytesOf('refused') });
    t.match(kvs, [{ value: bytesOf('1') }]);
    t.equal(after, revision);
  },

  'what is just small enough is done': async (t, client) => {
    t.ok(await write(client, ...puts(128)));
    t.ok(await write(client, long(1.5 * MIB - 64)));
    t.ok(await write(client, remove('many/*'), remove('many/1'), remove('long')));
    const { count } = await client.range({ ...keysOf('many/*'), countOnly: true });
    t.equal(count, 0);
  },

  'revisions that are not there are refused': async (t, client) => {
    const old = await write(client, put('history', '1'));
    const middle = await write(client, put('history', '2'));
    const newest = await write(client, put('history', '3'));
    t.equal(await client.compact(middle), newest);
    const key = bytesOf('history');
    const readAt = (revision: number): Promise<unknown> => client.range({ key, revision });
    t.match(await failureOf(readAt(old)), { sort: 'refused', reason: 'compacted' });
    t.match(await readAt(middle), { kvs: [{ value: bytesOf('2') }] });
    t.match(await failureOf(readAt(newest + 1)), { sort: 'refused', reason: 'futureRevision' });
    t.match(await failureOf(client.compact(middle)), { reason: 'compacted' });
    t.match(await failureOf(client.compact(newest + 1)), { reason: 'futureRevision' });
    const inTxn = client.txn({ success: [{ range: { key, revision: old } }] });
    t.match(await failureOf(inTxn), { reason: 'compacted' });
    t.equal(await client.compact(newest), newest);
    t.match(await client.range({ key }), { kvs: [{ value: bytesOf('3'), version: 3 }] });
  },

  'ranges without a key are refused': async (t, client) => {
    const failure = await failureOf(client.range({ key: bytesOf('') }));
    t.match(failure, { sort: 'refused', message: 'etcdserver: key is not provided' });
  },
};

const DUPLICATE = 'duplicate key given in txn request';
