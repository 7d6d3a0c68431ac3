/** A store of an earlier format is taken over, and kept until the new one is proven. */
import fs from 'node:fs';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { openDataFolder } from '../../src/data-folder.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { settleFile } from '../../src/storage/settle-file.ts';
import { STORE_FORMAT, type Store } from '../../src/storage/store.ts';
import { storeServes } from '../../src/storage/upgrade/keep-old.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { entriesOf, scanned } from './log-entries.ts';

const MIB = 1024 * 1024;
const CUSTOM = 'widgets.example.com/1';
const OLD_FORMATS = ['1', '2', '3', '4'];

function contentOf(store: Store): unknown {
  return [store.openLog('a'), store.openCustomLog(CUSTOM)].map((log) => scanned(log));
}

/** A folder as an earlier version left it, and what is in it. */
async function oldFolder(format: string): Promise<{ dataDir: string; content: unknown }> {
  const dataDir = temporaryFolder();
  openDataFolder(dataDir).release();
  const store = openStore({ dataDir, durability: 'fsync' });
  await store.openLog('a').append(entriesOf(1, 2, 5));
  await store.openCustomLog(CUSTOM).append(entriesOf(3));
  const content = contentOf(store);
  await store.local.put('format', format);
  await store.close();
  return { dataDir, content };
}

const fileIn = (dataDir: string, store: string): Buffer =>
  readFileSync(join(dataDir, store, 'data.mdb'));

async function opened(dataDir: string) {
  const lines: string[] = [];
  const lock = openDataFolder(dataDir);
  try {
    const tell = (line: string): void => void lines.push(line);
    const store = openStore({ dataDir, durability: 'fsync' }, { tell });
    const found = { content: contentOf(store), format: store.local.get('format'), lines };
    await store.close();
    return found;
  } finally {
    lock.release();
  }
}

t.test(
  'the old store stays as it was until a start has been on what the new one wrote',
  async (t) => {
    // Settings of the first format have no checksums, which this version cannot write any more.
    for (const format of OLD_FORMATS.slice(1)) {
      const { dataDir, content } = await oldFolder(format);
      const before = fileIn(dataDir, 'store');
      const first = await opened(dataDir);
      t.same([first.content, first.format], [content, String(STORE_FORMAT)], format);
      const [line = '', ...others] = first.lines;
      t.match(
        line,
        `goes from format ${format} to ${STORE_FORMAT}; as it was it stays in ${dataDir}`,
      );
      t.same(others, []);
      t.ok(fileIn(dataDir, 'store-before').equals(before), 'not a byte of it has changed');

      storeServes(dataDir, (line) => void t.fail(line));
      const second = await opened(dataDir);
      t.match(second.lines, [/^the store as it was before stays in .*to go back/]);
      const told: string[] = [];
      storeServes(dataDir, (said) => told.push(said));
      t.match(told, [/store-before is removed: /]);
      t.same((await opened(dataDir)).lines, []);
      t.same(readdirSync(dataDir).toSorted(), ['lock', 'store']);
    }
  },
);

t.test('the way back is to move it', async (t) => {
  const { dataDir, content } = await oldFolder('4');
  await opened(dataDir);
  rmSync(join(dataDir, 'store'), { recursive: true });
  renameSync(join(dataDir, 'store-before'), join(dataDir, 'store'));
  const again = await opened(dataDir);
  t.same(again.content, content);
  t.match(again.lines, [/goes from format 4/], 'it was of the old format');
});

/** How a call changes what is on the disk. */
const CHANGES = [
  'copyFileSync',
  'fsyncSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'writeFileSync',
  'writeSync',
] as const;

/** What the end of the process at any moment of `work` leaves of a folder. */
async function leftBy(dataDir: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const left: string[] = [];
  const original = { ...fs };
  const replaceAll = (by: (name: (typeof CHANGES)[number]) => unknown): void => {
    for (const name of CHANGES) Object.assign(fs, { [name]: by(name) });
    syncBuiltinESMExports();
  };
  let isCopying = false;
  replaceAll((name) => (...args: unknown[]) => {
    const result = Reflect.apply(original[name], fs, args) as unknown;
    if (isCopying) return result;
    isCopying = true;
    const copy = temporaryFolder();
    cpSync(dataDir, copy, { recursive: true });
    left.push(copy);
    isCopying = false;
    return result;
  });
  try {
    await work();
  } finally {
    replaceAll((name) => original[name]);
  }
  return left;
}

t.test('a start that ends at any moment is done again by the next one', async (t) => {
  const { dataDir, content } = await oldFolder('4');
  const before = fileIn(dataDir, 'store');
  const moments = await leftBy(dataDir, () => opened(dataDir));
  t.ok(
    moments.some((left) => !existsSync(join(left, 'store'))),
    'also between its two moves',
  );
  t.ok(moments.length > 10, `${moments.length} moments`);
  for (const [at, left] of moments.entries()) {
    const { content: found, format } = await opened(left);
    t.same([found, format], [content, String(STORE_FORMAT)], `moment ${at}`);
    const names = readdirSync(left).filter((name) => name !== 'lock');
    t.same(names.toSorted(), ['store', 'store-before'], `moment ${at}`);
    t.ok(fileIn(left, 'store-before').equals(before), `moment ${at}: the old one is whole`);
  }
});

t.test(
  'without room for a copy the store is as it was, and it is said how much it takes',
  async (t) => {
    const { dataDir, content } = await oldFolder('4');
    const before = fileIn(dataDir, 'store');
    const free = before.length + 15 * MIB;
    const canShare = existsSync('/sys/fs/xfs') || existsSync('/sys/fs/btrfs');
    const open = () => openStore({ dataDir, durability: 'fsync' }, { freeBytes: () => free });
    if (!canShare) {
      const message = new RegExp(
        `format 4, .* takes 16 MiB, and its disk has 15 MiB left: make room`,
      );
      t.throws(open, { name: 'StoreError', message });
      t.same(readdirSync(dataDir).toSorted(), ['lock', 'store']);
      t.ok(fileIn(dataDir, 'store').equals(before), 'nothing was changed');
    }
    t.same((await opened(dataDir)).content, content);
  },
);

t.test('a damaged one is refused as ever, and nothing is left beside it', async (t) => {
  const { dataDir } = await oldFolder('4');
  fs.truncateSync(join(dataDir, 'store', 'data.mdb'), 5 * 16_384);
  const open = () => openStore({ dataDir, durability: 'fsync' });
  t.throws(open, { name: 'StoreError', message: /data\.mdb .*npm run repair/ });
  t.same(readdirSync(dataDir).toSorted(), ['lock', 'store']);
});

t.test('what the system has kept of a killed process is in the copy', async (t) => {
  const [dataDir, copy] = [temporaryFolder(), temporaryFolder()];
  const timers = new ManualTimers();
  const store = openStore({ dataDir, durability: 'relaxed' }, { timers });
  await store.local.put('flushed', 'yes');
  await store.openLog('a').append(entriesOf(1));
  cpSync(join(dataDir, 'store'), join(copy, 'store'), { recursive: true });
  t.equal(settleFile(join(copy, 'store'), join(dataDir, 'store')), true);
  await store.close();
  const again = openStore({ dataDir: copy, durability: 'relaxed' });
  t.same(scanned(again.openLog('a')), [[1, 'value 1']]);
  await again.close();
});

t.end();
