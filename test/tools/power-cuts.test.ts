/** The disk of `npm run check:power-cuts`, and that its campaigns run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Campaign } from '../../tools/power-cuts/campaign.ts';
import { Disk, snapshotOf } from '../../tools/power-cuts/disk.ts';
import { readOptions } from '../../tools/power-cuts/options.ts';
import { EVENT } from '../../tools/power-cuts/recording.ts';
import { objectsOf, textOf, TYPES } from '../../tools/power-cuts/history.ts';
import type { Answered, Change } from '../../tools/power-cuts/history.ts';
import { judge } from '../../tools/power-cuts/verdict.ts';
import type { DiskEvent } from '../../tools/power-cuts/recording.ts';
import type { TestObject } from '../support/kinds.ts';
import { Random } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const FOLDER = 1;
const FILE = 2;

/** A recording of what a test says. */
function recorder(disk: Disk) {
  let index = 0;
  const nothing = { offset: 0, length: 0, ticket: 0, path: '', newPath: '', data: Buffer.alloc(0) };
  const tell = (kind: number, event: Partial<DiskEvent> = {}): void => {
    disk.apply({ ...nothing, kind, index: index++, timeNs: 0n, file: FILE, ...event });
  };
  const flush = (file: number, part: Partial<DiskEvent> = {}): void => {
    tell(EVENT.flushBegan, { file, ...part });
    tell(EVENT.flushEnded, { file, ...part });
  };
  return { tell, flush };
}

/** Gives the possible files of a disk, each once. */
function possible(disk: Disk): string[] {
  const found = new Set<string>();
  for (let seed = 0; seed < 300; seed++) {
    const folder = join(temporaryFolder(), 'left');
    disk.writeAfterLoss(folder, new Random(seed));
    const names = readdirSync(folder).sort();
    const texts = names.map((name) => `${name}=${readFileSync(join(folder, name), 'latin1')}`);
    found.add(texts.map((text) => text.replaceAll('\0', '-')).join(' '));
  }
  return [...found].sort();
}

function emptyDisk(): Disk {
  return new Disk('', [{ inode: FOLDER, name: '.', content: undefined }]);
}

t.test('only what was flushed is there for sure: bytes, and names', async (t) => {
  const disk = emptyDisk();
  const { tell, flush } = recorder(disk);
  tell(EVENT.opened, { path: 'new' });
  tell(EVENT.written, { data: Buffer.from('one') });
  t.same(possible(disk), ['', 'new=', 'new=---', 'new=one']);
  flush(FILE);
  t.same(possible(disk), ['', 'new=one'], 'the name is one of the folder');
  tell(EVENT.renamed, { path: 'new', newPath: 'file' });
  t.same(possible(disk), ['', 'file=one', 'new=one']);
  flush(FOLDER);
  t.same(possible(disk), ['file=one']);
});

t.test('what was written before a flush began is there, and what came later may be', async (t) => {
  const disk = emptyDisk();
  const { tell, flush } = recorder(disk);
  tell(EVENT.opened, { path: 'file' });
  flush(FOLDER);
  tell(EVENT.written, { data: Buffer.from('one') });
  tell(EVENT.flushBegan, { ticket: 7 });
  tell(EVENT.written, { data: Buffer.from('two') });
  t.same(possible(disk), ['file=', 'file=---', 'file=one', 'file=two']);
  tell(EVENT.flushEnded, { ticket: 7 });
  t.same(possible(disk), ['file=one', 'file=two']);
  tell(EVENT.written, { data: Buffer.from('six') });
  flush(FILE, { length: 3 });
  t.same(possible(disk), ['file=six'], 'also of a part');
});

t.test('a folder that is not as it was recorded is found', async (t) => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'a', 'file'), 'text');
  const disk = new Disk(root, snapshotOf(root));
  t.same(disk.differences(), []);
  writeFileSync(join(root, 'a', 'file'), 'another');
  t.same(disk.differences(), ['a/file']);
});

t.test('options are read, and what they cannot be is refused', async (t) => {
  t.match(readOptions(['--cuts', '3', '--seed', '5']), {
    cuts: 3,
    seed: 5,
    durabilities: ['fsync', 'relaxed'],
  });
  t.same(readOptions(['--durability', 'relaxed'])?.durabilities, ['relaxed']);
  t.equal(readOptions(['--help']), undefined);
  t.throws(() => readOptions(['--cuts', 'x']), /--cuts is "x"/);
  t.throws(() => readOptions(['--durability', 'x']), /give fsync or relaxed/);
});

t.test('what was made and removed again, and is lost, does not count as there', async (t) => {
  const folder = temporaryFolder();
  const server = await startServer({ dataDirectory: folder });
  const [type] = TYPES;
  const { json: list } = await server.get(type.path);
  const firstVersion = Number(list.metadata.resourceVersion);
  const changes: Change[] = [];
  const answered: Answered[] = [];
  const write = (key: string, timeNs: bigint, made: TestObject, isDeletion: boolean): void => {
    const version = Number(made.metadata.resourceVersion);
    changes.push({ version, key, isDeletion, text: textOf(made) });
    const times = { sentNs: timeNs, answeredNs: timeNs + 1n };
    answered.push({ type: type.name, key, version: isDeletion ? 0 : version, ...times });
  };
  const watch = await server.watch(`${type.path}?watch=true&resourceVersion=${firstVersion}`);
  await server.post(type.path, { metadata: { name: 'there' } });
  const [made] = await watch.take(1);
  write('there', 1n, made?.object, false);
  await server.stop();
  // Nobody has them: they were in memory when the power went.
  for (const [after, isDeletion] of [false, true].entries()) {
    const version = Number(made?.object.metadata.resourceVersion) + 1 + after;
    const lost = { metadata: { name: 'lost', resourceVersion: String(version) } };
    write('lost', 3n + BigInt(after) * 2n, lost, isDeletion);
  }
  const types = new Map([[type.name, { first: objectsOf(list), firstVersion, changes }]]);
  const history = { types, answered, shown: [], readyNs: undefined, token: '' };
  const cut = { folder, durability: 'fsync', timeNs: 10n, promisedNs: 5n } as const;
  const { violations, lostWrites } = await judge(cut, history);
  t.equal(lostWrites, 2);
  t.match(violations, [/^version \d+ of configmaps lost was promised, and is lost$/]);
  t.equal(violations.length, 1);
});

const hasCompiler = process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0;
const skip = hasCompiler ? false : 'records on Linux, with gcc';

t.test('a server goes on after a power cut', { skip }, async (t) => {
  const lines: string[] = [];
  const options = { durability: 'relaxed', cuts: 1, seed: 1, keeps: false } as const;
  const { broken } = await new Campaign(options, (line) => lines.push(line)).run();
  t.equal(broken, 0, lines.join('\n'));
  t.match(lines, [/^ok   relaxed cut 1: /]);
});

t.end();
