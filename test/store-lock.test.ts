import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

t.test(
  'a process that has ended, of which nobody took notice, owns nothing',
  { skip },
  async (t) => {
    const store = new MemoryStore();
    // The parent becomes a program that does not ask how its child ended.
    const script = 'sleep 30 & echo $!; exec sleep 30';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const started = stat().split(') ')[1]?.split(' ')[19] ?? '';
    await store.putSetting(OWNER, JSON.stringify({ pid, startedAt: `${boot}/${started}` }));
    t.throws(() => claimStore(store, '/data'), inUse(pid), 'while it runs');
    // As long as it is a shell it might still ask.
    const command = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
    while (command() !== 'sleep') await sleep(10);
    process.kill(pid, 'SIGKILL');
    while (!stat().includes(') Z ')) await sleep(20);
    t.doesNotThrow(() => claimStore(store, '/data'));
  },
);

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
