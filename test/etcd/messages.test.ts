import t from 'tap';
import { prefixEnd } from '../../src/etcd/keys.ts';
import type { RangeAnswer, TxnMessage, WatchMessage } from '../../src/etcd/message-types.ts';
import { etcdCodecs, writtenInt64 } from '../../src/etcd/messages.ts';
import { txnMessage, watchMessage } from '../../src/etcd/to-messages.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';

const codecs = etcdCodecs(ETCD_MESSAGES);
const key = Buffer.from('key');

t.test('numbers of 64 bits are exact', async (t) => {
  const { LeaseGrantRequest } = codecs;
  for (const id of [1n, 127n, 128n, 2n ** 49n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -1n]) {
    const bytes = LeaseGrantRequest.encode({ ID: writtenInt64(id) });
    const { ID } = LeaseGrantRequest.decode(bytes) as { readonly ID: number | bigint };
    t.equal(BigInt(ID), id, String(id));
    t.equal(typeof ID, Number.isSafeInteger(Number(id)) ? 'number' : 'bigint', String(id));
  }
  // Revision 2^64 - 1 of a header is unsigned where the protocol says so.
  const header = { clusterId: writtenInt64(-1n), revision: Number.MAX_SAFE_INTEGER };
  const answer = codecs.RangeResponse.decode(codecs.RangeResponse.encode({ header }));
  t.match((answer as RangeAnswer).header, {
    clusterId: 2n ** 64n - 1n,
    revision: Number.MAX_SAFE_INTEGER,
  });
});

t.test('a number that ends too early is refused', async (t) => {
  const bytes = codecs.LeaseGrantRequest.encode({ TTL: 300 });
  for (const short of [bytes.subarray(0, -1), Buffer.concat([bytes.subarray(0, 1)])]) {
    t.throws(() => codecs.LeaseGrantRequest.decode(short), RangeError);
  }
  t.throws(() => codecs.LeaseGrantRequest.decode(Buffer.from(`08${'ff'.repeat(11)}`, 'hex')));
});

t.test('what was not sent is the value for none', async (t) => {
  const answer = codecs.RangeResponse.decode(Buffer.alloc(0)) as RangeAnswer;
  t.match(answer, { header: null, kvs: [], more: false, count: 0 });
});

t.test('a transaction arrives as it was asked for', async (t) => {
  const bytes = codecs.TxnRequest.encode(
    txnMessage({
      compare: [
        { key, is: '=', createRevision: 0 },
        { key, is: '!=', lease: 2n ** 62n },
        { key, rangeEnd: prefixEnd(key), is: '<', value: Buffer.from('v') },
      ],
      success: [{ put: { key, value: Buffer.from('v'), lease: 5n, prevKv: true } }],
      failure: [{ delete: { key } }, { range: { key, limit: 1 } }],
    }),
  );
  const { compare, success, failure } = codecs.TxnRequest.decode(bytes) as TxnMessage;
  t.match(compare, [
    { key, result: 0, target: 1, createRevision: 0 },
    { key, result: 3, target: 4, lease: 2n ** 62n },
    { key, rangeEnd: Buffer.from('kez'), result: 2, target: 3, value: Buffer.from('v') },
  ]);
  t.match(success, [{ requestPut: { key, value: Buffer.from('v'), lease: 5, prevKv: true } }]);
  t.match(failure, [{ requestDeleteRange: { key } }, { requestRange: { key, limit: 1 } }]);
});

t.test('a watch arrives as it was asked for', async (t) => {
  const bytes = codecs.WatchRequest.encode(watchMessage({ key, prevKv: true }, 7, 3));
  const { createRequest } = codecs.WatchRequest.decode(bytes) as WatchMessage;
  t.match(createRequest, { key, prevKv: true, watchId: 7, startRevision: 3, fragment: true });
});

t.test('the range of a prefix ends behind all keys that begin with it', async (t) => {
  const end = (...bytes: number[]): number[] => [...prefixEnd(Uint8Array.from(bytes))];
  t.same(end(1, 2), [1, 3]);
  t.same(end(1, 0xff, 0xff), [2]);
  t.same(end(0xff), [0]);
  t.same(end(), [0]);
});
