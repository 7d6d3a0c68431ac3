/** Long records on LMDB are compressed once there is a dictionary; what is read never shows it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Database } from 'lmdb';
import t from 'tap';
import { COMPRESSED_BYTES_MIN, DICTIONARY_CHOICE_RECORDS } from '../../src/limits.ts';
import { RecordDatabase } from '../../src/storage/record-database.ts';
import type { Compression } from '../../src/storage/record-database.ts';
import type { LmdbSettings } from '../../src/storage/lmdb-settings.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { LogEntry, Store, TypeLog } from '../../src/storage/store.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { textOf, versions } from './log-entries.ts';

const WORDS = ['containers', 'imagePullPolicy', 'volumeMounts', 'resources', 'livenessProbe'];

/** As objects of one type are: much of each is in the others too, in other places. */
function longText(rv: number): string {
  const words = Array.from({ length: 300 }, (_, at) => `${WORDS[(rv * at) % WORDS.length]} ${rv}`);
  return words.join(' ');
}

function entries(fromRv: number, count: number): LogEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const rv = fromRv + at;
    return { rv, value: Buffer.from(longText(rv)) };
  });
}

async function fill(log: TypeLog, fromRv: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += 64) {
    await log.append(entries(fromRv + at, Math.min(64, count - at)));
  }
}

/** How long values are on the disk, by the last byte but one and the last of their keys. */
async function storedLengths(folder: string, name: string): Promise<Map<number, number>> {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({ path: join(folder, 'store'), ...binary });
  const records: Database<Buffer, Buffer> = root.openDB<Buffer, Buffer>({ name, ...binary });
  const lengths = new Map<number, number>();
  for (const { key, value } of records.getRange()) {
    lengths.set(key.readUInt16BE(key.length - 2), value.length);
  }
  await root.close();
  return lengths;
}

async function changeStored(
  folder: string,
  rvs: readonly number[],
  change: (value: Buffer, rv: number) => void,
): Promise<void> {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({ path: join(folder, 'store'), ...binary });
  const records = root.openDB<Buffer, Buffer>({ name: 'pods', ...binary });
  for (const rv of rvs) {
    const key = Buffer.alloc(8);
    key.writeUInt32BE(rv, 4);
    const value = records.getBinary(key) ?? Buffer.alloc(1);
    change(value, rv);
    await records.put(key, value);
  }
  await root.close();
}

const LOGS = {
  'a built-in type': ['pods', (store: Store, name = 'pods') => store.openLog(name)],
  'a custom type': ['_customLogs', (store: Store) => store.openCustomLog('widgets.example.com')],
} as const;

for (const [what, [database, openIn]] of Object.entries(LOGS)) {
  t.test(`records of ${what}: the first as they are, all after them compressed`, async (t) => {
    const folder = temporaryFolder();
    const last = DICTIONARY_CHOICE_RECORDS + 100;
    const store = openStore({ dataDir: folder, durability: 'relaxed' });
    const log = openIn(store);
    await fill(log, 1, last);
    await log.append([{ rv: last + 1, value: Buffer.from('short') }]);
    const expectAll = (read: TypeLog, texts = new Map<number, string>()): void => {
      const seen: number[] = [];
      read.scan(0, (rv, value) => {
        if (textOf(value) !== (texts.get(rv) ?? longText(rv)) && rv <= last)
          t.fail(`version ${rv}`);
        seen.push(rv);
        return true;
      });
      t.equal(seen.length, last + 1);
      t.equal(read.count(), last + 1);
    };
    expectAll(log);
    t.equal(textOf(log.read(last + 1)), 'short');
    await store.close();

    const lengths = await storedLengths(folder, database);
    const lengthOf = (rv: number): number => lengths.get(rv) ?? 0;
    t.equal(lengthOf(1), longText(1).length + 4, 'with its checksum');
    t.ok(lengthOf(last) < longText(last).length / 2, `${lengthOf(last)} bytes`);
    t.equal(lengthOf(last + 1), 'short'.length + 4);

    const again = openStore({ dataDir: folder, durability: 'relaxed' });
    const reopened = openIn(again);
    expectAll(reopened);
    const texts = new Map([1, last].map((rv) => [rv, longText(rv + 7).toUpperCase()]));
    await reopened.rewrite([...texts].map(([rv, text]) => ({ rv, value: Buffer.from(text) })));
    expectAll(reopened, texts);
    const removed = versions(reopened).slice(1, -2);
    await reopened.append([], { rvs: removed, horizon: last - 1 });
    t.same(versions(reopened), [1, last, last + 1]);
    await again.close();
  });
}

t.test('each log has a dictionary of its own, and one that is dropped leaves none', async (t) => {
  const folder = temporaryFolder();
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  const names = ['a.example.com', 'b.example.com'];
  for (const name of names) await fill(store.openCustomLog(name), 1, DICTIONARY_CHOICE_RECORDS);
  const dictionaryOf = (name: string) => store.local.get(`dictionary ${name}`);
  for (const name of names) t.ok((dictionaryOf(name)?.length ?? 0) > COMPRESSED_BYTES_MIN);
  await store.dropLog('a.example.com');
  t.same(
    names.map(dictionaryOf).map((text) => text === undefined),
    [true, false],
  );
  await store.close();
});

t.test('what is in Secrets is in no dictionary', async (t) => {
  const folder = temporaryFolder();
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  const log = store.openLog('secrets');
  const last = DICTIONARY_CHOICE_RECORDS + 1;
  await fill(log, 1, last);
  t.equal(store.local.get('dictionary secrets'), undefined);
  await store.close();
  t.equal((await storedLengths(folder, 'secrets')).get(last), longText(last).length + 4);
});

t.test('a dictionary whose commit fails is not used, and another is chosen', async (t) => {
  const stored = new Map<string, string>();
  const opened: (Buffer | undefined)[] = [];
  let isFull = true;
  const settings = {
    get: (name: string) => stored.get(name),
    putLater: (name: string, value: string) => {
      if (!isFull) stored.set(name, value);
      return Promise.resolve(true);
    },
  } as unknown as LmdbSettings;
  const open = (compression: Compression | false): Database<Buffer, Buffer> => {
    opened.push(compression === false ? undefined : compression.dictionary);
    const batch = (ask: () => void): Promise<void> => {
      ask();
      return isFull ? Promise.reject(new Error('full')) : Promise.resolve();
    };
    return { batch } as unknown as Database<Buffer, Buffer>;
  };
  const options = { name: 'pods', isSecret: false, ahead: undefined, settings, open };
  const records = new RecordDatabase(options, (rv) => rv);
  const long = entries(1, DICTIONARY_CHOICE_RECORDS);
  await t.rejects(
    records.commit(long, () => []),
    { message: 'full' },
  );
  t.same(opened, [undefined]);
  isFull = false;
  await records.commit(long.slice(1), () => []);
  t.same(opened, [undefined], 'so many are looked at again');
  await records.commit(long.slice(0, 1), () => []);
  const [, dictionary] = opened;
  t.ok(stored.get('dictionary pods')?.startsWith(dictionary?.toString() ?? 'none'));
  await records.commit(long, () => []);
  t.equal(opened.length, 2, 'it is chosen once');
});

t.test('a damaged one is refused, and the others are served', async (t) => {
  const folder = temporaryFolder();
  const last = DICTIONARY_CHOICE_RECORDS + 60;
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  await fill(store.openLog('pods'), 1, DICTIONARY_CHOICE_RECORDS);
  await fill(store.openLog('pods'), DICTIONARY_CHOICE_RECORDS + 1, 60);
  await store.close();
  const damagedRvs = Array.from({ length: 59 }, (_, at) => DICTIONARY_CHOICE_RECORDS + 1 + at);
  await changeStored(folder, damagedRvs, (value, rv) => {
    const at = (rv * 7) % value.length;
    value.writeUInt8(value.readUInt8(at) ^ (1 << (rv % 8)), at);
  });
  const again = openStore({ dataDir: folder, durability: 'relaxed' });
  const log = again.openLog('pods');
  for (const rv of damagedRvs) {
    const message = new RegExp(`^version ${rv} of pods is damaged on the disk`);
    t.throws(() => log.read(rv), { name: 'StoreError', message });
  }
  t.equal(textOf(log.read(last)), longText(last));
  t.equal(textOf(log.read(1)), longText(1));
  await again.close();
});

t.test('records of a hundred kilobytes and more, of any bytes', async (t) => {
  const folder = temporaryFolder();
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  const log = store.openLog('pods');
  await fill(log, 1, DICTIONARY_CHOICE_RECORDS);
  let state = 1;
  const anything = (length: number): Buffer =>
    Buffer.from(
      Array.from({ length }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      }),
    );
  const from = DICTIONARY_CHOICE_RECORDS + 1;
  const values = [2_043, 2_044, 70_000, 6_000_000].map((length) => anything(length));
  for (const value of values) value.writeUInt8(1, 0);
  await log.append(values.map((value, at) => ({ rv: from + at, value })));
  for (const [at, value] of values.entries()) {
    t.ok(value.equals(log.read(from + at) ?? Buffer.alloc(0)), `${value.length} bytes`);
    t.equal(textOf(log.read(at + 1)), longText(at + 1));
  }
  await store.close();
  t.ok(statSync(join(folder, 'store', 'data.mdb')).size > 6_000_000);
});
