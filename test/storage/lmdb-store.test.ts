/** The store on LMDB does more than the suite: it refuses folders, and stands a full disk. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Test } from 'tap';
import t from 'tap';
import { STORE_PAGE_BYTES } from '../../src/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { FLUSH_INTERVAL_MS } from '../../src/storage/limits.ts';
import { STORE_FORMAT } from '../../src/storage/store.ts';
import type { Store, TypeLog } from '../../src/storage/store.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { Random } from '../support/random.ts';

function temporaryFolder(test: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-lmdb-'));
  test.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

t.test('a format that this version does not know is refused', async (t) => {
  const folder = temporaryFolder(t);
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  t.equal(store.local.get('format'), String(STORE_FORMAT), 'a new store says its format');
  await store.local.put('format', '99');
  await store.close();
  const refusal = {
    name: 'StoreError',
    message:
      `the data folder ${folder} has storage format 99, this version knows ` +
      `format ${STORE_FORMAT}: ` +
      'run the version that wrote it, or choose another --data-dir',
  };
  t.throws(() => openStore({ dataDir: folder, durability: 'fsync' }), refusal);
  t.throws(
    () => openStore({ dataDir: folder, durability: 'fsync' }),
    refusal,
    'and again: it was closed',
  );
});

t.test(
  'a store of the format before is taken over; what is written from then on is checked',
  async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'store');
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    const old = open<Buffer, Buffer>({ path, ...binary });
    const key = (rv: number) => Buffer.from([0, 0, 0, 0, 0, 0, 0, rv]);
    const settings = old.openDB<string, string>({ name: '_settings', encoding: 'string' });
    await settings.put('format', '1');
    await settings.put('highWater', '9');
    const versions = old.openDB<Buffer, Buffer>({ name: 'a', ...binary });
    await versions.put(key(0), key(3));
    await versions.put(key(5), Buffer.from('old'));
    await old.close();

    const store = openStore({ dataDir: folder, durability: 'fsync' });
    const log = store.openLog('a');
    t.equal(store.shared.get('highWater'), '9');
    t.equal(log.horizon(), 3);
    t.equal(log.count(), 1);
    for (const time of ['once', 'again']) {
      t.equal(Buffer.from(log.read(5) ?? []).toString(), 'old', time);
    }
    await log.append([{ rv: 10, value: Buffer.from('new') }]);
    await store.close();

    const raw = open<Buffer, Buffer>({ path, ...binary });
    const [stored] = [raw.openDB<Buffer, Buffer>({ name: 'a', ...binary })];
    t.equal(stored.getBinary(key(10))?.length, 'new'.length + 4);
    await stored.put(key(10), Buffer.from('new....'));
    await raw.close();
    const again = openStore({ dataDir: folder, durability: 'fsync' });
    t.throws(() => again.openLog('a').read(10), {
      name: 'StoreError',
      message: /^version 10 of a is damaged on the disk: restore .* \(npm run restore\), or take /,
    });
    await again.close();
  },
);

t.test('a store from before records were compressed is taken over', async (t) => {
  const folder = temporaryFolder(t);
  const old = openStore({ dataDir: folder, durability: 'fsync' });
  await old.openLog('a').append([{ rv: 1, value: Buffer.from('old') }]);
  await old.local.put('format', '2');
  await old.close();
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  t.equal(
    store.local.get('format'),
    String(STORE_FORMAT),
    'an earlier version must not open it again',
  );
  t.equal(Buffer.from(store.openLog('a').read(1) ?? []).toString(), 'old');
  await store.close();
});

t.test('a log that has gone is missed', async (t) => {
  const folder = temporaryFolder(t);
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  store.makeLogs(['a']);
  store.local.swap('logs', () => JSON.stringify(['a', 'b']));
  await store.close();
  const again = openStore({ dataDir: folder, durability: 'fsync' });
  again.openLog('a');
  t.throws(() => again.openLog('b'), { name: 'StoreError', message: /^the log b is damaged/ });
  t.ok(again.openLog('c'), 'a new one is none of those');
  await again.close();
});

t.test('a folder is made, and one that cannot be used is refused', async (t) => {
  const folder = temporaryFolder(t);
  const deep = join(folder, 'a', 'b');
  await openStore({ dataDir: deep, durability: 'fsync' }).close();
  t.ok(existsSync(join(deep, 'store')));

  const file = join(folder, 'file');
  writeFileSync(file, '');
  t.throws(() => openStore({ dataDir: file, durability: 'fsync' }), {
    name: 'StoreError',
    message: /^cannot use the data folder .*file: .*--data-dir/,
  });
});

t.test('pages are filled: two records of a third of a page take one', async (t) => {
  const folder = temporaryFolder(t);
  const timers = new ManualTimers();
  const store = openStore({ dataDir: folder, durability: 'fsync' }, { timers });
  const log = store.openLog('a');
  const value = Buffer.alloc(1_400);
  for (let rv = 1; rv <= 1_000; rv += 20) {
    await log.append(Array.from({ length: 20 }, (_, at) => ({ rv: rv + at, value })));
    // What commits have replaced is used again when a later state is on the disk.
    timers.pass(FLUSH_INTERVAL_MS);
    await store.local.put('flushed', String(rv));
  }
  const { size } = statSync(join(folder, 'store', 'data.mdb'));
  t.ok(size < 1_000 * 2_600, `${size} bytes`);
  await store.close();
});

/** Versions that stay, as in a window of history, and for how much longer some do. */
const WINDOW_VERSIONS = 300;
const LONG_LIVED = 5;
/** They take 480; all versions would take 3,400, and with what commits replace 6,500. */
const PAGES_MAX = 1_600;

for (const durability of ['fsync', 'relaxed'] as const) {
  t.test(`pages of what has gone are used again, ${durability}`, async (t) => {
    const folder = temporaryFolder(t);
    const timers = new ManualTimers();
    const random = new Random(1);
    const store = openStore({ dataDir: folder, durability }, { timers });
    // Its records are not compressed.
    const log = store.openLog('secrets');
    const pages: number[] = [];
    for (let commit = 0, rv = 1; commit < 400; commit++) {
      const value = () => Buffer.alloc(random.pick([300, 900, 5_000, 40_000]));
      const entries = Array.from({ length: 10 }, () => ({ rv: rv++, value: value() }));
      // The first of a commit is an object that lives on.
      const rvs = entries
        .map((entry, at) => entry.rv - WINDOW_VERSIONS * (at === 0 ? LONG_LIVED : 1))
        .filter((old) => old > 0);
      await log.append(entries, { rvs, horizon: rvs.at(-1) ?? 0 });
      if (commit % 20 !== 19) continue;
      timers.pass(FLUSH_INTERVAL_MS);
      // Each waits for a flush: the one that has just begun is done by then, or soon after.
      await store.local.put('flushed', 'once');
      await store.local.put('flushed', 'twice');
      pages.push(statSync(join(folder, 'store', 'data.mdb')).size / STORE_PAGE_BYTES);
    }
    await store.close();
    t.ok(Math.max(...pages) < PAGES_MAX, `it has levelled off: ${pages.join(' ')}`);
  });
}

t.test('a version that is not above those before is refused', async (t) => {
  const store = openStore({ dataDir: temporaryFolder(t), durability: 'relaxed' });
  for (const log of [store.openLog('a'), store.openCustomLog('a')]) {
    const value = Buffer.from('value');
    await log.append([{ rv: 5, value }]);
    await t.rejects(log.append([{ rv: 4, value }]), { name: 'AssertionError' });
    await log.append([{ rv: 6, value }]);
    t.same(versions(log), [5, 6]);
    t.equal(log.count(), 2);
  }
  await store.close();
});

const isRoot = process.getuid?.() === 0;

t.test(
  'a folder without the right to write is refused',
  { skip: isRoot ? 'root may write everywhere' : false },
  async (t) => {
    const folder = temporaryFolder(t);
    chmodSync(folder, 0o500);
    t.teardown(() => chmodSync(folder, 0o700));
    t.throws(() => openStore({ dataDir: folder, durability: 'fsync' }), {
      name: 'StoreError',
      message: /^cannot use the data folder .*EACCES.*--data-dir/,
    });
  },
);

/** A file system of 5 MiB, or why there is none. */
function smallDisk(folder: string): string {
  const mount = ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', folder];
  const { status, error } = spawnSync('mount', mount);
  return error === undefined && status === 0 ? '' : 'mounting a small disk needs root';
}

const VALUE_BYTES = 100_000;

function versions(log: TypeLog): number[] {
  const seen: number[] = [];
  log.scan(0, (rv) => {
    seen.push(rv);
    return true;
  });
  return seen;
}

/** Appends until one fails; returns the versions that were acknowledged. */
async function fill(log: TypeLog, fromRv: number): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let rv = fromRv; rv < fromRv + 100; rv++) {
    try {
      await log.append([{ rv, value: Buffer.alloc(VALUE_BYTES, rv % 256) }]);
    } catch {
      return acknowledged;
    }
    acknowledged.push(rv);
  }
  throw new Error('the disk did not fill up');
}

/** Leaves no room on the disk. */
function takeRest(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(STORE_PAGE_BYTES));
  } catch {
    // It is full.
  }
}

const probe = mkdtempSync(join(tmpdir(), 'shardplane-disk-'));
const skip = smallDisk(probe);
t.teardown(() => {
  if (skip === '') spawnSync('umount', ['-l', probe]);
  rmSync(probe, { recursive: true, force: true });
});

const openBuiltIn = (store: Store, name: string) => store.openLog(name);
const openCustom = (store: Store, name: string) => store.openCustomLog(name);
const FULL_DISKS = [
  ['fsync', 'built-in types', openBuiltIn],
  ['relaxed', 'built-in types', openBuiltIn],
  ['fsync', 'custom types', openCustom],
  ['relaxed', 'custom types', openCustom],
] as const;

for (const [durability, types, openLog] of FULL_DISKS) {
  t.test(`a full disk, ${durability}, ${types}`, { skip }, async (t) => {
    for (const name of readdirSync(probe)) rmSync(join(probe, name), { recursive: true });
    const ballast = join(probe, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1_000_000));
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    t.teardown(() => process.off('unhandledRejection', onUnhandled));
    // The library prints the cause of a failed commit.
    t.capture(console, 'error');

    // Nobody looks at the disk before it is written to.
    const store = openStore({ dataDir: probe, durability }, { freeBytes: () => Infinity });
    const log = openLog(store, 'a');
    const acknowledged = await fill(log, 10);
    t.ok(acknowledged.length > 5, `${acknowledged.length} fit`);
    t.same(versions(log), acknowledged, 'nothing of the failed one is visible');

    // What was written ahead of a store that refused it is given back.
    takeRest(join(probe, 'rest'));
    const value = Buffer.alloc(VALUE_BYTES);
    const entries = (...rvs: number[]) => rvs.map((rv) => ({ rv, value }));
    const failures = await Promise.allSettled([
      log.append(entries(200), { rvs: [10], horizon: 11 }),
      log.append(entries(201)),
    ]);
    t.same(
      failures.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await t.rejects(store.local.put('big', 'x'.repeat(200_000)));
    t.equal(store.local.get('big'), undefined);
    t.same(versions(log), acknowledged, 'reads go on');
    t.equal(log.read(10)?.[0], 10, 'what the failed append was to drop is there');
    t.equal(log.horizon(), 11, 'though nobody may count on it');
    t.equal(log.read(200), undefined);

    rmSync(ballast);
    rmSync(join(probe, 'rest'));
    await log.append(entries(300));
    await openLog(store, 'b').append([{ rv: 301, value: Buffer.from('small') }]);
    await store.shared.put('highWater', '400');
    await log.append([], { rvs: [10], horizon: 11 });
    const expected = [...acknowledged.slice(1), 300];
    t.same(versions(log), expected, 'writes go on after room is made');
    await store.close();

    const again = openStore({ dataDir: probe, durability }, { freeBytes: () => Infinity });
    t.same(versions(openLog(again, 'a')), expected, 'and all of it is on the disk');
    t.equal(openLog(again, 'a').horizon(), 11);
    t.equal(openLog(again, 'a').count(), expected.length);
    t.same(versions(openLog(again, 'b')), [301]);
    t.equal(again.shared.get('highWater'), '400');
    await again.close();
    // Rejections are reported once the promises' turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    t.same(unhandled, [], 'no promise was left to fail by itself');
  });
}

t.end();
