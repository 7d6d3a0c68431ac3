import t from 'tap';
import { moveToEtcd } from '../../src/journal/move.ts';
import { OPERATION } from '../../src/storage/record.ts';
import { MemoryStore } from '../../src/storage/memory-store.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { entry, ServerUnderTest } from '../support/journal-under-test.ts';

t.test('nothing is moved to an etcd that another one has taken meanwhile', async (t) => {
  const etcd = await startDouble(t);
  const log = new MemoryStore().openLog('configmaps');
  await log.append([entry(3, 'ns/a'), entry(4, 'ns/a', OPERATION.deleted)]);
  const logs = new Map([['configmaps', log]]);
  const moving = new ServerUnderTest(t, [etcd.url]);
  await moving.takeOwnership();
  const other = new ServerUnderTest(t, [etcd.url]);
  await other.takeOwnership();
  await t.rejects(moveToEtcd(logs, 4, moving), { code: 503 });
  for (const key of [moving.keys.group('configmaps'), moving.keys.version, moving.keys.history]) {
    t.same((await other.client.range({ key })).kvs, []);
  }
  await moving.takeOwnership();
  t.same(await moveToEtcd(logs, 4, moving), { objects: 0, version: 4 });
});
