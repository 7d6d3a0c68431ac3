import type { Compare, EtcdClient, KeyValue, Operation } from '../../src/etcd/etcd.ts';
import { bytesOf, keysOf, lineOf, put, remove, write } from '../support/etcd/requests.ts';
import type { Scenario } from '../support/etcd/under-test.ts';

const key = bytesOf('compared');

/** Comparisons of a key that was put twice, the second time with `b`; and whether they hold. */
function comparisons(created: number, changed: number): readonly [Compare, boolean][] {
  return [
    [{ key, is: '=', createRevision: created }, true],
    [{ key, is: '!=', createRevision: created }, false],
    [{ key, is: '=', modRevision: changed }, true],
    [{ key, is: '<', modRevision: changed }, false],
    [{ key, is: '>', modRevision: created }, true],
    [{ key, is: '=', version: 2 }, true],
    [{ key, is: '=', version: 0 }, false],
    [{ key, is: '=', value: bytesOf('b') }, true],
    [{ key, is: '>', value: bytesOf('a') }, true],
    [{ key, is: '<', value: bytesOf('aa') }, false],
    [{ key, is: '=', lease: 0n }, true],
    [{ key, is: '<', lease: 2n ** 62n }, true],
    [{ ...keysOf('compare*'), is: '=', version: 2 }, true],
    [{ ...keysOf('compare*'), is: '>', createRevision: created }, false],
    [{ key: bytesOf('none'), is: '=', createRevision: 0 }, true],
    [{ key: bytesOf('none'), is: '>', version: 0 }, false],
    [{ key: bytesOf('none'), is: '=', value: bytesOf('') }, false],
    [{ ...keysOf('none*'), is: '=', modRevision: 0 }, true],
    [{ ...keysOf('none*'), is: '!=', value: bytesOf('x') }, false],
  ];
}

async function read(client: EtcdClient, keys: string, revision?: number): Promise<string[]> {
  const { kvs } = await client.range({
    ...keysOf(keys),
    ...(revision === undefined ? {} : { revision }),
  });
  return kvs.map(lineOf);
}

export const TXN_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'what is written at once has one revision': async (t, client) => {
    const { revision: before } = await client.range({ key: bytesOf('x') });
    const first = await write(client, put('one/a', '1'), put('one/b', '2'));
    t.equal(first, before + 1);
    const second = await write(client, put('one/b', '3'), remove('one/a'), put('one/c', ''));
    t.equal(second, first + 1);
    t.same(await read(client, 'one/*'), [
      `one/b=3 created ${first} changed ${second} times 2`,
      `one/c= created ${second} changed ${second} times 1`,
    ]);
    t.same(await read(client, 'one/*', first), [
      `one/a=1 created ${first} changed ${first} times 1`,
      `one/b=2 created ${first} changed ${first} times 1`,
    ]);
    const third = await write(client, put('one/a', '4'));
    t.same(await read(client, 'one/a'), [`one/a=4 created ${third} changed ${third} times 1`]);
  },

  'what writes nothing has no revision': async (t, client) => {
    const revision = await write(client, put('two', '1'));
    const nothing: Operation[][] = [[], [remove('nothing/*')], [{ range: { key } }]];
    for (const success of nothing) t.equal(await write(client, ...success), revision);
    t.equal(await write(client, put('two', '1')), revision + 1, 'the same value is a write');
  },

  'comparisons decide what is done': async (t, client) => {
    const created = await write(client, put('compared', 'a'));
    const changed = await write(client, put('compared', 'b'));
    for (const [compare, holds] of comparisons(created, changed)) {
      const { succeeded } = await client.txn({ compare: [compare] });
      t.equal(
        succeeded,
        holds,
        JSON.stringify(compare, (_, value) => String(value)),
      );
    }
    const both = comparisons(created, changed).map(([compare]) => compare);
    const { succeeded, responses } = await client.txn({
      compare: both,
      success: [put('compared', 'c')],
      failure: [{ range: { key } }],
    });
    t.equal(succeeded, false, 'all must hold');
    t.match(responses, [{ range: { kvs: [{ value: bytesOf('b') }], count: 1, more: false } }]);
  },

  'operations come in order, and see those before them': async (t, client) => {
    const before = await write(client, put('order/a', '0'), put('order/b', '0'));
    const { revision, responses } = await client.txn({
      success: [
        { range: { ...keysOf('order/*'), countOnly: true } },
        { put: { key: bytesOf('order/c'), value: bytesOf('1') } },
        { put: { key: bytesOf('order/a'), value: bytesOf('1'), prevKv: true } },
        { range: keysOf('order/*') },
        { delete: { key: bytesOf('order/b'), prevKv: true } },
        { delete: keysOf('order/b*') },
        { range: keysOf('order/*') },
        { range: { ...keysOf('order/*'), revision: before } },
      ],
    });
    t.equal(revision, before + 1);
    const lines = responses.map((response) => {
      if ('put' in response) return response.put.prevKv && lineOf(response.put.prevKv);
      if ('delete' in response) {
        return [response.delete.deleted, response.delete.prevKvs.map(lineOf)];
      }
      return [response.range.count, response.range.kvs.map(lineOf)];
    });
    const old = (name: string): string =>
      `order/${name}=0 created ${before} changed ${before} times 1`;
    const a = `order/a=1 created ${before} changed ${revision} times 2`;
    const c = `order/c=1 created ${revision} changed ${revision} times 1`;
    t.same(lines, [
      [2, []],
      undefined,
      old('a'),
      [3, [a, old('b'), c]],
      [1, [old('b')]],
      [0, []],
      [2, [a, c]],
      [2, [old('a'), old('b')]],
    ]);
  },

  'a range has its keys in order, as far as its limit': async (t, client) => {
    const names = ['range/b', 'range/a', 'range/\u00e9', 'range/B', 'range/aa', 'range/'];
    const revision = await write(client, ...names.map((name) => put(name, 'v')));
    await write(client, put('range0', 'behind'));
    const sorted = ['range/', 'range/B', 'range/a', 'range/aa', 'range/b', 'range/\u00e9'];
    const all = await client.range(keysOf('range/*'));
    t.same(textsOf(all.kvs), sorted);
    t.match(all, { more: false, count: 6, revision: revision + 1 });
    const some = await client.range({ ...keysOf('range/*'), limit: 2 });
    t.same(textsOf(some.kvs), sorted.slice(0, 2));
    t.match(some, { more: true, count: 6 });
    t.match(await client.range({ ...keysOf('range/*'), limit: 6 }), { more: false, count: 6 });
    const counted = await client.range({ ...keysOf('range/*'), countOnly: true });
    t.match(counted, { kvs: [], more: false, count: 6 });
    const { kvs } = await client.range({ ...keysOf('range/a*'), keysOnly: true });
    t.same(kvs.map(lineOf), [
      `range/a= created ${revision} changed ${revision} times 1`,
      `range/aa= created ${revision} changed ${revision} times 1`,
    ]);
    const open = await client.range({ key: bytesOf('range/b'), rangeEnd: new Uint8Array(1) });
    t.same(textsOf(open.kvs).slice(0, 3), ['range/b', 'range/\u00e9', 'range0']);
    const backwards = await client.range({ key: bytesOf('z'), rangeEnd: bytesOf('a') });
    t.match(backwards, { kvs: [], count: 0, more: false });
    const serializable = await client.range({ ...keysOf('range/*'), serializable: true });
    t.equal(serializable.count, 6);
  },

  'values are bytes, of any length': async (t, client) => {
    const values = [0, 1, 127, 128, 70_000, 1_500_000].map((length) =>
      Buffer.alloc(length, Buffer.from([0, 0xff, 0x80, 10])),
    );
    for (const [at, value] of values.entries()) {
      await client.txn({ success: [{ put: { key: bytesOf(`bytes/${at}`), value } }] });
      const { kvs } = await client.range({ key: bytesOf(`bytes/${at}`) });
      t.ok(Buffer.compare(kvs[0]?.value ?? Buffer.from('?'), value) === 0, String(value.length));
    }
  },

  'the state of the server': async (t, client) => {
    const revision = await write(client, put('status', '1'));
    const status = await client.status();
    t.match(status, { revision, isLearner: false, errors: [], version: /^3\.\d+\.\d+$/ });
    t.ok(status.memberId !== 0n && status.leaderId === status.memberId);
    t.ok(status.clusterId !== 0n && status.raftTerm > 0n);
    t.ok(status.dbSize >= status.dbSizeInUse && status.dbSizeInUse > 0);
  },
};

function textsOf(kvs: readonly KeyValue[]): readonly string[] {
  return kvs.map(({ key }) => Buffer.from(key).toString());
}
