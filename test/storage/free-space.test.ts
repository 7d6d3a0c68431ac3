// A disk that is nearly full refuses writes, and takes them again when there is room.
import t from 'tap';
import {
  FREE_SPACE_BYTES_MIN,
  FREE_SPACE_CHECK_MS,
  FREE_SPACE_FOR_DELETIONS_BYTES_MIN,
} from '../../src/limits.ts';
import { FreeSpace } from '../../src/storage/free-space.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { StoreError } from '../../src/storage/store.ts';
import { temporaryFolder } from '../support/server-process.ts';

const KEPT = 16 * 1024 * 1024;

t.test('as long as there is room, and no longer', async (t) => {
  let free = KEPT + 5;
  let nowMs = 0;
  let looks = 0;
  const look = (): number => {
    looks += 1;
    return free;
  };
  const space = new FreeSpace('/data', look, () => nowMs);
  space.check(5, KEPT);
  space.check(5, KEPT);
  t.equal(looks, 1, 'it does not look each time');
  t.throws(() => space.check(6, KEPT), StoreError);
  space.take([{ value: new Uint8Array(1) }], KEPT);
  t.throws(() => space.check(5, KEPT), StoreError, 'what was written meanwhile counts');
  free = KEPT - 1;
  nowMs += FREE_SPACE_CHECK_MS;
  t.throws(() => space.check(0, KEPT), {
    message: /^the disk of \/data has 15 MiB left, and 16 MiB/,
  });
  t.doesNotThrow(() => space.check(5, KEPT / 2), 'another may leave less');
  free = KEPT;
  nowMs += FREE_SPACE_CHECK_MS;
  space.check(0, KEPT);
  t.equal(looks, 3);
});

t.test('this folder is on some disk', async () => {
  new FreeSpace(import.meta.dirname).check(0, 1);
});

t.test('a store on such a disk first takes only what makes room, and then nothing', async (t) => {
  let free = Infinity;
  const folder = temporaryFolder();
  const store = openStore({ dataDir: folder, durability: 'fsync' }, { freeBytes: () => free });
  const log = store.openLog('a');
  const entry = (rv: number) => ({ rv, value: Buffer.from('value') });
  const look = () => new Promise((resolve) => setTimeout(resolve, FREE_SPACE_CHECK_MS));
  await log.append([entry(1), entry(2)]);
  log.checkRoom(5);
  free = FREE_SPACE_BYTES_MIN;
  await look();
  t.throws(() => log.checkRoom(5), StoreError);
  await log.append([entry(3)]);
  await store.local.put('name', 'value');
  free = FREE_SPACE_FOR_DELETIONS_BYTES_MIN;
  await look();
  await t.rejects(log.append([entry(4)]), StoreError);
  await t.rejects(store.local.put('name', 'other'), StoreError);
  t.equal(store.local.get('name'), 'value');
  t.equal(log.read(4), undefined);
  t.same(Buffer.from(log.read(3) ?? []), entry(3).value, 'reads go on');
  await log.append([], { rvs: [1], horizon: 2 });
  t.equal(log.read(1), undefined, 'old versions may leave');
  await store.close();
});
