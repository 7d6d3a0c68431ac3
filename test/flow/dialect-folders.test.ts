/**
 * A data folder that was written in one dialect and is opened in the other: it is served in the
 * new one from the first request, translated meanwhile, and back again it is the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { FREE_SPACE_BYTES_MIN, FREE_SPACE_FOR_DELETIONS_BYTES_MIN } from '../../src/limits.ts';
import { KINDS as STORED_KINDS, resourceKey } from '../../src/resources/registry.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { catalogueDocument, catalogueFiles } from '../support/catalogue.ts';
import { configMap } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const ARGS = ['--controllers', '', '--runtime-config', 'api/alpha'];
const K8S = { args: [...ARGS, '--api-domain', 'k8s.io'] };
const NEUTRAL = { args: [...ARGS, '--api-domain', 'cluster.io'] };
const SYSTEM = '/api/v1/namespaces/kube-system/configmaps';
const NEUTRAL_SYSTEM = '/api/v1/namespaces/cluster-system/configmaps';

/** Waits until a line of stderr says it. */
async function said(server: Server, line: RegExp): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS;
  while (!line.test(server.stderr)) {
    if (Date.now() > endMs) throw new Error(`not said: ${line} in ${server.stderr}`);
    await sleep(20);
  }
}

const BEGUN = /^shardplane: translating the data folder to the names of \S+$/m;
const ENDED = /^shardplane: translated the data folder to the names of \S+: (\d+) records$/m;

async function translatedIn(server: Server, options: typeof K8S): Promise<void> {
  await server.restart(options);
  await said(server, ENDED);
}

/** Every record of every type, of a server that has stopped. */
async function recordsOf(server: Server): Promise<Map<string, string>> {
  const store = openStore({ dataDir: server.dataDirectory, durability: 'relaxed' });
  const records = new Map<string, string>();
  for (const kind of STORED_KINDS) {
    const type = resourceKey(kind);
    store.openLog(type).scan(0, (rv, value) => {
      records.set(`${type} ${rv}`, Buffer.from(value).toString('base64'));
      return true;
    });
  }
  await store.close();
  return records;
}

function changesOf(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...before]
    .filter(([version, is]) => after.get(version) !== is)
    .map(([version]) => version);
}

function isNamed({ metadata }: TestObject): boolean {
  return metadata.labels['kubernetes.io/os'] === 'linux' && metadata.namespace === 'kube-system';
}

/** ConfigMaps in a namespace of the neutral dialect that are translated. */
async function fill(server: Server, count: number, data = { key: 'value' }): Promise<void> {
  const labels = { 'cluster.io/os': 'linux' };
  const names = Array.from({ length: count }, (_, at) => `n${at}`);
  const create = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const answer = await server.post(NEUTRAL_SYSTEM, configMap(name, data, { labels }));
      if (answer.status !== 201) throw new Error(answer.text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, create));
}

/** One object of each kind. */
async function oneOfEach(t: Test, server: Server): Promise<void> {
  const made = new Set<string>();
  for (const { cases } of await catalogueFiles()) {
    const definition = STORED_KINDS.find(({ kind }) => kind === cases.kind);
    if (definition === undefined || made.has(cases.kind)) continue;
    const object = catalogueDocument(cases, 'named', cases.minimal);
    const labels = { 'cluster.io/os': 'linux', between: 'a', 'kubernetes.io/a': 'b' };
    object.metadata = { ...object.metadata, labels };
    if (cases.kind === 'Event') object.involvedObject = { namespace: 'cluster-system' };
    const group = cases.apiVersion.includes('/') ? '/apis/' : '/api/';
    const namespace = definition.namespaced ? 'namespaces/cluster-system/' : '';
    const root = `${group}${cases.apiVersion}/${namespace}${definition.plural}`;
    const answer = await server.post(`${root}?fieldManager=client`, object);
    if (answer.status !== 201) t.fail(`${cases.kind}: ${answer.text}`);
    made.add(cases.kind);
  }
  t.ok(made.size > 35, `${made.size} kinds`);
}

t.test('objects of every kind, in the other dialect and back', async (t) => {
  const server = await startServer({ test: t, ...NEUTRAL });
  await oneOfEach(t, server);
  await fill(server, 3);
  const exactly = (await server.get(NEUTRAL_SYSTEM)).json.metadata.resourceVersion;
  await server.delete(`${NEUTRAL_SYSTEM}/n0`);
  const labels = { 'cluster.io/os': 'linux' };
  await server.post(NEUTRAL_SYSTEM, configMap('late', {}, { labels }));
  await server.post('/api/v1/namespaces/default/configmaps', configMap('last'));
  const token = (path: string) =>
    server.get(`${path}?limit=1`).then(({ json }) => json.metadata.continue);
  const tokens = [await token('/api/v1/configmaps'), await token(NEUTRAL_SYSTEM)];
  await server.stop();
  const before = await recordsOf(server);

  await server.restart(K8S);
  t.match(server.stderr, BEGUN);
  const { json } = await server.get('/apis/coordination.k8s.io/v1/leases');
  t.match(json.items[0].metadata, {
    namespace: 'kube-system',
    labels: { between: 'a', 'cluster.io/a': 'b', 'kubernetes.io/os': 'linux' },
    managedFields: [{ manager: 'kubectl', apiVersion: 'coordination.k8s.io/v1' }],
  });
  const all = (await server.get('/api/v1/configmaps')).json.items;
  const keys = all.map(({ metadata }: TestObject) => `${metadata.namespace}/${metadata.name}`);
  const names = ['late', 'n1', 'n2', 'named'];
  t.same(keys, ['default/last', ...names.map((name) => `kube-system/${name}`)]);
  const query = `?resourceVersion=${exactly}&resourceVersionMatch=Exact`;
  const { items } = (await server.get(SYSTEM + query)).json;
  const past = items.map(({ metadata }: TestObject) => metadata.name);
  t.same(past, ['n0', 'n1', 'n2', 'named']);
  t.ok(items.every(isNamed), 'the past too');
  const watch = await server.watch(`${SYSTEM}?watch=true&resourceVersion=${exactly}`);
  const [gone, late] = [await watch.next(), await watch.next()];
  t.match([gone?.type, gone?.object.metadata.name], ['DELETED', 'n0']);
  t.match([late?.type, late?.object.metadata.name], ['ADDED', 'late']);
  t.ok([gone, late].every((event) => isNamed(event?.object)));
  watch.close();
  for (const [at, path] of ['/api/v1/configmaps', SYSTEM].entries()) {
    const answer = await server.get(`${path}?limit=1&continue=${tokens[at]}`);
    t.match([answer.status, answer.json.reason], [410, 'Expired'], path);
  }
  await said(server, ENDED);
  await server.stop();
  const between = await recordsOf(server);
  t.same([...between.keys()], [...before.keys()], 'under the versions that they had');
  const same = [...before].filter(([version, record]) => between.get(version) === record);
  t.same(
    same.map(([version]) => version.split(' ')[0]),
    ['configmaps'],
    'what has no names is left as it is',
  );

  await translatedIn(server, NEUTRAL);
  await server.stop();
  t.same(changesOf(before, await recordsOf(server)), [], 'byte for byte');
  await server.restart(NEUTRAL);
  t.equal(server.stderr, '', 'a folder that is translated is not translated again');
});

t.test('killed in the middle, written to, and opened in either dialect', async (t) => {
  const seed = seedFrom('DIALECT_SEED');
  t.comment(`DIALECT_SEED=${seed}`);
  const random = new Random(seed);
  const server = await startServer({ test: t, ...NEUTRAL });
  const count = 1_200;
  await fill(server, count);
  await server.stop();
  const before = await recordsOf(server);
  const written = new Set<string>();
  for (let round = 0; round < 4; round++) {
    await server.restart(round === 2 ? NEUTRAL : K8S);
    const path = round === 2 ? NEUTRAL_SYSTEM : SYSTEM;
    const [label, namespace] =
      round === 2 ? ['cluster.io/os', 'cluster-system'] : ['kubernetes.io/os', 'kube-system'];
    const labels = { [label]: 'linux' };
    const { status } = await server.post(path, configMap(`w${round}`, {}, { labels }));
    t.equal(status, 201);
    written.add(`w${round}`);
    const { items } = (await server.get(path)).json;
    t.equal(items.length, count + written.size, `round ${round}`);
    const wrong = items.find(
      ({ metadata }: TestObject) =>
        metadata.labels[label] !== 'linux' || metadata.namespace !== namespace,
    );
    t.equal(wrong, undefined);
    await sleep(random.below(100));
    await server.kill();
  }
  await translatedIn(server, NEUTRAL);
  for (const name of written)
    t.equal((await server.delete(`${NEUTRAL_SYSTEM}/${name}`)).status, 200);
  await server.stop();
  t.same(changesOf(before, await recordsOf(server)), [], 'what was there is the same bytes');
});

/** Mounts a file system of so many bytes, or mounts it anew with as many. */
function mountDisk(folder: string, bytes: number, ...options: readonly string[]): boolean {
  const mount = ['-t', 'tmpfs', '-o', [`size=${bytes}`, ...options].join(), 'tmpfs', folder];
  const { status, error } = spawnSync('mount', mount);
  return error === undefined && status === 0;
}

const DISK_BYTES = 64 * 1024 * 1024;
/** A server takes this, but translates nothing. */
const LEFT_BYTES = (FREE_SPACE_BYTES_MIN + FREE_SPACE_FOR_DELETIONS_BYTES_MIN) / 2;
const disk = mkdtempSync(join(tmpdir(), 'shardplane-disk-'));
const isMounted = mountDisk(disk, DISK_BYTES);
const skip = isMounted ? false : 'mounting a small disk needs root';
t.teardown(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

t.test('a disk that is full ends the translation, not the server', { skip }, async (t) => {
  const server = await startServer({ test: t, ...NEUTRAL, dataDirectory: join(disk, 'data') });
  await fill(server, 3, { key: 'x'.repeat(900_000) });
  await server.stop();
  const { blocks, bfree, bsize } = statfsSync(disk);
  t.ok(mountDisk(disk, (blocks - bfree) * bsize + LEFT_BYTES, 'remount'));
  await server.restart(K8S);
  await said(server, /translation of configmaps, which goes on after the next start: /);
  for (const name of ['n0', 'n1', 'n2']) {
    const { status, json } = await server.get(`${SYSTEM}/${name}`);
    t.equal(status, 200);
    t.ok(isNamed(json), name);
  }
  t.notMatch(server.stderr, ENDED);
  await server.stop();
  t.ok(mountDisk(disk, DISK_BYTES, 'remount'));
  await translatedIn(server, K8S);
  t.match(ENDED.exec(server.stderr)?.[1], /^\d+$/);
  t.ok((await server.get(SYSTEM)).json.items.every(isNamed));
});
