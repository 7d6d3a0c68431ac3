// A disk that is nearly full refuses writes, and takes them again when there is room.
import t from 'tap';
import { FREE_SPACE_BYTES_MIN, FREE_SPACE_CHECK_MS } from '../../src/limits.ts';
import { FreeSpace } from '../../src/storage/free-space.ts';
import { openLmdbStore } from '../../src/storage/lmdb-store.ts';
import { StoreError } from '../../src/storage/store.ts';
import { temporaryFolder } from '../support/server-process.ts';

t.test('as long as there is room, and no longer', async (t) => {
  let free = FREE_SPACE_BYTES_MIN;
  let nowMs = 0;
  let looks = 0;
  const look = (): number => {
    looks += 1;
    return free;
  };
  const space = new FreeSpace('/data', look, () => nowMs);
  space.check();
  space.check();
  t.equal(looks, 1, 'it does not look each time');
  free -= 1;
  nowMs += FREE_SPACE_CHECK_MS;
  t.throws(() => space.check(), StoreError);
  t.throws(() => space.check(), { message: /^the disk of \/data has 15 MiB left, and 16 MiB/ });
  free += 1;
  nowMs += FREE_SPACE_CHECK_MS;
  space.check();
  t.equal(looks, 3);
});

t.test('this folder is on some disk', async () => {
  new FreeSpace(import.meta.dirname).check();
});

t.test('a store on such a disk refuses what needs room, and nothing else', async (t) => {
  let free = Infinity;
  const folder = temporaryFolder();
  const store = openLmdbStore(folder, 'fsync', () => free);
  const log = store.openLog('a');
  const entry = (rv: number) => ({ rv, value: Buffer.from('value') });
  await log.append([entry(1), entry(2)]);
  free = 0;
  await new Promise((resolve) => setTimeout(resolve, FREE_SPACE_CHECK_MS));
  await t.rejects(log.append([entry(3)]), StoreError);
  await t.rejects(store.putSetting('name', 'value'), StoreError);
  t.equal(log.read(3), undefined);
  t.same(Buffer.from(log.read(2) ?? []), entry(2).value, 'reads go on');
  await log.append([], { rvs: [1], horizon: 2 });
  t.equal(log.read(1), undefined, 'old versions may leave');
  await store.close();
});
