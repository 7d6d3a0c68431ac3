/**
 * Logs of custom types on LMDB: threads that share them, kills, and what is missing on the disk.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { open } from 'lmdb';
import type { Database } from 'lmdb';
import t from 'tap';
import { DICTIONARY_CHOICE_RECORDS } from '../../src/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { KEPT, NAMES, valueOf } from './append-and-drop.ts';
import { entriesOf, textOf, versions } from './log-entries.ts';
import type { OpenerData } from './open-custom-logs.ts';

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

/** Reads a store from the disk that nobody has open. */
async function onDisk<T>(
  folder: string,
  look: (records: Database<Buffer, Buffer>, settings: Database<string, string>) => T | Promise<T>,
): Promise<T> {
  const root = open<Buffer, Buffer>({ path: join(folder, 'store'), ...BINARY });
  const settings = root.openDB<string, string>({ name: '_settings', encoding: 'string' });
  const records = root.openDB<Buffer, Buffer>({ name: '_customLogs', ...BINARY });
  const result = await look(records, settings);
  await root.close();
  return result;
}

t.test('threads open and drop logs at the same time', async (t) => {
  const folder = temporaryFolder();
  const ownOf = (thread: number) => Array.from({ length: 12 }, (_, at) => `t${thread}-${at}`);
  const threads = [0, 1, 2];
  const names = threads.flatMap(ownOf);
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  await Promise.all(
    threads.map(async (thread) => {
      const own = ownOf(thread);
      const workerData: OpenerData = { folder, names, own, dropped: [] };
      await once(
        new Worker(new URL('open-custom-logs.ts', import.meta.url), { workerData }),
        'exit',
      );
    }),
  );
  t.same([...store.customLogs()].sort(), [...names].sort());
  for (const name of names) {
    t.equal(textOf(store.openCustomLog(name).read(1)), name, 'each is one log for all threads');
  }
  const left = names.filter((name) => name.endsWith('0'));
  await Promise.all(
    threads.map(async (thread) => {
      const dropped = ownOf(thread).filter((name) => !left.includes(name));
      const workerData: OpenerData = { folder, names: [], own: [], dropped };
      await once(
        new Worker(new URL('open-custom-logs.ts', import.meta.url), { workerData }),
        'exit',
      );
    }),
  );
  t.same([...store.customLogs()].sort(), left);
  t.same(versions(store.openCustomLog('t0-1')), [], 'what another thread dropped is made anew');
  await store.dropLog('t0-1');
  await store.close();
  await onDisk(folder, (records, settings) => {
    t.equal(records.getKeysCount(), left.length * 2, 'heads and records of those that are left');
    const last = Number(settings.get('lastCustomLog')?.split(' ')[1]);
    t.equal(last, names.length + 1, 'each name got one number, and none was used again');
  });
});

interface Said {
  readonly appended: Map<string, number>;
  readonly dropped: Set<string>;
}

/** Runs the process on the folder until it has said so many lines and one that begins so. */
async function killAfter(folder: string, lines: number, prefix: string, said: Said): Promise<void> {
  const script = fileURLToPath(new URL('append-and-drop.ts', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [what = '', name = '', rv] = line.split(' ');
    if (what === 'appended') said.appended.set(name, Number(rv));
    else said.dropped.add(name);
    if (++count >= lines && what === prefix) child.kill('SIGKILL');
  }
  t.equal((await ended)[1], 'SIGKILL', 'it did not end by itself');
}

t.test('whenever the process is killed, each log is whole and a dropped one gone', async (t) => {
  const folder = temporaryFolder();
  const said: Said = { appended: new Map(), dropped: new Set() };
  for (const [lines, prefix] of [
    [30, 'appended'],
    [20, 'dropping'],
    [60, 'dropping'],
    // By now they have dictionaries.
    [3 * DICTIONARY_CHOICE_RECORDS, 'appended'],
    [90, 'appended'],
  ] as const) {
    await killAfter(folder, lines, prefix, said);
    const store = openStore({ dataDir: folder, durability: 'relaxed' });
    for (const name of NAMES) {
      const log = store.openCustomLog(name);
      const found = versions(log);
      const last = found.at(-1) ?? 0;
      const saidLast = said.appended.get(name) ?? 0;
      t.ok(last === saidLast || last === saidLast + 1, `${last} of ${name}, it said ${saidLast}`);
      const first = Math.max(1, last - KEPT + 1);
      t.same(
        found,
        Array.from({ length: last - first + 1 }, (_, at) => first + at),
      );
      const texts = found.map((rv) => textOf(log.read(rv)));
      t.same(
        texts,
        found.map((rv) => valueOf(rv).toString()),
      );
      t.equal(log.count(), found.length);
      t.equal(log.horizon(), first === 1 ? 0 : first);
    }
    const live = store.customLogs();
    for (const name of said.dropped) t.notOk(live.includes(name), `${name} has gone`);
    for (const name of live) if (!NAMES.includes(name)) await store.dropLog(name);
    await store.finishDrops();
    const records = NAMES.map((name) => store.openCustomLog(name).count() + 1);
    await store.close();
    await onDisk(folder, (database, settings) => {
      t.equal(
        database.getKeysCount(),
        records.reduce((sum, one) => sum + one),
        'nothing is left',
      );
      const dropping = Array.from(settings.getKeys()).filter((name) => name.startsWith('dropped'));
      t.same(dropping, []);
    });
  }
});

t.test('the owner of a log that was dropped can append no more', async (t) => {
  const store = openStore({ dataDir: temporaryFolder(), durability: 'relaxed' });
  const log = store.openCustomLog('a');
  await log.append(entriesOf(1));
  await store.dropLog('a');
  await t.rejects(log.append(entriesOf(2)), { message: 'the log a has been dropped' });
  await t.rejects(log.rewrite(entriesOf(1)), { name: 'AssertionError' });
  t.same(store.customLogs(), []);
  await store.close();
});

t.test('a log or a name that has gone is missed', async (t) => {
  const folder = temporaryFolder();
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  await store.openCustomLog('a').append(entriesOf(1, 2));
  await store.openCustomLog('b').append(entriesOf(3));
  await store.close();
  await onDisk(folder, (records) => records.remove(Buffer.from([0, 0, 0, 1, ...Buffer.alloc(8)])));
  let again = openStore({ dataDir: folder, durability: 'relaxed' });
  t.throws(() => again.openCustomLog('a'), {
    name: 'StoreError',
    message: /^the log a is damaged/,
  });
  t.same(versions(again.openCustomLog('b')), [3]);
  await again.dropLog('a');
  t.same(versions(again.openCustomLog('a')), [], 'it can be dropped');
  await again.close();

  await onDisk(folder, async (_records, settings) => {
    const stored = settings.get('customLog b') ?? '';
    await settings.remove('customLog b');
    await settings.put('customLog c', stored);
  });
  t.throws(() => openStore({ dataDir: folder, durability: 'relaxed' }), {
    message: /^the setting customLog c is damaged/,
  });

  await onDisk(folder, async (_records, settings) => {
    await settings.remove('customLog c');
  });
  again = openStore({ dataDir: folder, durability: 'relaxed' });
  t.throws(() => again.customLogs(), { message: /^the name of custom log 2 is damaged/ });
  await again.close();
});

t.end();
