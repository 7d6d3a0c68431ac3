/** Damage on the disk is refused, or does no harm: what is read is never anything else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openStore } from '../../src/storage/open-store.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { DAMAGES, randomOf } from './damages.ts';
import { contentOf } from './read-damaged.ts';

const TYPES = ['configmaps', 'pods', 'empty'];
const CUSTOM = ['gadgets.example.com', 'dropped.example.com', 'widgets.example.com'];
const CASES = Number(process.env['SHARDPLANE_DAMAGE_CASES'] ?? 72);

async function filledFolder(): Promise<string> {
  const folder = join(temporaryFolder(), 'whole');
  const store = openStore({ dataDir: folder, durability: 'relaxed' });
  const random = randomOf(1);
  let rv = 0;
  for (const type of [...TYPES.slice(0, 2), ...CUSTOM]) {
    const log = CUSTOM.includes(type) ? store.openCustomLog(type) : store.openLog(type);
    // Most of these are compressed.
    const commits = type === 'pods' ? 60 : 30;
    for (let commit = 0; commit < commits; commit++) {
      const entries = Array.from({ length: 10 }, () => {
        const length = type === 'pods' ? 3_000 : 100 + random(900);
        const words = Array.from({ length: length / 10 }, () => random(9_999));
        return { rv: ++rv, value: Buffer.from(`${rv} ${words.join(' ')}`.padEnd(length, 'abc')) };
      });
      const horizon = rv - 25;
      const removal = commit === 20 ? { rvs: [horizon - 3, horizon - 5], horizon } : undefined;
      await log.append(entries, removal);
    }
  }
  store.openLog(TYPES[2] ?? '');
  await store.dropLog('dropped.example.com');
  // So many that their names, too, take more than a page.
  const small = Array.from({ length: 120 }, (_, at) => `${'x'.repeat(150)}.example.com/${at}`);
  const logs = small.map((name) => store.openCustomLog(name));
  await Promise.all(logs.map((log) => log.append([{ rv: ++rv, value: Buffer.from('small') }])));
  store.makeLogs(TYPES);
  await store.local.put('a setting', 'its value');
  await store.close();
  return folder;
}

/** Gives the outcome of each folder; 'killed' where the process that read it was. */
async function outcomesOf(folders: readonly string[]): Promise<string[]> {
  const outcomes: string[] = [];
  const reader = fileURLToPath(new URL('read-damaged.ts', import.meta.url));
  while (outcomes.length < folders.length) {
    const args = [...process.execArgv, reader, TYPES.join(','), ...folders.slice(outcomes.length)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    await once(child, 'close');
    outcomes.push(...text.split('\n').slice(0, -1));
    if (outcomes.length < folders.length) outcomes.push('killed');
  }
  return outcomes;
}

t.test('a lock file that cannot be one is refused', async (t) => {
  const folder = join(temporaryFolder(), 'locked');
  mkdirSync(join(folder, 'store', 'lock.mdb'), { recursive: true });
  const refusal = { name: 'StoreError', message: /^cannot use the data folder .*lock\.mdb/ };
  t.throws(() => openStore({ dataDir: folder, durability: 'fsync' }), refusal);
});

t.test('only a file that is not there is made anew', async (t) => {
  const folder = join(temporaryFolder(), 'linked');
  mkdirSync(join(folder, 'store'), { recursive: true });
  const elsewhere = join(folder, 'elsewhere.mdb');
  symlinkSync(elsewhere, join(folder, 'store', 'data.mdb'));
  const refusal = { name: 'StoreError', message: /^cannot use the data folder .*ENOENT/ };
  t.throws(() => openStore({ dataDir: folder, durability: 'fsync' }), refusal);
  copyFileSync(join(await filledFolder(), 'store', 'data.mdb'), elsewhere);
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  t.equal(store.local.get('a setting'), 'its value');
  await store.close();
});

t.test('whatever is damaged, what is read is right or refused', async (t) => {
  const whole = await filledFolder();
  const cases = Array.from({ length: CASES }, (_, seed) => {
    const folder = join(temporaryFolder(), `damaged-${seed}`);
    mkdirSync(join(folder, 'store'), { recursive: true });
    const file = join(folder, 'store', 'data.mdb');
    copyFileSync(join(whole, 'store', 'data.mdb'), file);
    const damage = DAMAGES[seed % DAMAGES.length];
    return { seed, folder, what: damage?.(file, randomOf(seed + 7)) ?? '' };
  });
  const expected = await contentOf(whole, TYPES);
  const outcomes = await outcomesOf(cases.map(({ folder }) => folder));
  const counts = new Map<string, number>();
  for (const [at, outcome] of outcomes.entries()) {
    const { what = '', seed = 0 } = cases[at] ?? {};
    const [word = ''] = outcome === expected ? ['right'] : outcome.split(' ');
    counts.set(`${what}: ${word}`, (counts.get(`${what}: ${word}`) ?? 0) + 1);
    if (!['right', 'refused'].includes(word)) t.fail(`${what} (${seed}): ${outcome}`);
  }
  t.equal(outcomes.length, CASES);
  t.comment(JSON.stringify(Object.fromEntries(counts)));
});
