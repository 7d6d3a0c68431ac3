/** Backups of a running server, and what is made of them. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { customDefinition, established } from '../support/custom-types.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { startServer, type Server } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { runBackup } from '../../tools/backup/backup.ts';
import { runRestore } from '../../tools/backup/restore.ts';

const SITES = '/apis/shop.example.com/v1/namespaces/default/sites';
const WRITERS = 4;
const WRITES_BEFORE = 100;

type Run = (args: readonly string[], output: Parameters<typeof runBackup>[1]) => Promise<number>;

/** The exit code, and all that it has said. */
async function said(run: Run, ...args: string[]): Promise<[code: number, said: string]> {
  let text = '';
  const write = (part: string): void => void (text += part);
  // How far it is depends on the machine.
  const say = (line: string): void =>
    /^[0-9]+ records, |^checked /.test(line) ? undefined : write(line);
  return [await run(args, { write, say }), text];
}

/** Writes of two types until it is stopped: each connection changes its own objects. */
function writing(server: Server) {
  let isStopped = false;
  let writes = 0;
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; !isStopped; turn++) {
      const name = `w${number}-${turn % 10}`;
      const path = turn % 2 === 0 ? CONFIG_MAPS : SITES;
      const { status } = await server.get(`${path}/${name}`);
      if (status === 200 && turn % 3 === 0) await server.delete(`${path}/${name}`);
      else if (status === 200)
        await server.request('PATCH', `${path}/${name}`, patchOf(turn), MERGE);
      else await server.post(path, { ...kindAt(path), metadata: { name }, data: { turn: 'new' } });
      writes++;
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, number) => writer(number));
  return {
    until: async (count: number): Promise<void> => {
      while (writes < count) await new Promise((resolve) => setImmediate(resolve));
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(writers);
    },
  };
}

const MERGE = { 'content-type': 'application/merge-patch+json' };
const patchOf = (turn: number) => ({ data: { turn: String(turn) } });
const kindAt = (path: string) =>
  path === SITES ? { apiVersion: 'shop.example.com/v1', kind: 'Site' } : {};

async function itemsAt(server: Server, path: string, version = ''): Promise<unknown> {
  const at = version === '' ? '' : `?resourceVersion=${version}&resourceVersionMatch=Exact`;
  const { json, text } = await server.get(path + at);
  if (json.items === undefined) throw new Error(text);
  return json.items;
}

const TYPES = [CONFIG_MAPS, SITES, '/api/v1/namespaces', '/api/v1/serviceaccounts'];

t.test('a backup of a server that is written to is all types as of one version', async (t) => {
  const server = await startServer({ test: t });
  await established(server, customDefinition('shop.example.com', 'Site'));
  const writers = writing(server);
  await writers.until(WRITES_BEFORE);
  const folder = temporaryFolder();
  const file = join(folder, 'all.backup');
  const [code, line] = await said(runBackup, '--data-dir', server.dataDirectory, '--to', file);
  await writers.stop();
  t.equal(code, 0, line);
  const [, version = ''] = /as of version ([0-9]+)/.exec(line) ?? [];
  t.ok(Number(version) > 1, line);
  t.same(readdirSync(folder), ['all.backup'], 'nothing else is left');
  const before = await Promise.all(TYPES.map((path) => itemsAt(server, path, version)));
  const newest = await server.post(CONFIG_MAPS, configMap('later'));
  await server.stop();

  const place = join(folder, 'restored');
  const [restoredCode, restoredLine] = await said(runRestore, file, '--data-dir', place);
  t.equal(restoredCode, 0, restoredLine);
  const restored = await startServer({ test: t, dataDirectory: place });
  t.equal(restored.token, server.token, 'the administrator is the same');
  for (const [at, path] of TYPES.entries()) {
    t.same(await itemsAt(restored, path), before[at], `${path} is what it was at the version`);
  }
  const watch = await restored.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  t.equal(watch.status, 410, 'watches of before begin anew');
  const seen = newest.json.metadata.resourceVersion;
  const future = await restored.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${seen}`);
  t.equal(future.status, 410, 'those too that have seen what is lost');
  const made = await restored.post(CONFIG_MAPS, configMap('later'));
  t.ok(Number(made.json.metadata.resourceVersion) > Number(seen), 'no version is used twice');
  await restored.stop();
  t.match(await said(runRestore, file, '--data-dir', place), [1, /is not empty/]);
});

t.test(
  'of servers that share an etcd any gives a backup, and a folder is made of it',
  async (t) => {
    const { url } = await startDouble(t);
    const args = ['--store', 'etcd', '--etcd-servers', url];
    const owner = await startServer({ test: t, args });
    const follower = await startServer({ test: t, args });
    await established(owner, customDefinition('shop.example.com', 'Site'));
    const writers = writing(owner);
    await writers.until(WRITES_BEFORE);
    const folder = temporaryFolder();
    const backups: { readonly file: string; readonly version: string }[] = [];
    for (const [name, { dataDirectory }] of Object.entries({ owner, follower })) {
      const file = join(folder, `${name}.backup`);
      const [code, line] = await said(runBackup, '--data-dir', dataDirectory, '--to', file);
      t.equal(code, 0, line);
      const [, version = ''] = /as of version ([0-9]+)/.exec(line) ?? [];
      backups.push({ file, version });
    }
    await writers.stop();
    for (const { file, version } of backups) {
      const before = await Promise.all(TYPES.map((path) => itemsAt(owner, path, version)));
      const place = `${file}.restored`;
      const [code, line] = await said(runRestore, file, '--data-dir', place);
      t.equal(code, 0, line);
      const restored = await startServer({ test: t, dataDirectory: place });
      t.equal(restored.token, owner.token, 'the administrator is the same');
      for (const [at, path] of TYPES.entries()) {
        t.same(await itemsAt(restored, path), before[at], `${path} is what it was at the version`);
      }
      await restored.stop();
    }
    await follower.stop();
    const stopped = await said(runBackup, '--data-dir', follower.dataDirectory, '--to', folder);
    t.match(
      stopped,
      [1, /is of a server whose objects are in etcd: start it with --store etcd; a backup/],
      'a folder of one that does not run has no objects',
    );
  },
);

t.test('a backup goes back to any version of its history', async (t) => {
  const server = await startServer({ test: t });
  const first = await server.post(CONFIG_MAPS, configMap('a', { n: '1' }));
  const changed = await server.request('PATCH', `${CONFIG_MAPS}/a`, { data: { n: '2' } }, MERGE);
  const version: string = changed.json.metadata.resourceVersion;
  await server.delete(`${CONFIG_MAPS}/a`);
  const other = await server.post(CONFIG_MAPS, configMap('b'));
  await server.stop();
  const folder = temporaryFolder();
  const file = join(folder, 'stopped.backup');
  const [code, line] = await said(runBackup, '--data-dir', server.dataDirectory, '--to', file);
  t.equal(code, 0, line);
  t.match(line, new RegExp(`as of version ${other.json.metadata.resourceVersion}`), 'the newest');

  const place = join(folder, 'at');
  t.match(await said(runRestore, file, '--data-dir', place, '--at-version', version), [
    0,
    /version/,
  ]);
  const restored = await startServer({ test: t, dataDirectory: place });
  t.same((await restored.get(`${CONFIG_MAPS}/a`)).json, changed.json);
  t.equal(first.json.metadata.uid, changed.json.metadata.uid);
  t.equal((await restored.get(`${CONFIG_MAPS}/b`)).status, 404);
  const far = String(Number(version) + 1_000);
  const refused = await said(
    runRestore,
    file,
    '--data-dir',
    join(folder, 'x'),
    '--at-version',
    far,
  );
  t.match(refused, [1, /has the versions from/]);
  t.notOk(existsSync(join(folder, 'x')), 'nothing is made');
});

t.test('only an administrator takes a backup', async (t) => {
  const server = await startServer({ test: t });
  const BACKUPS = '/shardplane/backups';
  const anonymous = { authorization: undefined };
  t.equal((await server.post(BACKUPS, undefined, anonymous)).status, 403);
  t.equal((await server.get(BACKUPS)).status, 405);
  const { status, json } = await server.post(BACKUPS, undefined);
  t.equal(status, 201);
  t.equal((await server.get(`${BACKUPS}/${json.id}/0`, anonymous)).status, 403);
  t.equal((await server.get(`${BACKUPS}/${json.id}/1`)).status, 409, 'frames come in order');
  const [one, again] = [
    await server.get(`${BACKUPS}/${json.id}/0`),
    await server.get(`${BACKUPS}/${json.id}/0`),
  ];
  t.equal(one.status, 200);
  t.equal(one.text, again.text, 'the last one may be asked for once more');
  t.equal((await server.delete(`${BACKUPS}/${json.id}`)).status, 200);
  t.equal((await server.get(`${BACKUPS}/${json.id}/1`)).status, 404);
  const begun = await Promise.all([1, 2, 3, 4, 5].map(() => server.post(BACKUPS, undefined)));
  const taken = begun.filter((answer) => answer.status === 201).length;
  // The one before may not have ended.
  t.ok(taken === 3 || taken === 4, `${taken}: four at a time`);
  t.ok(begun.every(({ status }) => status === 201 || status === 429));
  const exit = await server.stop();
  t.equal(exit.code, 0, 'a server stops in the midst of backups');
});

t.test('a file that is not whole is refused, and says where', async (t) => {
  const server = await startServer({ test: t });
  await server.stop();
  const folder = temporaryFolder();
  const file = join(folder, 'whole.backup');
  await said(runBackup, '--data-dir', server.dataDirectory, '--to', file);
  const bytes = readFileSync(file);
  const damaged = join(folder, 'damaged.backup');
  const place = join(folder, 'place');
  const refused = async (names: RegExp): Promise<void> => {
    t.match(await said(runRestore, damaged, '--data-dir', place), [1, names]);
    t.notOk(existsSync(place), 'nothing is made of it');
  };
  for (const part of [0.2, 0.5, 0.9, 0.999]) {
    copyFileSync(file, damaged);
    truncateSync(damaged, Math.floor(bytes.length * part));
    await refused(/damaged\.backup is cut off after [0-9]+ bytes: what comes after .* is missing/);
  }
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.95]) {
    const flipped = Buffer.from(bytes);
    const at = Math.floor(bytes.length * part);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 4, at);
    writeFileSync(damaged, flipped);
    await refused(/damaged\.backup is (damaged: chunk [0-9]+, at byte [0-9]+, after|cut off)/);
  }
  writeFileSync(damaged, Buffer.concat([bytes, bytes]));
  await refused(/there is more after its end/);
  writeFileSync(damaged, 'something else');
  await refused(/is no backup of this program/);
  writeFileSync(damaged, '');
  await refused(/is cut off after 0 bytes/);
});

t.test('what cannot be done is said in a line', async (t) => {
  const nowhere = join(temporaryFolder(), 'nowhere');
  const rows: [Run, string[], RegExp][] = [
    [runBackup, [], /^give --to FILE$/],
    [runBackup, ['--to', 'x', '--data-dir', nowhere], /nowhere is no data folder/],
    [runBackup, ['--to', 'x', '--data-dir', nowhere, '--kubeconfig', 'y'], /give one of/],
    [runBackup, ['--help'], /^Usage: npm run backup/],
    [runRestore, [], /^give FILE and --data-dir/],
    [runRestore, ['x', '--data-dir', nowhere, '--at-version', '0'], /give a resourceVersion/],
    [runRestore, [nowhere, '--data-dir', `${nowhere}2`], /^cannot read the backup: ENOENT/],
    [runRestore, ['--help'], /^Usage: npm run restore/],
  ];
  for (const [run, args, line] of rows) t.match((await said(run, ...args))[1], line);
});
