/** Damaged folders are repaired without a wrong byte, and what is lost is told. */
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { encodeRecord, OPERATION } from '../../src/storage/record.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Moment } from '../../src/storage/store.ts';
import { runRepair } from '../../tools/backup/repair.ts';
import { runVerify } from '../../tools/backup/verify.ts';
import { DAMAGES, randomOf } from '../storage/damages.ts';
import { temporaryFolder } from '../support/server-process.ts';

const CASES = Number(process.env['SHARDPLANE_REPAIR_CASES'] ?? 100);
const BUILT_IN = ['configmaps', 'pods', 'secrets', 'nodes', 'customresourcedefinitions.x'];
const CUSTOM = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const LOGS = [...BUILT_IN, ...CUSTOM];

type Runs = (args: readonly string[], output: Parameters<typeof runRepair>[1]) => Promise<number>;

async function said(run: Runs, ...args: string[]): Promise<[code: number, lines: string[]]> {
  let text = '';
  const write = (part: string): void => void (text += part);
  const code = await run(args, { write, say: (line) => write(`${line}\n`) });
  return [code, text.trim().split('\n')];
}

/** By log and version, the records that were acknowledged; and those of objects that there are. */
interface Truth {
  readonly all: ReadonlyMap<string, ReadonlyMap<number, Buffer>>;
  readonly live: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A folder with creates, updates and deletes of several types, and what is in it. */
async function filled(folder: string): Promise<Truth> {
  const place = { dataDir: folder, durability: 'relaxed' } as const;
  const first = openStore(place);
  first.makeLogs(BUILT_IN);
  await first.close();
  const store = openStore(place);
  const logs = new Map([
    ...BUILT_IN.map((log) => [log, store.openLog(log)] as const),
    ...CUSTOM.map((log) => [log, store.openCustomLog(log)] as const),
  ]);
  const random = randomOf(3);
  const all = new Map(LOGS.map((log) => [log, new Map<number, Buffer>()]));
  const live = new Map(LOGS.map((log) => [log, new Map<string, number>()]));
  let rv = 1;
  for (let commit = 0; commit < 60; commit++) {
    const log = LOGS[random(BUILT_IN.length - 1 + CUSTOM.length)] ?? '';
    const name = log === BUILT_IN.at(-1) ? (CUSTOM[0] ?? '') : log;
    const entries = Array.from({ length: 1 + random(30) }, () => {
      const key = `default/o-${random(60)}`;
      const previousRv = live.get(name)?.get(key) ?? 0;
      const isGone = previousRv > 0 && random(4) === 0;
      const operation = isGone
        ? OPERATION.deleted
        : OPERATION[previousRv > 0 ? 'modified' : 'added'];
      rv += 1 + random(3);
      const length =
        name === 'pods' ? 3_000 + random(2_000) : 50 + random(name === 'nodes' ? 20_000 : 900);
      const words = Array.from({ length: length / 10 }, () => random(9_999)).join(' ');
      const wire = `"metadata":{"name":"${key}","resourceVersion":"${rv}"},"data":"${words}"}`;
      const header = { operation, timeMs: rv, previousRv, key, labels: undefined, fields: [] };
      if (isGone) live.get(name)?.delete(key);
      else live.get(name)?.set(key, rv);
      const value = encodeRecord(header, wire);
      all.get(name)?.set(rv, value);
      return { rv, value };
    });
    await logs.get(name)?.append(entries);
  }
  await store.shared.put('highWater', String(rv + 100));
  await store.shared.put(
    'dialect',
    JSON.stringify({ domain: 'cluster.io', untranslated: [], translated: 0 }),
  );
  await store.close();
  return { all, live: new Map([...live].map(([log, keys]) => [log, new Set(keys.values())])) };
}

/** What is told of a log. */
interface Told {
  /** Ranges of versions, both ends outside. */
  readonly lost: readonly (readonly [after: number, before: number])[];
  /** Objects that were written last before this version may be other ones. */
  readonly doubtfulBefore: number;
}

function toldOf(lines: readonly string[], name: string): Told {
  const lost: [number, number][] = [];
  let doubtfulBefore = 0;
  for (const line of lines) {
    const [, commits] = /^damaged: store: .* after version ([0-9]+), is lost$/.exec(line) ?? [];
    if (commits !== undefined) {
      lost.push([Number(commits), Infinity]);
      doubtfulBefore = Infinity;
    }
    if (/^damaged: store: (the name of custom log|which types)/.test(line))
      lost.push([0, Infinity]);
    if (line.startsWith(`lost: ${name}: `)) {
      const [, after = '0'] =
        /(?:after version|between versions) ([0-9]+)\b[^)]*\)$/.exec(line) ?? [];
      const [, before = 'Infinity'] = /(?:before version|and) ([0-9]+)\)$/.exec(line) ?? [];
      lost.push([Number(after), Number(before)]);
    }
    if (line.startsWith(`doubtful: ${name}`)) {
      const [, before = 'Infinity'] = / before version ([0-9]+): /.exec(line) ?? [];
      doubtfulBefore = Math.max(doubtfulBefore, Number(before));
    }
  }
  return { lost, doubtfulBefore };
}

function nameOf(log: string): string {
  return CUSTOM.includes(log) ? `the custom type ${log}` : log;
}

/** What is wrong with what is served after a repair. */
function wrongIn(moment: Moment, truth: Truth, lines: readonly string[]): string[] {
  const wrong: string[] = [];
  for (const log of LOGS) {
    const { lost, doubtfulBefore } = toldOf(lines, nameOf(log));
    const served = new Set<number>();
    const stored = moment.logs.get(log) ?? moment.customLogs.get(log);
    stored?.scan(0, (rv, record) => {
      served.add(rv);
      const was = truth.all.get(log)?.get(rv);
      if (was?.equals(record) !== true) wrong.push(`${log} ${rv} is not what was acknowledged`);
      const isLive = truth.live.get(log)?.has(rv) === true;
      if (!isLive && rv >= doubtfulBefore) wrong.push(`${log} ${rv} is old, and nobody says so`);
      return true;
    });
    for (const rv of truth.live.get(log) ?? []) {
      const isTold = lost.some(([after, before]) => rv > after && rv < before);
      if (!served.has(rv) && !isTold) wrong.push(`${log} ${rv} is lost, and nobody says so`);
    }
    for (const [after, before] of lost) {
      const inRange = [...(truth.all.get(log)?.keys() ?? [])].filter(
        (rv) => rv > after && rv < before,
      );
      const isAllThere = inRange.every((rv) => served.has(rv));
      if (inRange.length > 0 && isAllThere && after > 0)
        wrong.push(`${log} has lost nothing after ${after}`);
    }
  }
  return wrong;
}

t.test('100 damaged folders are repaired without a wrong byte', async (t) => {
  const root = temporaryFolder();
  const whole = join(root, 'whole');
  const truth = await filled(whole);
  t.match(await said(runVerify, whole), [0, [/is whole: [0-9]+ records of 7 types/]]);
  const counts: Record<string, number> = {};
  for (let seed = 0; seed < CASES; seed++) {
    const folder = join(root, 'damaged');
    const repaired = join(root, 'repaired');
    for (const old of [folder, repaired]) rmSync(old, { recursive: true, force: true });
    mkdirSync(join(folder, 'store'), { recursive: true });
    const file = join(folder, 'store', 'data.mdb');
    copyFileSync(join(whole, 'store', 'data.mdb'), file);
    const random = randomOf(seed + 11);
    const what = DAMAGES[seed % DAMAGES.length]?.(file, random) ?? '';
    const [verified] = await said(runVerify, folder);
    const [code, lines] = await said(runRepair, folder, '--to', repaired);
    const isFound = lines.some((line) => /^(damaged|lost): /.test(line));
    if (code === 1) {
      if (!/has no root|no object can be read/.test(lines[0] ?? ''))
        t.fail(`${seed} ${what}: ${lines[0]}`);
      counts['nothing is left'] = (counts['nothing is left'] ?? 0) + 1;
      continue;
    }
    if (verified !== (isFound ? 1 : 0)) t.fail(`${seed} ${what}: verify says ${verified}`);
    const store = openStore({ dataDir: repaired, durability: 'fsync' });
    const wrong = wrongIn(store.moment(), truth, lines);
    await store.close();
    if (wrong.length > 0)
      t.fail(`${seed} ${what}: ${wrong.slice(0, 3).join('; ')}\n${lines.join('\n')}`);
    const outcome = isFound ? `${what}: told` : `${what}: no harm`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  // The page that names the logs stands near the end of the file: a short rest has lost it.
  t.ok((counts['nothing is left'] ?? 0) < CASES / 4, 'of most of them something is left');
  t.comment(JSON.stringify(counts));
});

t.test('a folder that is whole is repaired into the same', async (t) => {
  const root = temporaryFolder();
  const whole = join(root, 'whole');
  const truth = await filled(whole);
  const before = join(root, 'before');
  cpSync(whole, before, { recursive: true });
  const [code, lines] = await said(runRepair, whole, '--to', join(root, 'new'));
  t.equal(code, 0);
  t.match(lines, [/^repaired into .*new: [0-9]+ objects of 7 types$/]);
  const store = openStore({ dataDir: join(root, 'new'), durability: 'fsync' });
  t.same(wrongIn(store.moment(), truth, lines), []);
  await store.close();
  t.match(await said(runRepair, whole, '--to', join(root, 'new')), [1, [/is not empty/]]);
  t.match(await said(runRepair, join(root, 'none'), '--to', join(root, 'x')), [1, [/no store in/]]);
});
