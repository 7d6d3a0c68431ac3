import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { claimStore, releaseStore } from '../src/store-lock.ts';
import { openLmdbStore } from '../src/storage/lmdb-store.ts';
import { MemoryStore } from '../src/storage/memory-store.ts';

const OWNER = 'owner';
const inUse = (pid: number) => ({
  name: 'StoreError',
  message:
    `the data folder /data is in use by process ${pid}: ` +
    'stop that server, or choose another --data-dir',
});

t.test('a folder has one owner at a time', async (t) => {
  const store = new MemoryStore();
  claimStore(store, '/data');
  t.throws(() => claimStore(store, '/data'), inUse(process.pid));
  t.throws(() => claimStore(store, '/data'), inUse(process.pid), 'a refusal changes nothing');
  await releaseStore(store);
  t.doesNotThrow(() => claimStore(store, '/data'));
  const owner = JSON.parse(store.getSetting(OWNER) ?? '') as { pid: number };
  t.equal(owner.pid, process.pid);
});

t.test('the claim of a process that runs holds, that of one that ended does not', async (t) => {
  const store = new MemoryStore();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  // As a version or system without start times writes it.
  await store.putSetting(OWNER, JSON.stringify({ pid, startedAt: '' }));
  t.throws(() => claimStore(store, '/data'), inUse(pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.doesNotThrow(() => claimStore(store, '/data'), 'after a crash nobody has to clean up');
});

const skip = existsSync('/proc/self/stat') ? false : 'the system does not tell start times';

t.test('a later process with the number of the owner is not the owner', { skip }, async (t) => {
  const store = new MemoryStore();
  for (const pid of [process.pid, process.ppid]) {
    const startedAt = '00000000-0000-0000-0000-000000000000/1';
    await store.putSetting(OWNER, JSON.stringify({ pid, startedAt }));
    t.doesNotThrow(() => claimStore(store, '/data'), `process ${pid}`);
  }
});

t.test('the claim is on the disk', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-lock-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const first = openLmdbStore(folder, 'fsync');
  claimStore(first, folder);
  await first.close();
  const second = openLmdbStore(folder, 'fsync');
  t.throws(() => claimStore(second, folder), { name: 'StoreError' });
  await releaseStore(second);
  await second.close();
  const third = openLmdbStore(folder, 'fsync');
  t.doesNotThrow(() => claimStore(third, folder));
  await third.close();
});

t.end();
