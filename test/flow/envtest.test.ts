/** The programs of `npm run envtest-assets`, started as envtest starts them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeAuthority, writePair } from '../support/authorities.ts';
import type { Pair } from '../support/authorities.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Child, freePort, temporaryFolder } from '../support/server-process.ts';

const TOOL = fileURLToPath(new URL('../../tools/envtest-assets.ts', import.meta.url));
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const RETRY_MS = 50;

const assets = join(temporaryFolder(), "with spaces and a '");
const [serving, clients, accounts] = await Promise.all([
  makeAuthority('serving'),
  makeAuthority('clients'),
  makeAuthority('accounts'),
]);
const admin = await clients.sign({
  subject: [{ O: ['system:masters'] }, { CN: ['admin'] }],
  usage: 'client',
});

function writeAssets(...args: readonly string[]) {
  return spawnSync(process.execPath, [TOOL, ...args], { encoding: 'utf8' });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function read(response: IncomingMessage): Promise<Answer> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}

function ask(port: number, path: string, user?: Pair, body?: object): Promise<Answer> {
  const agent = new Agent({ ca: serving.cert, ...user, servername: 'localhost' });
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request({ host: '127.0.0.1', port, path, agent, method, headers }, (response) =>
      resolve(read(response).finally(() => agent.destroy())),
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function askPlain(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent: false };
    get(options, (response) => resolve(read(response))).on('error', reject);
  });
}

/** As envtest asks it: until it is answered with 200. */
async function untilHealthy(child: Child, asking: () => Promise<Answer>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await asking().catch(() => undefined);
    if (answer?.status === 200) return;
    const hasEnded = child.process.exitCode !== null;
    if (hasEnded || Date.now() > deadline) throw new Error(`not healthy: ${child.stderr}`);
    await wait(RETRY_MS);
  }
}

async function startEtcd(folder: string): Promise<{ child: Child; port: number; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = new Child(join(assets, 'etcd'), [
    `--advertise-client-urls=${url}`,
    `--data-dir=${folder}`,
    `--listen-client-urls=${url}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync=true',
  ]);
  return { child, port, url };
}

/** With the files that envtest writes. */
async function startApiServer(database: string, ...more: readonly string[]) {
  const folder = temporaryFolder();
  writePair(
    folder,
    'apiserver',
    await serving.sign({ subject: [{ CN: ['a'] }], names: ['localhost'] }),
  );
  writePair(folder, 'sa-signer', accounts);
  writeFileSync(join(folder, 'client-cert-auth-ca.crt'), clients.cert);
  const port = await freePort();
  const child = new Child(join(assets, 'kube-apiserver'), [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--client-ca-file=${join(folder, 'client-cert-auth-ca.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--etcd-servers=${database}`,
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${join(folder, 'sa-signer.crt')}`,
    `--service-account-signing-key-file=${join(folder, 'sa-signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    ...more,
  ]);
  return { child, port };
}

async function stop(child: Child): Promise<number | null> {
  child.process.kill('SIGTERM');
  return (await child.exit(PATIENCE_MS)).code;
}

t.test('a folder is given the programs', async (t) => {
  const { status, stdout } = writeAssets(assets);
  t.equal(status, 0);
  t.match(stdout, /^export KUBEBUILDER_ASSETS='/);
  t.equal(writeAssets(assets).status, 0, 'and again');
});

t.test('what cannot be done is said', async (t) => {
  t.match(writeAssets(), { status: 2, stderr: /^usage: .* -- \[--release RELEASE\] FOLDER\n$/ });
  t.match(writeAssets('a', 'b'), { status: 2 });
  t.match(writeAssets('--help'), { status: 0, stdout: /^usage: / });
  const unknown = writeAssets('--release', '1.99', 'a');
  t.match(unknown, { status: 2, stderr: /there is no release 1\.99 here, only 1\.23 to/ });
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'etcd'), 'the real one');
  t.match(writeAssets(folder), { status: 1, stderr: /etcd is another program: give a folder/ });
  t.equal(readFileSync(join(folder, 'etcd'), 'utf8'), 'the real one');
  t.match(writeAssets(join(folder, 'etcd')), { status: 1, stderr: /^shardplane: .*EEXIST/ });
});

t.test('its programs are those of a release', async (t) => {
  const folder = join(temporaryFolder(), 'assets');
  t.equal(writeAssets('--release=1.31', folder).status, 0);
  const says = (...args: readonly string[]) =>
    spawnSync(join(folder, 'kube-apiserver'), [...args, '--version'], { encoding: 'utf8' }).stdout;
  t.match(says(), /^Kubernetes v1\.31\./);
  t.match(says('--emulated-version=kube=1.33'), /^Kubernetes v1\.33\./, 'unless a suite says so');
});

t.test('two of them run side by side, and go with nothing left', async (t) => {
  const folder = temporaryFolder();
  const first = await startEtcd(join(folder, 'first'));
  const second = await startEtcd(join(folder, 'second'));
  const a = await startApiServer(first.url, '--no-such=1');
  const b = await startApiServer(second.url);
  await untilHealthy(first.child, () => askPlain(first.port, '/health'));
  t.match(await askPlain(first.port, '/health'), { text: /"health":"true"/ });
  const third = new Child(join(assets, 'etcd'), [`--listen-client-urls=${first.url}`]);
  const refused = await third.exit(PATIENCE_MS);
  t.match(refused, { code: 1, stderr: /^shardplane: cannot listen at .*EADDRINUSE.*\n$/ });
  t.equal((await askPlain(first.port, '/v3/kv/range')).status, 404);
  await untilHealthy(a.child, () => ask(a.port, '/healthz'));
  await untilHealthy(b.child, () => ask(b.port, '/healthz'));
  t.match(a.child.stderr, /^kube-apiserver: --no-such is not known here and has no effect\n/);

  t.equal((await ask(a.port, CONFIG_MAPS)).status, 403, 'who shows no certificate is nobody');
  const made = await ask(a.port, CONFIG_MAPS, admin, { metadata: { name: 'made' } });
  t.equal(made.status, 201);
  t.equal((await ask(a.port, `${CONFIG_MAPS}/made`, admin)).status, 200);
  t.equal((await ask(b.port, `${CONFIG_MAPS}/made`, admin)).status, 404, 'each has its own data');
  const groups = await ask(a.port, '/apis/rbac.authorization.k8s.io/v1', admin);
  t.equal(groups.status, 200, 'in the names of the public clients');

  t.equal(await stop(a.child), 0);
  t.equal(await stop(b.child), 0);
  const again = await startApiServer(first.url);
  await untilHealthy(again.child, () => ask(again.port, '/healthz'));
  const kept = await ask(again.port, `${CONFIG_MAPS}/made`, admin);
  t.equal(kept.status, 200, 'the data are those of the database');
  t.equal(await stop(again.child), 0);
  t.equal(await stop(first.child), 0);
  t.equal(await stop(second.child), 0);
});

t.test('an API server without its database ends with a line', async (t) => {
  const none = new Child(join(assets, 'kube-apiserver'), ['--secure-port=1']);
  t.match(await none.exit(PATIENCE_MS), {
    code: 1,
    stderr: 'shardplane: --etcd-servers must be given\n',
  });
  const wrong = new Child(join(assets, 'kube-apiserver'), ['--etcd-servers=https://127.0.0.1:1']);
  t.match(await wrong.exit(PATIENCE_MS), { code: 1, stderr: /give a URL like http:/ });
});

function toolPath(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
}

t.test('kubectl is the next one on the PATH', async (t) => {
  const folder = temporaryFolder();
  const other = join(folder, 'other');
  mkdirSync(other);
  const kubectl = join(assets, 'kubectl');
  const run = (PATH: string) =>
    spawnSync(kubectl, ['get', 'a b'], { encoding: 'utf8', env: { PATH } });
  // `head` and `grep`, and no kubectl.
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  for (const name of ['head', 'grep']) symlinkSync(toolPath(name), join(tools, name));
  t.match(run(`${assets}:${tools}`), { status: 127, stderr: /there is none on the PATH/ });
  writeFileSync(join(other, 'kubectl'), '#!/bin/sh\necho "other: $1, $2"\n', { mode: 0o755 });
  t.match(run(`${assets}:${other}:${tools}`), { status: 0, stdout: 'other: get, a b\n' });
});

t.test('flags are asked for before anything is started', async (t) => {
  for (const name of ['kube-apiserver', 'etcd']) {
    const { status, stdout } = spawnSync(join(assets, name), ['--help'], { encoding: 'utf8' });
    t.equal(status, 0);
    t.notMatch(stdout, /^\s*--insecure-port\b/m);
  }
});
