/** Views that are read of etcd in pieces, and of a long history. */
import t from 'tap';
import type { EtcdClient, RangeResult } from '../../src/etcd/etcd.ts';
import { RANGE_BYTES, RANGE_OBJECTS } from '../../src/journal/limits.ts';
import { encodeRecord, OPERATION } from '../../src/storage/record.ts';
import type { LogEntry } from '../../src/storage/store.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { DecoratedLog } from '../../src/storage/decorated-log.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { entry, ServerUnderTest, type TypeUnderTest } from '../support/journal-under-test.ts';

const GROUP = 100;

/** Objects whose names come in another order than their versions. */
async function appendMany(own: TypeUnderTest, count: number): Promise<void> {
  for (let rv = 1; rv <= count; rv += GROUP) {
    const versions = Array.from({ length: GROUP }, (_, at) => rv + at);
    await own.append(...versions.map((version) => entry(version, `ns/${count - version}`)));
  }
}

/** Tells of each answer to a range of several keys. */
function onPieces(client: EtcdClient, told: (piece: RangeResult) => Promise<void>): void {
  const range = client.range.bind(client);
  Object.assign(client, {
    range: async (...args: Parameters<typeof range>) => {
      const result = await range(...args);
      if (args[0].limit !== undefined) await told(result);
      return result;
    },
  });
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

t.test('a piece is stored before the one after the next is asked for', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const count = 6 * RANGE_OBJECTS;
  await appendMany(await owner.openOwned(t, 'configmaps'), count);
  const { revision } = await owner.client.range({ key: owner.keys.version });
  await owner.client.compact(revision);
  const follower = new ServerUnderTest(t, [url]);
  let read = 0;
  let stored = 0;
  const ahead: number[] = [];
  onPieces(follower.client, async ({ kvs }) => {
    read += kvs.length;
    ahead.push(read - stored);
  });
  class Counted extends DecoratedLog {
    override async fill(entries: readonly LogEntry[]): Promise<void> {
      await super.fill(entries);
      stored += entries.length;
    }
  }
  const view = new Counted(new MemoryStore().openLog('configmaps'));
  const followed = await follower.open(t, 'configmaps', view);
  t.same(followed.versions, upTo(count), 'in the order of versions');
  t.equal(view.horizon(), count);
  t.ok(ahead.length > 6);
  t.ok(Math.max(...ahead) <= 2 * RANGE_OBJECTS, `${Math.max(...ahead)} objects at a time`);
});

t.test('pieces of long objects are short', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  const long = 'x'.repeat(RANGE_BYTES / 10);
  for (let rv = 1; rv <= 60; rv++) {
    const header = { operation: OPERATION.added, timeMs: rv, previousRv: 0, labels: undefined };
    const value = encodeRecord({ ...header, key: `ns/${rv}`, fields: [] }, `"a":"${long}"}`);
    await own.append({ rv, value });
  }
  await owner.client.compact((await owner.client.range({ key: owner.keys.version })).revision);
  const follower = new ServerUnderTest(t, [url]);
  const lengths: number[] = [];
  onPieces(follower.client, async ({ kvs }) => void lengths.push(kvs.length));
  t.same((await follower.open(t, 'configmaps')).versions, upTo(60));
  t.same(lengths, [32, 9, 9, 9, 1]);
});

t.test('what etcd forgets while it is read is read anew, as of now', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  await appendMany(own, RANGE_OBJECTS);
  const put = { key: owner.keys.history, value: Buffer.from('') };
  const { revision } = await owner.client.range({ key: owner.keys.version });
  await owner.client.txn({ success: [{ put: { ...put, value: Buffer.from(`${revision}`) } }] });
  const follower = new ServerUnderTest(t, [url]);
  let pieces = 0;
  onPieces(follower.client, async () => {
    pieces += 1;
    if (pieces !== 2) return;
    await own.append(entry(RANGE_OBJECTS + 1, 'ns/0', OPERATION.deleted));
    await owner.client.compact((await owner.client.range({ key: owner.keys.version })).revision);
  });
  const followed = await follower.open(t, 'configmaps');
  t.ok(pieces > 2);
  t.same(followed.versions, upTo(RANGE_OBJECTS - 1), 'what was stored of before is gone');
  t.equal(followed.view.horizon(), RANGE_OBJECTS + 1, 'and history begins there');
  t.same(follower.objects, { read: RANGE_OBJECTS - 1, of: RANGE_OBJECTS - 1 });
  await own.append(entry(RANGE_OBJECTS + 2, 'ns/new'));
  t.same((await followed.newestVersions()).at(-1), RANGE_OBJECTS + 2);
});

t.test('groups of a history are stored many at a time', async (t) => {
  const { url } = await startDouble(t);
  const owner = new ServerUnderTest(t, [url]);
  const own = await owner.openOwned(t, 'configmaps');
  for (let rv = 1; rv <= 300; rv++) await own.append(entry(rv, `ns/${rv % 7}`));
  let appends = 0;
  class Counted extends DecoratedLog {
    override async append(entries: readonly LogEntry[]): Promise<void> {
      appends += 1;
      await super.append(entries);
    }
  }
  const view = new Counted(new MemoryStore().openLog('configmaps'));
  const later = await new ServerUnderTest(t, [url]).open(t, 'configmaps', view);
  t.same(later.versions, upTo(300), 'each once, in their order');
  t.ok(appends < 150, `${appends} commits`);
});
