/** Damage on the disk is refused, or does no harm: what is read is never anything else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { STORE_PAGE_BYTES } from '../../src/limits.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { contentOf } from './read-damaged.ts';

const TYPES = ['configmaps', 'pods', 'empty'];
const CUSTOM = ['gadgets.example.com', 'dropped.example.com', 'widgets.example.com'];
const CASES = Number(process.env['SHARDPLANE_DAMAGE_CASES'] ?? 72);

type Random = (below: number) => number;

/** Gives the same numbers for the same seed. */
function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Damage = (file: string, random: Random) => string;

function changed(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
}

function pageIn(bytes: Buffer, random: Random): Buffer {
  const start = random(bytes.length / STORE_PAGE_BYTES) * STORE_PAGE_BYTES;
  return bytes.subarray(start, start + STORE_PAGE_BYTES);
}

/** The newest pages that lead to others; of older ones most are no longer in use. */
function branchPagesIn(bytes: Buffer): Buffer[] {
  const pages: Buffer[] = [];
  for (let start = 2 * STORE_PAGE_BYTES; start < bytes.length; start += STORE_PAGE_BYTES) {
    const page = bytes.subarray(start, start + STORE_PAGE_BYTES);
    if ((page.readUInt16LE(18) & 0x0f) === 1) pages.push(page);
  }
  const transactionOf = (page: Buffer) => Number(page.readBigUInt64LE(8));
  return pages.sort((a, b) => transactionOf(b) - transactionOf(a)).slice(0, 4);
}

const DAMAGES: readonly Damage[] = [
  (file, random) => {
    changed(file, (bytes) => {
      const at = random(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    });
    return 'a flipped bit';
  },
  (file, random) => {
    changed(file, (bytes) => pageIn(bytes, random).fill(0));
    return 'a page of zeros';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const page = pageIn(bytes, random);
      for (let at = 0; at < page.length; at++) page[at] = random(256);
    });
    return 'a page of anything';
  },
  (file, random) => {
    changed(file, (bytes) => pageIn(bytes, random).copy(pageIn(bytes, random)));
    return 'a page in the place of another';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const branches = branchPagesIn(bytes);
      const page = branches[random(branches.length)] ?? bytes;
      // Offsets of nodes count from the end of the header, and the key follows 8 bytes of each.
      const node = 24 + page.readUInt16LE(24 + 2 * (1 + random(page.readUInt16LE(20) / 2 - 1)));
      const at = node + 8 + random(page.readUInt16LE(node + 6));
      page.writeUInt8(page.readUInt8(at) ^ (1 << random(8)), at);
    });
    return 'a flipped bit where a search branches';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const at = random(2) * STORE_PAGE_BYTES + random(168);
      bytes.writeUInt8(random(256), at);
    });
    return 'another byte in a root';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const pages = bytes.length / STORE_PAGE_BYTES - 2;
      const at = (2 + random(pages)) * STORE_PAGE_BYTES + random(64);
      bytes.writeUInt8(random(256), at);
    });
    return 'another byte where a page begins';
  },
  (file, random) => {
    changed(file, (bytes) => {
      const [first = 0, second = 0] = [0, 1].map((root) =>
        Number(bytes.readBigUInt64LE(root * STORE_PAGE_BYTES + 152)),
      );
      const root = first > second ? 0 : STORE_PAGE_BYTES;
      const page = Number(bytes.readBigUInt64LE(root + 88)) * STORE_PAGE_BYTES;
      // Nodes are at the end of a page; most of these are numbers of pages.
      const upper = bytes.readUInt16LE(page + 22) + 24;
      const at = page + upper + random(STORE_PAGE_BYTES - upper);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(4)), at);
    });
    return 'a flipped bit in the list of free pages';
  },
  (file, random) => {
    truncateSync(file, random(readFileSync(file).length));
    return 'a file cut off';
  },
];

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
