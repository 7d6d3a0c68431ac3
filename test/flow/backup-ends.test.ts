/** Backups, restores and repairs that end in the midst: by kill -9, and on a full disk. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { openDataFolder } from '../../src/data-folder.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { readBackup } from '../../src/backup/read-backup.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { expectRefusedStart } from '../support/refused-start.ts';
import { startServer, type Server } from '../support/server.ts';
import { Child, runToExit, temporaryFolder, type Exit } from '../support/server-process.ts';

const OBJECTS = 60;
const EXIT_MS_MAX = 60_000;

function tool(name: string): string {
  return fileURLToPath(new URL(`../../tools/backup/${name}-main.ts`, import.meta.url));
}

function start(name: string, ...args: string[]): Child {
  return new Child(process.execPath, [tool(name), ...args]);
}

async function run(name: string, ...args: string[]): Promise<Exit> {
  return start(name, ...args).exit(EXIT_MS_MAX);
}

/** Runs a command with files of at most so many KiB, which acts like a full disk. */
async function runOnFullDisk(kibibytes: number, name: string, ...args: string[]): Promise<Exit> {
  const limited = `ulimit -f ${kibibytes}; trap '' XFSZ; exec "$@"`;
  const child = new Child('bash', ['-c', limited, 'bash', process.execPath, tool(name), ...args]);
  return child.exit(EXIT_MS_MAX);
}

const hasBash = spawnSync('bash', ['-c', 'ulimit -f 1000']).status === 0;
const skip = hasBash ? false : 'needs bash to limit the size of files';

/** Kills a command once something is there; false where it had ended before. */
async function killWhen(child: Child, isThere: () => boolean): Promise<boolean> {
  let ended = false;
  void child.exited.then(() => (ended = true));
  while (!ended && !isThere()) await new Promise((resolve) => setImmediate(resolve));
  child.process.kill('SIGKILL');
  const { signal } = await child.exited;
  return signal === 'SIGKILL';
}

async function filledServer(test: Test): Promise<Server> {
  const server = await startServer({ test });
  for (let at = 0; at < OBJECTS; at++) {
    const noise = Array.from({ length: 2_000 }, (_, i) => (at * 7_919 + i * i) % 1_000).join(' ');
    await server.post(CONFIG_MAPS, configMap(`c${at}`, { noise }));
  }
  return server;
}

async function objectsIn(folder: string): Promise<number> {
  const lock = openDataFolder(folder);
  const store = openStore({ dataDir: folder, durability: 'fsync' });
  const count = store.openLog('configmaps').count();
  await store.close();
  lock.release();
  return count;
}

t.test('a backup that is killed leaves no file that looks whole', async (t) => {
  const server = await filledServer(t);
  const folder = temporaryFolder();
  const file = join(folder, 'all.backup');
  const partial = `${file}.partial`;
  const moments = [
    () => existsSync(partial),
    // It may have got its name between two looks.
    () => (statSync(partial, { throwIfNoEntry: false })?.size ?? 0) > 0,
    () => existsSync(file),
  ];
  for (const isThere of moments) {
    const child = start('backup', '--data-dir', server.dataDirectory, '--to', file);
    await killWhen(child, isThere);
    if (existsSync(file)) t.ok(readBackup(file).logs.length > 0, 'what is there is whole');
    else t.match(readdirSync(folder), ['all.backup.partial']);
  }
  const { code, stdout } = await run('backup', '--data-dir', server.dataDirectory, '--to', file);
  t.equal(code, 0, stdout);
  t.same(readdirSync(folder), ['all.backup'], 'what was left is gone');
  t.equal((await server.stop()).code, 0, 'and the server has not minded');
});

t.test(
  'a restore or repair that is killed is refused by a server, and can be done again',
  async (t) => {
    const server = await filledServer(t);
    await server.stop();
    const root = temporaryFolder();
    const file = join(root, 'all.backup');
    await run('backup', '--data-dir', server.dataDirectory, '--to', file);
    const commands = (to: string): [string, string[]][] => [
      ['restore', [file, '--data-dir', to]],
      ['repair', [server.dataDirectory, '--to', to]],
    ];
    for (const which of [0, 1]) {
      const to = join(root, `to-${which}`);
      const [name, args] = commands(to)[which] ?? ['', []];
      const moments = ['lock', 'unfinished', 'admin.token', 'unfinished/store/data.mdb'];
      for (const moment of moments) {
        const isKilled = await killWhen(start(name, ...args), () => existsSync(join(to, moment)));
        if (!isKilled || existsSync(join(to, 'store')) || !existsSync(join(to, 'unfinished')))
          continue;
        const refusal = /was being restored or repaired, and is not whole: do that again/;
        t.throws(() => openDataFolder(to), refusal, `${name} killed once there was ${moment}`);
      }
      if (!existsSync(join(to, 'store'))) {
        expectRefusedStart(t, await runToExit(['--data-dir', to, '--port', '0']), /is not whole/);
        const again = await run(name, ...args);
        t.equal(again.code, 0, again.stderr);
      }
      t.notOk(existsSync(join(to, 'unfinished')));
      t.equal(await objectsIn(to), await objectsIn(server.dataDirectory));
    }
  },
);

t.test('a full disk is said in a line, and nothing looks whole', { skip }, async (t) => {
  const server = await filledServer(t);
  const folder = temporaryFolder();
  const file = join(folder, 'all.backup');
  const refused = await runOnFullDisk(
    8,
    'backup',
    '--data-dir',
    server.dataDirectory,
    '--to',
    file,
  );
  t.equal(refused.code, 1);
  t.match(refused.stderr, /^backup: EFBIG: file too large, write$/m);
  t.same(readdirSync(folder), [], 'nothing is left');
  await run('backup', '--data-dir', server.dataDirectory, '--to', file);
  await server.stop();
  const to = join(folder, 'restored');
  for (const [name, ...args] of [
    ['restore', file, '--data-dir', to],
    ['repair', server.dataDirectory, '--to', to],
  ] as [string, ...string[]][]) {
    const full = await runOnFullDisk(256, name, ...args);
    t.equal(full.code, 1, full.stderr);
    t.match(
      full.stderr.trim().split('\n').at(-1),
      /^(restore|repair): cannot write to .*: .*\. Make room there, or give another folder$/,
    );
    t.throws(() => openDataFolder(to), /is not whole/);
  }
  t.equal((await run('restore', file, '--data-dir', to)).code, 0);
});

t.test('a damaged folder is refused with what helps, and serves again once repaired', async (t) => {
  const server = await filledServer(t);
  const { json } = await server.get(CONFIG_MAPS);
  t.match((await run('verify', server.dataDirectory)).stderr, /in use by process/);
  await server.stop();
  t.match((await run('verify', server.dataDirectory)).stdout, /is whole: [0-9]+ records of/);
  const file = join(server.dataDirectory, 'store', 'data.mdb');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('"c7"');
  t.ok(at > 0);
  // All copies of the page.
  for (let from = at; from >= 0; from = bytes.indexOf('"c7"', from + 1)) bytes.write('"cX"', from);
  writeFileSync(file, bytes);
  const start = await runToExit(['--data-dir', server.dataDirectory, '--port', '0']);
  expectRefusedStart(t, start, /damaged.*npm run restore.*npm run repair.*npm run verify/);
  const verified = await run('verify', server.dataDirectory);
  t.equal(verified.code, 1);
  t.match(verified.stdout, /^lost: configmaps: a record, which says that it is version [0-9]+/m);
  const to = join(temporaryFolder(), 'repaired');
  const repaired = await run('repair', server.dataDirectory, '--to', to);
  t.equal(repaired.code, 0, repaired.stderr);
  t.match(repaired.stdout, /^lost: configmaps: a record, .*\n.*\nrepaired into .* objects of/m);
  const again = await startServer({ test: t, dataDirectory: to });
  t.equal(again.token, server.token);
  const others = (json.items as { metadata: { name: string } }[]).filter(
    ({ metadata }) => metadata.name !== 'c7',
  );
  t.same((await again.get(CONFIG_MAPS)).json.items, others);
});
