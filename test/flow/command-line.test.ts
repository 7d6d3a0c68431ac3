/** Starts that cannot work end at once with one clear line; the others do what they say. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { Agent, get as httpsGet } from 'node:https';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { expectRefusedStart } from '../support/refused-start.ts';
import { Child, freePort, runToExit, temporaryFolder } from '../support/server-process.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import { openStore } from '../../src/storage/open-store.ts';

/** The server of the first three tests. */
const server = await startServer({ test: t });

t.test('a second server on the same data folder is refused, the first goes on', async (t) => {
  await server.post(CONFIG_MAPS, configMap('mine'));
  const port = String(await freePort());
  const flags = ['--data-dir', server.dataDirectory, '--port', port, '--secure-port', '0'];
  expectRefusedStart(t, await runToExit(flags), /another|in use|already/i);
  t.equal((await server.get(`${CONFIG_MAPS}/mine`)).status, 200);
  t.equal((await server.post(CONFIG_MAPS, configMap('more'))).status, 201);
  await server.kill();
  await server.restart();
  t.equal((await server.get(`${CONFIG_MAPS}/more`)).status, 200, 'a killed one leaves no lock');
});

t.test('a port that is in use, by another program or another server', async (t) => {
  const folder = temporaryFolder();
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(() => listener.close());
  const address = listener.address();
  const taken = typeof address === 'object' && address !== null ? String(address.port) : '';
  const flags = ['--data-dir', folder, '--secure-port', '0', '--port', taken];
  expectRefusedStart(t, await runToExit(flags), new RegExp(taken));
  const same = String(server.port);
  const shared = await runToExit(['--data-dir', folder, '--secure-port', '0', '--port', same]);
  expectRefusedStart(t, shared, new RegExp(same));
  const secure = ['--data-dir', folder, '--port', '0', '--secure-port', taken];
  expectRefusedStart(t, await runToExit(secure), new RegExp(taken));
});

t.test('of a server that the system has ended no more is said than is known', async (t) => {
  const launcher = new URL('../../tools/launcher.mjs', import.meta.url).href;
  const said = async (code: number): Promise<string> => {
    const script = `import('${launcher}').then(({ crashText }) => console.log(crashText(${code})))`;
    const { stdout } = await new Child(process.execPath, ['-e', script]).exit(PATIENCE_MS);
    return stdout;
  };
  const aborted = await said(134);
  t.match(aborted, /^shardplane: the server was ended by SIGABRT; [^\n]*Start it again: [^\n]*\n$/);
  t.notMatch(aborted, /damage|backup/, 'and nothing is blamed');
  t.equal(await said(1), 'undefined\n', 'one that ends by itself says why');
});

t.test('a store of an earlier format stays until the server has started twice', async (t) => {
  const old = join(server.dataDirectory, 'store-before');
  await server.stop();
  const store = openStore({ dataDir: server.dataDirectory, durability: 'fsync' });
  await store.local.put('format', '4');
  await store.close();
  await server.restart();
  t.match(server.stderr, new RegExp(`the store goes from format 4 to [0-9]+; .* ${old}`));
  t.ok(existsSync(join(old, 'data.mdb')));
  await server.stop();
  await server.restart();
  t.match(server.stderr, new RegExp(`${old} is removed`));
  t.notOk(existsSync(old));
});

t.test('an unknown storage format is refused and left alone', async (t) => {
  await server.stop();
  const store = openStore({ dataDir: server.dataDirectory, durability: 'fsync' });
  const format = store.local.get('format') ?? '';
  await store.local.put('format', '99');
  await store.close();
  const port = String(await freePort());
  const flags = ['--data-dir', server.dataDirectory, '--port', port, '--secure-port', '0'];
  expectRefusedStart(t, await runToExit(flags), /format 99/);
  const again = openStore.bind(undefined, { dataDir: server.dataDirectory, durability: 'fsync' });
  t.throws(again, /format 99/);
  t.not(format, '99');
});

t.test('a data folder that cannot be used', async (t) => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  const port = String(await freePort());
  for (const data of [file, join(file, 'below')]) {
    const exit = await runToExit(['--data-dir', data, '--port', port, '--secure-port', '0']);
    expectRefusedStart(t, exit, new RegExp(data.replaceAll('/', '\\/')));
  }
  const readOnly = join(folder, 'read-only');
  mkdirSync(readOnly, { mode: 0o500 });
  if (process.getuid?.() !== 0) {
    const exit = await runToExit(['--data-dir', readOnly, '--port', port, '--secure-port', '0']);
    expectRefusedStart(t, exit, /read-only/);
  }
});

/** One of each sort: `test/config.test.ts` has them all. */
t.test('wrong flags and values', async (t) => {
  const folder = temporaryFolder();
  const rows: [string[], RegExp][] = [
    [['--nonsense'], /nonsense/],
    [['--port', 'eighty'], /port/],
    [['--port', '0', '--secure-port', '0'], /port/],
    [['--config', join(folder, 'none.yaml')], /none\.yaml/],
    [['stray'], /stray/],
  ];
  for (const [flags, names] of rows) {
    const exit = await runToExit(['--data-dir', join(folder, 'data'), ...flags]);
    expectRefusedStart(t, exit, names);
  }
});

t.test('a config file sets what flags set; flags win', async (t) => {
  const folder = temporaryFolder();
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'durability: relaxed\nshard-threads: 1\nport: 1\nwatch-history: 2m\n');
  const server = await startServer({ test: t, args: ['--config', config] });
  t.equal((await server.post(CONFIG_MAPS, configMap('configured'))).status, 201);
  for (const [text, names] of [
    ['nonsense: 1\n', /nonsense/],
    ['- a\n', /config/],
  ] as const) {
    writeFileSync(config, text);
    const data = join(folder, 'data');
    expectRefusedStart(t, await runToExit(['--data-dir', data, '--config', config]), names);
  }
});

t.test('--help and --version answer and end', async (t) => {
  const help = await runToExit(['--help']);
  t.equal(help.code, 0);
  for (const flag of [
    '--bind-address',
    '--port',
    '--secure-port',
    '--data-dir',
    '--durability',
    '--api-domain',
    '--shard-threads',
    '--watch-history',
    '--config',
    '--token-auth-file',
    '--shutdown-timeout',
  ]) {
    t.match(help.stdout, flag);
  }
  const version = await runToExit(['--version']);
  t.equal(version.code, 0);
  const built = String.raw`\((?:commit|sources) [0-9a-f]{40}(?: with changes)?, built \S+Z\)`;
  t.match(version.stdout, new RegExp(String.raw`^shardplane \d+\.\d+\.\d+ ${built}\n$`));
});

t.test('HTTPS with a certificate made on the first start, kept on the second', async (t) => {
  const port = await freePort();
  const args = ['--secure-port', String(port), '--tls-extra-san', 'a.example.org'];
  const server = await startServer({ test: t, args });
  const fetchSecure = async (): Promise<{ status: number; certificate: string; text: string }> =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: CONFIG_MAPS,
        ca: readFileSync(join(server.dataDirectory, 'ca.crt')),
        servername: 'kubernetes.default.svc.cluster.local',
        agent: new Agent({ keepAlive: false }),
        headers: { authorization: `Bearer ${server.token}` },
      };
      httpsGet(options, (response) => {
        const socket = response.socket as import('node:tls').TLSSocket;
        const certificate = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, certificate, text }));
      }).on('error', reject);
    });
  const first = await fetchSecure();
  t.equal(first.status, 200);
  t.match(first.text, '"kind":"ConfigMapList"');
  t.match(server.process.stdout, `https://127.0.0.1:${port}`);
  const kubeconfig = readFileSync(join(server.dataDirectory, 'admin.kubeconfig'), 'utf8');
  t.ok(kubeconfig.includes(`127.0.0.1:`), 'the kubeconfig names an address');
  const authority = readFileSync(join(server.dataDirectory, 'ca.crt')).toString('base64');
  t.ok(kubeconfig.includes(`certificate-authority-data: ${authority}`), 'and the authority');
  await server.stop();
  await server.restart();
  t.equal((await fetchSecure()).certificate, first.certificate);
  await server.stop();
  await server.restart({ args: args.slice(0, 2) });
  t.not((await fetchSecure()).certificate, first.certificate, 'with a name less');
});

t.test('files that are no certificate or no key are named', async (t) => {
  const folder = temporaryFolder();
  const empty = join(folder, 'empty.pem');
  writeFileSync(empty, '');
  const port = String(await freePort());
  const flags = ['--data-dir', join(folder, 'data'), '--port', '0', '--secure-port', port];
  const pair = (cert: string, key: string) =>
    flags.concat('--tls-cert-file', cert, '--tls-private-key-file', key);
  expectRefusedStart(
    t,
    await runToExit(pair(empty, empty)),
    /empty\.pem is no certificate \(PEM\)/,
  );
  const certificate = join(folder, 'some.crt');
  writeFileSync(certificate, rootCertificates[0] ?? '');
  expectRefusedStart(t, await runToExit(pair(certificate, empty)), /empty\.pem is no private key/);
});

t.end();
