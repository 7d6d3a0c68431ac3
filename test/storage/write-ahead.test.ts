/**
 * With the durability fsync a write is on the disk when its append resolves: in the write-ahead
 * log, while the store itself may still be as it was flushed last.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { openStore } from '../../src/storage/open-store.ts';
import {
  decodeRecordHeader,
  encodeRecord,
  OPERATION,
  type RecordHeader,
} from '../../src/storage/record.ts';
import { salvage } from '../../src/storage/salvage/salvage.ts';
import type { Store } from '../../src/storage/store.ts';
import { groupsFrom } from '../../src/storage/write-ahead/group.ts';
import { FLUSH_INTERVAL_MS } from '../../src/storage/limits.ts';
import { SEGMENT_BYTES } from '../../src/storage/write-ahead/limits.ts';
import { aheadFiles } from '../../src/storage/write-ahead/read-ahead.ts';
import { WriteAhead } from '../../src/storage/write-ahead/write-ahead.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { Random } from '../support/random.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { scanned } from './log-entries.ts';

const MEBIBYTE = 1024 * 1024;
const CUSTOM = 'widgets.example.com/1';
const DROPPED = 'gadgets.example.com/2';
const HEADER: RecordHeader = {
  operation: OPERATION.added,
  timeMs: 1_700_000_000_123,
  previousRv: 0,
  key: 'ns/name',
  labels: undefined,
  fields: [],
};

function storeOf(folder: string): string {
  return join(folder, 'store');
}

function openDurably(folder: string): Store {
  return openStore({ dataDir: folder, durability: 'fsync' }, { timers: new ManualTimers() });
}

/** The file of the store, as it is now. */
function storeBytes(folder: string): Buffer {
  return readFileSync(join(storeOf(folder), 'data.mdb'));
}

/** The folder after a power cut that has left these bytes of the store. */
function afterCut(folder: string, store: Buffer): string {
  const left = temporaryFolder();
  mkdirSync(join(storeOf(left), 'write-ahead'), { recursive: true });
  for (const file of aheadFiles(storeOf(folder))) {
    copyFileSync(file, join(storeOf(left), 'write-ahead', basename(file)));
  }
  writeFileSync(join(storeOf(left), 'data.mdb'), store);
  return left;
}

/** Each of the two as it is, or as it was. */
function mixed(flushed: Buffer, later: Buffer, random: Random): Buffer {
  const bytes = Buffer.alloc(later.length);
  flushed.copy(bytes);
  for (let at = 0; at < bytes.length; at += 4_096) {
    if (random.fraction() < 0.5) later.copy(bytes, at, at, at + 4_096);
  }
  return bytes;
}

/** Appends to two built-in types and a custom one; of each what is older than ten commits goes. */
async function write(store: Store, from: number, commits: number, random: Random): Promise<void> {
  const logs = [store.openLog('a'), store.openLog('b'), store.openCustomLog(CUSTOM)];
  for (let commit = 0; commit < commits; commit++) {
    const rv = from + 2 * commit;
    const value = (of: number): Buffer =>
      Buffer.alloc(random.pick([20, 900, 5_000, 40_000]), `${of} `);
    const entries = [rv, rv + 1].map((of) => ({ rv: of, value: value(of) }));
    const rvs = [rv - 60, rv - 59];
    const removal = commit > 30 ? { rvs, horizon: rv - 58 } : undefined;
    await logs[commit % 3]?.append(entries, removal);
  }
}

function contentOf(store: Store): unknown {
  const logs = [store.openLog('a'), store.openLog('b'), store.openCustomLog(CUSTOM)];
  return logs.map((log) => [log.horizon(), log.count(), scanned(log)]);
}

t.test('all that was answered is there after a power cut', async (t) => {
  const folder = temporaryFolder();
  const random = new Random(7);
  const store = openDurably(folder);
  for (let round = 0, rv = 1_000; round < 4; round++, rv += 1_000) {
    await write(store, rv, 50, random);
    await store.local.put('round', String(round));
    const flushed = storeBytes(folder);
    await write(store, rv + 500, random.pick([1, 40, 200]), random);
    const later = storeBytes(folder);
    const expected = contentOf(store);
    for (const bytes of [flushed, mixed(flushed, later, random), mixed(flushed, later, random)]) {
      const left = afterCut(folder, bytes);
      const lines: string[] = [];
      const tell = (line: string): void => void lines.push(line);
      const again = openStore({ dataDir: left, durability: 'fsync' }, { tell });
      t.same(contentOf(again), expected, `round ${round}`);
      t.same(lines, [], 'nothing is said to be lost');
      await write(again, 90_000, 40, random);
      const written = contentOf(again);
      await again.close();
      t.same(aheadFiles(storeOf(left)), [], 'a store that was closed has all of it');
      const closed = openStore({ dataDir: left, durability: 'relaxed' });
      t.same(contentOf(closed), written);
      await closed.close();
    }
  }
  await store.close();
});

t.test('what the store has already is not taken over again', async (t) => {
  const folder = temporaryFolder();
  const random = new Random(3);
  const store = openDurably(folder);
  await write(store, 1_000, 100, random);
  const expected = contentOf(store);
  await store.local.put('all', 'flushed');
  const left = afterCut(folder, storeBytes(folder));
  const [file = ''] = aheadFiles(storeOf(left));
  t.ok(readFileSync(file).length > 0, 'its writes are ahead as well');
  for (const durability of ['relaxed', 'fsync'] as const) {
    const again = openStore({ dataDir: left, durability });
    t.same(contentOf(again), expected);
    await again.close();
  }
  await store.close();
});

t.test('a custom type that was dropped stays so; one that was made is there', async (t) => {
  const folder = temporaryFolder();
  const store = openDurably(folder);
  await store.local.put('begun', 'yes');
  const entry = { rv: 1, value: Buffer.from('value') };
  await store.openCustomLog(DROPPED).append([entry]);
  await store.openCustomLog(CUSTOM).append([entry]);
  await store.dropLog(DROPPED);
  const left = afterCut(folder, storeBytes(folder));
  const again = openStore({ dataDir: left, durability: 'fsync' });
  t.same(again.customLogs(), [CUSTOM]);
  await again.finishDrops();
  t.same(scanned(again.openCustomLog(CUSTOM)), [[1, 'value']]);
  t.equal(again.openCustomLog(DROPPED).count(), 0);
  await again.close();
  await store.close();
});

t.test('what fills a log in any order is there after a power cut', async (t) => {
  const folder = temporaryFolder();
  const store = openDurably(folder);
  const logs = [store.openLog('a'), store.openCustomLog(CUSTOM)];
  const entry = (rv: number) => ({ rv, value: Buffer.from(`value ${rv}`) });
  for (const log of logs) {
    await log.fill([entry(9), entry(10)]);
    await log.fill([entry(3)]);
    await log.append([entry(11)]);
  }
  const left = afterCut(folder, storeBytes(folder));
  const again = openStore({ dataDir: left, durability: 'fsync' });
  for (const log of [again.openLog('a'), again.openCustomLog(CUSTOM)]) {
    t.same(
      scanned(log).map(([rv]) => rv),
      [3, 9, 10, 11],
    );
    t.equal(log.count(), 4);
  }
  await again.close();
  await store.close();
});

t.test('files are used anew when the store has been flushed', async (t) => {
  const folder = temporaryFolder();
  const store = openDurably(folder);
  // Nothing of it is compressed.
  const log = store.openLog('secrets');
  await store.local.put('begun', 'yes');
  const begun = storeBytes(folder);
  const appends = (4 * SEGMENT_BYTES) / MEBIBYTE;
  for (let rv = 1; rv <= appends; rv++) {
    await log.append([{ rv, value: Buffer.alloc(MEBIBYTE, rv) }]);
  }
  const files = aheadFiles(storeOf(folder));
  t.equal(files.length, 2);
  for (const file of files) t.ok(readFileSync(file).length <= SEGMENT_BYTES + 2 * MEBIBYTE);
  t.notSame(storeBytes(folder).subarray(0, 32_768), begun.subarray(0, 32_768), 'it was flushed');
  const left = afterCut(folder, storeBytes(folder));
  const again = openStore({ dataDir: left, durability: 'fsync' });
  t.equal(again.openLog('secrets').count(), appends);
  await again.close();
  await store.close();
});

t.test(
  'a write that the power has cut, before what its file held earlier, is left out',
  async (t) => {
    const folder = temporaryFolder();
    const store = openDurably(folder);
    // Nothing of it is compressed.
    const log = store.openLog('secrets');
    const usesOf = (file: string): bigint[] => {
      return groupsFrom(readFileSync(file), 0).map(({ use }) => use);
    };
    let rv = 0;
    let file: string | undefined;
    while (file === undefined) {
      rv += 1;
      await log.append([{ rv, value: Buffer.alloc(4 * MEBIBYTE, rv) }]);
      file = aheadFiles(storeOf(folder)).find((one) => {
        const [first, second] = usesOf(one);
        return second !== undefined && first !== second;
      });
    }
    const left = afterCut(folder, storeBytes(folder));
    const torn = aheadFiles(storeOf(left)).find((one) => basename(one) === basename(file ?? ''));
    const bytes = readFileSync(torn ?? '');
    bytes.fill(0, 8_192, MEBIBYTE);
    writeFileSync(torn ?? '', bytes);
    const again = openStore({ dataDir: left, durability: 'fsync' });
    t.equal(again.openLog('secrets').count(), rv - 1);
    await again.close();
    await store.close();
  },
);

/** A folder whose store lacks what is ahead, and the groups that are there. */
async function cutFolder() {
  const folder = temporaryFolder();
  const store = openDurably(folder);
  const log = store.openLog('a');
  store.makeLogs(['a']);
  const begun = storeBytes(folder);
  const wire = '"metadata":{"name":"name"}}';
  for (let rv = 1; rv <= 5; rv++) {
    await log.append([{ rv, value: encodeRecord({ ...HEADER, previousRv: rv - 1 }, wire) }]);
  }
  const left = afterCut(folder, begun);
  await store.close();
  const [file = ''] = aheadFiles(storeOf(left));
  const bytes = readFileSync(file);
  return { left, file, bytes, groups: groupsFrom(bytes, 0) };
}

t.test('a group that was being written when the power went is left out', async (t) => {
  const { left, file, bytes, groups } = await cutFolder();
  t.equal(groups.length, 5);
  const before = groups[3]?.end ?? 0;
  bytes.fill(0, before + 30, groups[4]?.end);
  writeFileSync(file, bytes);
  const again = openStore({ dataDir: left, durability: 'fsync' });
  t.same(
    scanned(again.openLog('a')).map(([rv]) => rv),
    [1, 2, 3, 4],
  );
  await again.close();
});

t.test('what stands behind a group that cannot be read is not passed over', async (t) => {
  for (const damagedGroup of [0, 2]) {
    const { left, file, bytes, groups } = await cutFolder();
    const start = groups[damagedGroup - 1]?.end ?? 0;
    bytes[start + 40] = (bytes[start + 40] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    t.throws(() => openStore({ dataDir: left, durability: 'fsync' }), {
      name: 'StoreError',
      message: /^the write-ahead file .* is damaged on the disk: restore the data folder/,
    });
    const found = salvage(join(storeOf(left), 'data.mdb'));
    t.match(found.damage, [/^the write-ahead file .*: what was written last cannot all be read/]);
    t.equal(found.logs.find(({ log }) => log === 'a')?.records, damagedGroup);
    found.close();
  }
});

t.test('what is ahead of a store is salvaged with it', async (t) => {
  const { left } = await cutFolder();
  const found = salvage(join(storeOf(left), 'data.mdb'));
  t.same(found.damage, []);
  t.equal(found.lastRv, 5);
  const keys: unknown[] = [];
  found.visit(({ log }, rv, record) => keys.push([log, rv, decodeRecordHeader(record).key]));
  t.same(
    keys,
    [1, 2, 3, 4, 5].map((rv) => ['a', rv, HEADER.key]),
  );
  found.close();
});

/** A write-ahead log alone, in front of a store that the test plays. */
function alone() {
  const folder = temporaryFolder();
  let flushes = 0;
  const failing = { flush: false, room: false };
  const ahead = new WriteAhead({
    folder,
    checkRoom: () => {
      if (failing.room) throw new Error('no room');
    },
    flush: () => {
      flushes += 1;
      return failing.flush ? Promise.reject(new Error('EIO')) : Promise.resolve();
    },
  });
  const append = { log: 'a', entries: [{ rv: 1, value: Buffer.from('value') }] };
  const groups = (): number =>
    aheadFiles(folder)
      .map((file) => groupsFrom(readFileSync(file), 0).length)
      .reduce((sum, count) => sum + count, 0);
  return { ahead, append, failing, groups, flushes: () => flushes };
}

t.test('what one turn appends is one write; nobody is answered before', async (t) => {
  const { ahead, append, groups, flushes } = alone();
  const commits = Array.from({ length: 3 }, () => ahead.made(Promise.resolve(), append));
  t.equal(groups(), 0);
  await Promise.all(commits);
  t.equal(groups(), 1);
  t.equal(flushes(), 0, 'the store need not be flushed');
  ahead.close();
});

t.test('where nothing can be written ahead the store is flushed', async (t) => {
  const { ahead, append, failing, groups, flushes } = alone();
  failing.room = true;
  await ahead.made(Promise.resolve(), append);
  t.equal(flushes(), 1);
  await ahead.made(Promise.resolve());
  t.equal(flushes(), 2, 'so it is for what is not an append');
  failing.flush = true;
  await t.rejects(ahead.made(Promise.resolve(), append), { message: 'EIO' });
  t.equal(groups(), 0);
  ahead.close();
});

t.test('what the store has refused does not come back', async (t) => {
  const { ahead, append, groups } = alone();
  await ahead.made(Promise.resolve(), append);
  const refused = ahead.made(Promise.reject(new Error('full')), append);
  const beside = ahead.made(Promise.resolve(), append);
  await t.rejects(refused, { message: 'full' });
  await beside;
  t.equal(groups(), 0, 'the store was flushed, and the files are empty');
  await ahead.made(Promise.resolve(), append);
  t.equal(groups(), 1, 'and they are written to again');
  ahead.close();
});

t.test('the store is flushed from time to time', async (t) => {
  const folder = temporaryFolder();
  const timers = new ManualTimers();
  const store = openStore({ dataDir: folder, durability: 'fsync' }, { timers });
  await store.openLog('a').append([{ rv: 1, value: Buffer.from('value') }]);
  const before = storeBytes(folder);
  timers.pass(FLUSH_INTERVAL_MS);
  const markAt = (16_384 * 3) / 4;
  const mark = (bytes: Buffer): Buffer => bytes.subarray(markAt, markAt + 512);
  while (mark(storeBytes(folder)).equals(mark(before))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.pass('the mark says so');
  await store.close();
});

t.end();
