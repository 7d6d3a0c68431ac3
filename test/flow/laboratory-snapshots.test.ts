/** Snapshots of all types: pinned, restored, compared. */
import t, { type Test } from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';
import type { WatchEvent, WatchStream } from '../support/watch-stream.ts';

const LAB = '/shardplane/lab/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
/** More of them: RESET_ROUNDS=1000. */
const RESETS = Number(process.env['RESET_ROUNDS'] ?? 100);

function map(name: string, value: string, more: object = {}): object {
  return { metadata: { name, ...more }, data: { value } };
}

async function laboratory(test: Test, ...args: string[]): Promise<Server> {
  return startServer({ test, args: ['--laboratory', ...args] });
}

async function snapshot(server: Server, name: string): Promise<void> {
  const { status, text } = await server.post(`${LAB}/snapshots`, { name });
  if (status !== 201) throw new Error(text);
}

async function nextOf(watch: WatchStream): Promise<WatchEvent> {
  const event = await watch.next();
  if (event === undefined) throw new Error('the watch has ended');
  return event;
}

/** Controllers of a new server still write in other types. */
async function restore(server: Server, name: string, query = ''): Promise<unknown> {
  const { status, text, json } = await server.post(`${LAB}/snapshots/${name}/restore${query}`, {});
  if (status !== 200) throw new Error(text);
  return json.types.configmaps;
}

/** The objects of the maps, without what tells when they were written. */
async function maps(server: Server): Promise<Record<string, unknown>> {
  const { json } = await server.get(MAPS);
  const all = json.items as { metadata: { name: string; resourceVersion?: string } }[];
  for (const { metadata } of all) delete metadata.resourceVersion;
  return Object.fromEntries(all.map((one) => [one.metadata.name, one]));
}

t.test('a restore writes the old state forward, and watches see it happen', async (t) => {
  const server = await laboratory(t);
  for (const name of ['kept', 'changed', 'gone']) await server.post(MAPS, map(name, 'old'));
  const before = await maps(server);
  await snapshot(server, 'base');
  const held = { finalizers: ['example.com/held'] };
  await server.put(`${MAPS}/changed`, map('changed', 'new'));
  await server.delete(`${MAPS}/gone`);
  await server.post(MAPS, map('came', 'new', held));
  const { resourceVersion } = (await server.get(MAPS)).json.metadata;
  const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${resourceVersion}`);
  const counts = { created: 1, updated: 1, deleted: 1 };
  t.strictSame(await restore(server, 'base', '?dryRun=All'), counts, 'a dry run says as much');
  t.match(Object.keys(await maps(server)), ['came', 'changed'], 'and does nothing');
  t.strictSame(await restore(server, 'base'), counts);
  t.strictSame(await maps(server), before, 'uids, times and owners of fields included');
  const seen: string[] = [];
  for (let at = 0; at < 3; at++) {
    const { type, object } = await nextOf(watch);
    seen.push(`${type} ${object.metadata.name}`);
  }
  t.strictSame(seen.toSorted(), ['ADDED gone', 'DELETED came', 'MODIFIED changed']);
  t.equal(await restore(server, 'base'), undefined, 'nothing is left to do');
});

t.test('a watch that saw many resets knows the state', async (t) => {
  const server = await laboratory(t);
  await server.post(MAPS, map('one', '0'));
  await snapshot(server, 'base');
  const { json } = await server.get(MAPS);
  const { resourceVersion } = json.metadata;
  const watch = await server.watch(`${MAPS}?watch=1&resourceVersion=${resourceVersion}`);
  for (let reset = 0; reset < RESETS; reset++) {
    await server.put(`${MAPS}/one`, map('one', `${reset} and more`));
    await server.post(MAPS, map('two', String(reset)));
    t.strictSame(
      await restore(server, 'base'),
      { created: 0, updated: 1, deleted: 1 },
      `reset ${reset}`,
    );
  }
  const events: WatchEvent[] = [];
  for (let at = 0; at < 4 * RESETS; at++) events.push(await nextOf(watch));
  const names = ['MODIFIED one', 'ADDED two', 'MODIFIED one', 'DELETED two'];
  for (let reset = 0; reset < RESETS; reset++) {
    const four = events.slice(4 * reset, 4 * reset + 4);
    const told = four.map(({ type, object }) => `${type} ${object.metadata.name}`);
    t.strictSame(told.toSorted(), names.toSorted());
  }
  const rvs = events.map(({ object }) => Number(object.metadata.resourceVersion));
  t.strictSame(
    rvs,
    rvs.toSorted((one, other) => one - other),
    'in order',
  );
});

t.test('what a snapshot holds outlives the history, a stop and a kill', async (t) => {
  const server = await laboratory(t, '--watch-history', '1ms');
  await server.post(MAPS, map('one', 'old'));
  const before = await maps(server);
  await snapshot(server, 'base');
  const restored = { created: 0, updated: 1, deleted: 0 };
  for (const end of ['stop', 'kill'] as const) {
    for (let write = 0; write < 50; write++) {
      await server.put(`${MAPS}/one`, map('one', `${end} ${write}`));
    }
    await server[end]();
    await server.restart();
    await server.put(`${MAPS}/one`, map('one', `after ${end}`));
    t.strictSame(await restore(server, 'base'), restored, end);
    t.strictSame(await maps(server), before);
  }
  const { json } = await server.get(`${LAB}/snapshots/base`);
  t.match(json, { name: 'base', version: Number, objects: Number, held: Number });
  const gone = await server.delete(`${LAB}/snapshots/base`);
  t.equal(gone.status, 200);
  t.strictSame((await server.get(`${LAB}/snapshots`)).json, { items: [] });
});

t.test('what a snapshot held back goes with it, also after a kill', async (t) => {
  const server = await laboratory(t, '--watch-history', '1ms');
  const { json: first } = await server.post(MAPS, map('one', 'old'));
  const version = first.metadata.resourceVersion as string;
  const past = async (): Promise<number> => (await server.get(`${MAPS}/one?at=${version}`)).status;
  await snapshot(server, 'base');
  for (let write = 0; write < 50; write++) await server.put(`${MAPS}/one`, map('one', `${write}`));
  await server.kill();
  await server.restart();
  await server.put(`${MAPS}/one`, map('one', 'after the kill'));
  t.equal(await past(), 200, 'held');
  await server.delete(`${LAB}/snapshots/base`);
  await server.kill();
  await server.restart();
  await until(async () => (await past()) === 410);
  t.equal((await server.get(`${MAPS}/one`)).json.data.value, 'after the kill');
});

t.test('addresses, namespaces and grants come back with what held them', async (t) => {
  const server = await laboratory(t);
  const services = '/api/v1/namespaces/default/services';
  const service = (name: string): object => ({
    metadata: { name },
    spec: { ports: [{ port: 80 }] },
  });
  const { json: first } = await server.post(services, service('first'));
  await server.post('/api/v1/namespaces', { metadata: { name: 'room' } });
  await server.post('/api/v1/namespaces/room/configmaps', map('inside', 'old'));
  await snapshot(server, 'base');
  await server.delete(`${services}/first`);
  await server.delete('/api/v1/namespaces/room');
  await restore(server, 'base');
  const { json: back } = await server.get(`${services}/first`);
  t.equal(back.spec.clusterIP, first.spec.clusterIP);
  t.equal(back.metadata.uid, first.metadata.uid);
  const taken = await server.post(services, {
    metadata: { name: 'second' },
    spec: { clusterIP: first.spec.clusterIP, ports: [{ port: 80 }] },
  });
  t.equal(taken.status, 422, 'its address is taken');
  const { json: room } = await server.get('/api/v1/namespaces/room');
  t.equal(room.status.phase, 'Active');
  const inside = await server.get('/api/v1/namespaces/room/configmaps/inside');
  t.equal(inside.json.data.value, 'old');
  const more = await server.post('/api/v1/namespaces/room/configmaps', map('more', 'new'));
  t.equal(more.status, 201);
});

t.test('dependents that come back before their owners stay', async (t) => {
  const server = await laboratory(t);
  const secrets = '/api/v1/namespaces/default/secrets';
  const { json: owner } = await server.post(secrets, { metadata: { name: 'owner' } });
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name, uid }];
  for (const one of ['a', 'b', 'c']) await server.post(MAPS, map(one, 'old', { ownerReferences }));
  const before = await maps(server);
  await snapshot(server, 'base');
  const watch = await server.watch(`${MAPS}?watch=1`);
  await server.delete(`${secrets}/owner`);
  for (let gone = 0; gone < 3;) if ((await nextOf(watch)).type === 'DELETED') gone++;
  await restore(server, 'base');
  t.strictSame(await maps(server), before);
});

t.test('a difference is told as objects and as patches', async (t) => {
  const server = await laboratory(t);
  await server.post(MAPS, map('changed', 'old'));
  await server.post(MAPS, map('gone', 'old'));
  await snapshot(server, 'one');
  await server.put(`${MAPS}/changed`, map('changed', 'new'));
  await server.delete(`${MAPS}/gone`);
  await server.post(MAPS, map('came', 'new'));
  await snapshot(server, 'two');
  await server.put(`${MAPS}/changed`, map('changed', 'newest'));
  const { json } = await server.get(`${LAB}/diff?from=one&to=two`);
  const maps = (json.items as { resource: string }[]).filter(
    ({ resource }) => resource === 'configmaps',
  );
  t.match(maps, [
    {
      namespace: 'default',
      name: 'changed',
      before: { data: { value: 'old' } },
      after: { data: { value: 'new' } },
    },
    { name: 'gone', before: { data: { value: 'old' } }, after: null },
    { name: 'came', before: null, after: { data: { value: 'new' } } },
  ]);
  const { json: now } = await server.get(`${LAB}/diff?from=two`);
  const changed = (now.items as { resource: string; patch: object[] }[]).find(
    ({ resource }) => resource === 'configmaps',
  );
  t.hasStrict(
    { patch: changed?.patch.find((one) => 'value' in one && one.value === 'newest') },
    { patch: { op: 'replace', path: '/data/value', value: 'newest' } },
  );
});

t.test('what cannot be is said', async (t) => {
  const server = await laboratory(t);
  const bad = await server.post(`${LAB}/snapshots`, { name: 'No Label' });
  t.equal(bad.status, 400);
  t.match(bad.json.message, 'name');
  await snapshot(server, 'base');
  t.equal((await server.post(`${LAB}/snapshots`, { name: 'base' })).status, 409);
  t.equal((await server.get(`${LAB}/snapshots/none`)).status, 404);
  t.equal((await server.delete(`${LAB}/snapshots/none`)).status, 404);
  t.equal((await server.post(`${LAB}/snapshots/none/restore`, {})).status, 404);
  t.equal((await server.post(`${LAB}/snapshots/base/restore?dryRun=Some`, {})).status, 400);
  t.equal((await server.get(`${LAB}/diff`)).status, 400);
  t.equal((await server.get(`${LAB}/diff?from=none`)).status, 400);
});

t.end();
