/**
 * A power cut leaves a part of a store whose commits do not wait for the disk. The files are put
 * together from a state that was flushed and a later one that was not: any part of it may be there.
 * `npm run check:power-cuts` records what servers write, and cuts the power at any moment.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import t from 'tap';
import { STORE_PAGE_BYTES } from '../../src/limits.ts';
import { RegularFlusher } from '../../src/storage/flusher.ts';
import { FLUSH_INTERVAL_MS, FLUSH_MS_MAX } from '../../src/storage/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Durability, Store } from '../../src/storage/store.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { Random } from '../support/random.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { until } from '../support/owned-objects.ts';
import { scanned } from './log-entries.ts';

const CUTS = 20;
const SECTOR_BYTES = 512;
const PIECES = [SECTOR_BYTES, 4_096, STORE_PAGE_BYTES] as const;
const CUSTOM = 'widgets.example.com/1';

function fileIn(folder: string): string {
  return join(folder, 'store', 'data.mdb');
}

/** A folder with a store of these bytes. */
function folderWith(bytes: Buffer): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'store'));
  writeFileSync(fileIn(folder), bytes);
  return folder;
}

/** Appends to a built-in type and a custom one, dropping old ones, and changes a setting. */
async function write(store: Store, from: number, commits: number, random: Random): Promise<void> {
  const logs = [store.openLog('a'), store.openLog('b'), store.openCustomLog(CUSTOM)];
  for (let commit = 0; commit < commits; commit++) {
    const rv = from + commit;
    const value = Buffer.alloc(random.pick([20, 900, 5_000, 40_000]), `${rv} `);
    const removal = commit % 3 === 0 ? { rvs: [rv - 20], horizon: rv - 19 } : undefined;
    await logs[rv % 3]?.append([{ rv, value }], removal);
    if (commit % 5 === 0) store.local.swap('last', () => String(rv));
  }
}

function contentOf(store: Store): unknown {
  const logs = [store.openLog('a'), store.openLog('b'), store.openCustomLog(CUSTOM)];
  return [store.local.get('last'), logs.map((log) => [log.horizon(), log.count(), scanned(log)])];
}

/** The file as it was flushed, with random pieces of what it became. */
function cutAfter(flushed: Buffer, later: Buffer, random: Random): Buffer {
  const pieceBytes = random.pick(PIECES);
  const kept = random.pick([0.1, 0.5, 0.9]);
  const bytes = Buffer.alloc(random.fraction() < 0.5 ? flushed.length : later.length);
  flushed.copy(bytes);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (random.fraction() < kept) later.copy(bytes, at, at, at + pieceBytes);
  }
  return bytes;
}

t.test('whatever is lost of what was not flushed, the store is as it was flushed', async (t) => {
  const folder = temporaryFolder();
  const random = new Random(1);
  const store = openStore(
    { dataDir: folder, durability: 'relaxed' },
    { timers: new ManualTimers() },
  );
  for (let rv = 100, round = 0; round < 4; round++, rv += 200) {
    await write(store, rv, 100, random);
    await store.local.put('round', String(round));
    const expected = contentOf(store);
    const flushed = readFileSync(fileIn(folder));
    await write(store, rv + 100, random.pick([1, 3, 60]), random);
    const later = readFileSync(fileIn(folder));
    for (let cut = 0; cut < CUTS / 4; cut++) {
      const left = folderWith(cutAfter(flushed, later, random));
      const again = openStore({
        dataDir: left,
        durability: random.pick<Durability>(['fsync', 'relaxed']),
      });
      t.same(contentOf(again), expected, `cut ${cut} of round ${round}`);
      t.equal(again.local.get('round'), String(round), 'what a setting says was flushed');
      await write(again, 10_000, 4, random);
      const written = contentOf(again);
      await again.close();
      const closed = openStore({ dataDir: left, durability: 'fsync' });
      t.same(contentOf(closed), written, 'and it goes on from there');
      await closed.close();
    }
  }
  await store.close();
});

t.test(
  'what was committed is flushed from time to time, and when the store is closed',
  async (t) => {
    const folder = temporaryFolder();
    const timers = new ManualTimers();
    const store = openStore({ dataDir: folder, durability: 'relaxed' }, { timers });
    const log = store.openLog('a');
    const append = (rv: number) => log.append([{ rv, value: Buffer.from('value') }]);
    const versionsAfterCut = async (): Promise<number[]> => {
      const lines: string[] = [];
      const left = folderWith(readFileSync(fileIn(folder)));
      const again = openStore(
        { dataDir: left, durability: 'fsync' },
        { tell: (line) => lines.push(line) },
      );
      const versions = scanned(again.openLog('a')).map(([rv]) => rv);
      await again.close();
      const isToldOf = lines.some((line) => line.includes('not all on the disk'));
      t.equal(isToldOf, versions.length < scanned(log).length, 'it is said that writes are gone');
      return versions;
    };
    await store.local.put('begun', 'yes');
    await append(1);
    // A copy is another file: what the system still holds of this one may not be in it.
    t.same(await versionsAfterCut(), []);
    timers.pass(FLUSH_INTERVAL_MS);
    await until(async () => (await versionsAfterCut()).length === 1);
    await append(2);
    t.same(await versionsAfterCut(), [1]);
    await store.close();
    const again = openStore({ dataDir: folder, durability: 'fsync' });
    t.same(
      scanned(again.openLog('a')).map(([rv]) => rv),
      [1, 2],
    );
    await again.close();
  },
);

t.test('a file that is as its process left it goes on with the newest commit', async (t) => {
  const folder = temporaryFolder();
  const store = openStore(
    { dataDir: folder, durability: 'relaxed' },
    { timers: new ManualTimers() },
  );
  const log = store.openLog('a');
  await log.append([{ rv: 1, value: Buffer.from('flushed') }]);
  await store.local.put('begun', 'yes');
  const flushed = readFileSync(fileIn(folder));
  await log.append([{ rv: 2, value: Buffer.from('not flushed') }]);
  const later = readFileSync(fileIn(folder));
  await store.close();
  const versionsOf = async (bytes: Buffer): Promise<number[]> => {
    writeOver(fileIn(folder), bytes);
    const again = openStore({ dataDir: folder, durability: 'relaxed' });
    const versions = scanned(again.openLog('a')).map(([rv]) => rv);
    await again.close();
    return versions;
  };
  t.same(await versionsOf(later), [1, 2], 'the system has kept what the process wrote');
  const torn = Buffer.from(later);
  flushed.copy(torn, 2 * STORE_PAGE_BYTES, 2 * STORE_PAGE_BYTES);
  torn.fill(0, flushed.length);
  t.same(await versionsOf(torn), [1], 'where a part of it is lost, with what was flushed');
  torn.fill(0, 2 * STORE_PAGE_BYTES);
  t.throws(() => {
    writeOver(fileIn(folder), torn);
    openStore({ dataDir: folder, durability: 'relaxed' });
  }, /is damaged/);
});

/** Keeps the file itself. */
function writeOver(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
}

t.test('of an earlier version, what the library had flushed counts', async (t) => {
  const folder = temporaryFolder();
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const path = join(folder, 'store');
  const old = open<Buffer, Buffer>({
    path,
    ...binary,
    overlappingSync: true,
    pageSize: STORE_PAGE_BYTES,
  });
  const settings = old.openDB<string, string>({ name: '_settings', encoding: 'string' });
  await settings.put('format', '1');
  await settings.put('highWater', '5');
  await settings.flushed;
  const flushed = readFileSync(fileIn(folder));
  await settings.put('highWater', '9');
  const later = readFileSync(fileIn(folder));
  await old.close();
  // Only roots have come to the disk, and it was another run of the system.
  const cut = Buffer.from(flushed);
  for (const root of [0, STORE_PAGE_BYTES]) {
    later.copy(cut, root, root, root + SECTOR_BYTES);
    cut.writeBigUInt64LE(1n, root + 160);
  }
  const store = openStore({ dataDir: folderWith(cut), durability: 'relaxed' });
  t.equal(store.shared.get('highWater'), '5');
  await store.close();
});

interface Flush {
  done: () => void;
  fail: (error: Error) => void;
}

/** A disk that takes what it is given when the test says so. */
function slowDisk() {
  const flushes: Flush[] = [];
  const said: string[] = [];
  let readers = 0;
  const flusher = {
    isDone: false,
    flush: () => {
      said.push('flush');
      return new Promise<void>((done, fail) => flushes.push({ done, fail }));
    },
    flushNow: () => void said.push('flush now'),
  };
  const environment = {
    resetReadTxn: () => undefined,
    useReadTransaction: () => {
      const reader = ++readers;
      said.push(`hold ${reader}`);
      return { done: () => void said.push(`let go ${reader}`) };
    },
  };
  return { flushes, said, flusher, environment };
}

t.test('what was flushed is held until the next flush is done', async (t) => {
  const { flushes, said, flusher, environment } = slowDisk();
  const timers = new ManualTimers();
  const regular = new RegularFlusher(environment, flusher, timers, FLUSH_MS_MAX, t.fail.bind(t));
  timers.pass(FLUSH_INTERVAL_MS);
  t.same(said.splice(0), ['hold 1', 'hold 2', 'flush']);
  timers.pass(FLUSH_MS_MAX - FLUSH_INTERVAL_MS);
  t.same(said.splice(0), [], 'one at a time');
  timers.pass(FLUSH_INTERVAL_MS);
  t.same(said.splice(0), ['flush now'], 'whoever writes has to wait for a slow disk');
  flushes[0]?.done();
  await new Promise(setImmediate);
  t.same(said.splice(0), ['let go 1']);
  flusher.isDone = true;
  timers.pass(FLUSH_INTERVAL_MS);
  t.same(said.splice(0), [], 'nothing was written since');
  const stopped = regular.stop();
  await new Promise(setImmediate);
  flushes[1]?.done();
  await stopped;
  t.same(said, ['flush', 'let go 2']);
  t.equal(timers.size, 0);
});

t.test('a disk that does not take it is told of', async (t) => {
  const { flushes, flusher, environment } = slowDisk();
  const timers = new ManualTimers();
  const errors: Error[] = [];
  new RegularFlusher(environment, flusher, timers, FLUSH_MS_MAX, (error) => errors.push(error));
  timers.pass(FLUSH_INTERVAL_MS);
  flushes[0]?.fail(new Error('EIO'));
  await new Promise(setImmediate);
  t.match(errors, [{ message: 'EIO' }]);
});

t.end();
