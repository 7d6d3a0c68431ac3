/** Creates that come faster than their shard takes them: the front proposes some of them. */
import t from 'tap';
import { PODS } from '../support/cluster-objects.ts';
import { CONFIG_MAPS, configMap, type TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer, type Answer, type Server } from '../support/server.ts';

/** So many at once are more than a shard takes in a turn. */
const AT_ONCE = 100;
const WAVES_MAX = 40;

async function proposed(server: Server, resource: string): Promise<number> {
  const { text } = await server.get('/metrics');
  const line = `shardplane_proposed_creates_total{resource="${resource}"} `;
  const [, after = '0'] = text.split(line);
  return Number.parseInt(after, 10);
}

function wave(
  server: Server,
  path: string,
  objects: readonly TestObject[],
): Promise<readonly Answer[]> {
  return Promise.all(objects.map((object) => server.post(path, object)));
}

/** Sends waves of objects until the front has proposed some of them. */
async function wavesUntilProposed(
  server: Server,
  [path, resource]: readonly [string, string],
  objectsOf: (wave: number) => readonly TestObject[],
  check: (answers: readonly Answer[]) => void,
): Promise<void> {
  for (let count = 0; (await proposed(server, resource)) === 0; count++) {
    if (count === WAVES_MAX) throw new Error(`the front has proposed no ${resource}`);
    check(await wave(server, path, objectsOf(count)));
  }
}

function mapsOf(prefix: string): TestObject[] {
  return Array.from({ length: AT_ONCE }, (_, at) => configMap(`${prefix}-${at}`));
}

function codesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status).sort((one, two) => one - two);
}

t.test('what many clients create at once is there once, and in order', async (t) => {
  const server = await startServer({ test: t });
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true`);
  const made = new Map<string, string>();
  await wavesUntilProposed(
    server,
    [CONFIG_MAPS, 'configmaps'],
    (count) => mapsOf(`wave-${count}`),
    (answers) => {
      t.same(new Set(codesOf(answers)), new Set([201]));
      for (const { json } of answers) made.set(json.metadata.name, json.metadata.resourceVersion);
    },
  );
  t.equal(new Set(made.values()).size, made.size, 'each has a version of its own');
  const twice = await wave(server, CONFIG_MAPS, [...mapsOf('twice'), ...mapsOf('twice')]);
  const once = [...Array<number>(AT_ONCE).fill(201), ...Array<number>(AT_ONCE).fill(409)];
  t.same(codesOf(twice), once, 'a name is given once');
  const { json: list } = await server.get(CONFIG_MAPS);
  const listed = new Map<string, string>();
  for (const { metadata } of list.items) listed.set(metadata.name, metadata.resourceVersion);
  for (const [name, version] of made) t.equal(listed.get(name), version);
  const seen: number[] = [];
  while (seen.length < listed.size) {
    seen.push(Number((await watch.next())?.object.metadata.resourceVersion));
  }
  t.same(
    seen,
    [...seen].sort((one, two) => one - two),
    'watches see them in order',
  );
});

t.test('what is wrong is refused as by the shard', async (t) => {
  const server = await startServer({ test: t });
  const wrong = { metadata: { name: 'wrong' }, spec: { containers: [] } };
  const alone = await server.post(PODS, wrong);
  t.equal(alone.status, 422);
  const many = Array.from({ length: AT_ONCE }, () => wrong);
  await wavesUntilProposed(
    server,
    [PODS, 'pods'],
    () => many,
    (answers) => {
      t.same(new Set(answers.map(({ text }) => text)), new Set([alone.text]));
    },
  );
  t.same((await server.get(PODS)).json.items, []);
});

t.test('a quota holds, whoever proposes', async (t) => {
  const server = await startServer({
    test: t,
    args: ['--disable-admission-plugins', 'ServiceAccount', '--controllers', '*'],
  });
  const kind = [CONFIG_MAPS, 'configmaps'] as const;
  await wavesUntilProposed(
    server,
    kind,
    (count) => mapsOf(`before-${count}`),
    (answers) => t.same(new Set(codesOf(answers)), new Set([201])),
  );
  const { json: before } = await server.get(CONFIG_MAPS);
  const hard = { 'count/configmaps': String(before.items.length + 7) };
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const quota = await server.post(quotas, { metadata: { name: 'few' }, spec: { hard } });
  t.equal(quota.status, 201);
  await until(async () => (await server.get(`${quotas}/few`)).json.status.used !== undefined);
  const answers = await wave(server, CONFIG_MAPS, mapsOf('after'));
  t.equal(answers.filter(({ status }) => status === 201).length, 7, 'no more than it allows');
  t.equal(answers.filter(({ status }) => status === 403).length, AT_ONCE - 7);
});
