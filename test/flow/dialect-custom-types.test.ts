/** Custom objects in a data folder that is opened in the other dialect. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openStore } from '../../src/storage/open-store.ts';
import {
  customDefinition,
  definedVersion,
  DEFINITIONS,
  established,
} from '../support/custom-types.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';

const ARGS = ['--controllers', '', '--durability', 'relaxed'];
const K8S = { args: [...ARGS, '--api-domain', 'k8s.io'] };
const NEUTRAL = { args: [...ARGS, '--api-domain', 'cluster.io'] };
const ENDED = /translated the data folder to the names of \S+: \d+ records$/m;
/** Names that would be swapped if a built-in object had them. */
const DATA = {
  'cluster.io/own': 'a',
  spec: { selector: { 'cluster.io/os': 'linux' }, namespace: 'cluster-system' },
};
const SERVICES = 'odd.example.com/v1';

function object(apiVersion: string, kind: string, name: string): Members {
  const labels = { 'cluster.io/os': 'linux' };
  return { apiVersion, kind, metadata: { name, labels }, ...DATA };
}

function pathOf(apiVersion: string, plural: string, namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
}

/** A kind with the name of a built-in one, and a type in a group that both dialects spell. */
async function fill(server: Server, count: number): Promise<void> {
  await established(server, customDefinition('odd.example.com', 'Service'));
  const approved = customDefinition('metrics.cluster.io', 'Gauge', [definedVersion('v1')]);
  const annotations = { 'api-approved.cluster.io': 'https://example.com/approved' };
  await established(server, { ...approved, metadata: { ...approved.metadata, annotations } });
  for (let at = 0; at < count; at++) {
    for (const [apiVersion, kind] of [
      [SERVICES, 'Service'],
      ['metrics.cluster.io/v1', 'Gauge'],
    ] as const) {
      const path = pathOf(apiVersion, `${kind.toLowerCase()}s`, 'cluster-system');
      const made = await server.post(
        `${path}?fieldManager=client`,
        object(apiVersion, kind, `a${at}`),
      );
      if (made.status !== 201) throw new Error(made.text);
    }
  }
}

/** The records of all custom types, of a server that has stopped. */
async function recordsOf(server: Server): Promise<Map<string, string>> {
  const store = openStore({ dataDir: server.dataDirectory, durability: 'relaxed' });
  const records = new Map<string, string>();
  for (const name of store.customLogs()) {
    store.openCustomLog(name).scan(0, (rv, value) => {
      records.set(`${name} ${rv}`, Buffer.from(value).toString('base64'));
      return true;
    });
  }
  await store.close();
  return records;
}

async function translatedIn(server: Server, options: typeof K8S): Promise<void> {
  await server.restart(options);
  await until(async () => ENDED.test(server.stderr));
}

t.test('metadata are translated, data are not, and types are found again', async (t) => {
  const server = await startServer({ test: t, ...NEUTRAL });
  await fill(server, 2);
  await server.stop();
  const before = await recordsOf(server);
  t.equal(before.size, 4);

  await translatedIn(server, K8S);
  for (const [apiVersion, plural] of [
    [SERVICES, 'services'],
    ['metrics.k8s.io/v1', 'gauges'],
  ] as const) {
    const path = pathOf(apiVersion, plural, 'kube-system');
    const { items } = (await server.get(path)).json;
    const [{ metadata, apiVersion: its, kind: _kind, ...data }] = items;
    t.equal(items.length, 2, plural);
    t.equal(its, apiVersion);
    t.same(data, DATA);
    t.same(metadata.labels, { 'kubernetes.io/os': 'linux' });
    const [{ manager, fieldsV1 }] = metadata.managedFields;
    t.equal(manager, 'kubectl');
    t.ok(fieldsV1['f:metadata']['f:labels']['f:kubernetes.io/os']);
    t.ok(fieldsV1['f:spec']['f:selector']['f:cluster.io/os'], 'fields of the data stay');
    const patched = await server.request('PATCH', `${path}/a0`, '{"more":1}', {
      'content-type': 'application/merge-patch+json',
    });
    t.equal(patched.json.more, 1);
    t.equal(
      (
        await server.request('PATCH', `${path}/a0`, '{"more":null}', {
          'content-type': 'application/merge-patch+json',
        })
      ).status,
      200,
    );
  }
  await server.stop();
  await translatedIn(server, NEUTRAL);
  await server.stop();
  const after = await recordsOf(server);
  t.same(
    [...before].filter(([version, record]) => after.get(version) !== record),
    [],
  );
});

t.test('killed in the middle, and without the type that was not done', async (t) => {
  const seed = seedFrom('DIALECT_SEED');
  t.comment(`DIALECT_SEED=${seed}`);
  const random = new Random(seed);
  const server = await startServer({ test: t, ...NEUTRAL });
  await fill(server, 60);
  await server.stop();
  for (let round = 0; round < 2; round++) {
    await server.restart(round === 1 ? NEUTRAL : K8S);
    const namespace = round === 1 ? 'cluster-system' : 'kube-system';
    const label = round === 1 ? 'cluster.io/os' : 'kubernetes.io/os';
    const { items } = (await server.get(pathOf(SERVICES, 'services', namespace))).json;
    t.equal(items.length, 60, `round ${round}`);
    const isRight = ({ metadata }: TestObject) => metadata.labels[label] === 'linux';
    t.ok(items.every(isRight));
    await sleep(random.below(40));
    await server.kill();
  }
  await server.restart(K8S);
  await server.delete(`${DEFINITIONS.replace('cluster.io', 'k8s.io')}/services.odd.example.com`);
  await until(async () => ENDED.test(server.stderr));
  await server.stop();
  await server.restart(K8S);
  t.equal(server.stderr, '', 'nothing is left to be translated');
});
