/** Watches of the client that break: by a crash, a stop, a time limit, a version that expired. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreV1Api, ListWatch, makeInformer, Watch } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';
import t from 'tap';
import type { Test } from 'tap';
import { cachedVersions, record, sameVersions, storedVersions } from './informer-record.ts';
import { adminConfig, eventually, MERGE_PATCH, startPublicServer } from './public-client.ts';
import type { PublicServer } from './public-client.ts';

const namespace = 'watched';
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const TRY_AGAIN_MS = 50;

/** As the reference has it. */
const TOO_OLD = /^too old resource version: \d+ \(\d+\)$/;

const [lasting, forgetful] = await Promise.all([
  startPublicServer(t),
  startPublicServer(t, ['--watch-history', '1s']),
]);
for (const { config } of [lasting, forgetful]) {
  await config
    .makeApiClient(CoreV1Api)
    .createNamespace({ body: { metadata: { name: namespace } } });
}

const namesOf = (objects: readonly V1ConfigMap[]) => objects.map(({ metadata }) => metadata?.name);

async function put(core: CoreV1Api, name: string, round: number): Promise<void> {
  const data = { round: `${round}` };
  if (round === 0)
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });
  else await core.patchNamespacedConfigMap({ namespace, name, body: { data } }, MERGE_PATCH);
}

/** An informer that its user starts again whenever it fails, as the client's documentation says. */
function restartingInformer({ config }: PublicServer) {
  const core = config.makeApiClient(CoreV1Api);
  let lists = 0;
  const informer = makeInformer<V1ConfigMap>(config, path, () => {
    lists += 1;
    return core.listNamespacedConfigMap({ namespace });
  });
  const recorded = record(informer);
  let isWanted = false;
  informer.on('error', () => {
    // An informer that is stopped tells of that as an error too.
    void sleep(TRY_AGAIN_MS).then(() => (isWanted ? informer.start() : undefined));
  });
  const start = async () => {
    isWanted = true;
    await informer.start();
  };
  const stop = async () => {
    isWanted = false;
    await informer.stop();
  };
  return { ...recorded, core, informer, start, stop, lists: () => lists };
}

async function expectCaughtUp(t: Test, own: ReturnType<typeof restartingInformer>): Promise<void> {
  const all = await storedVersions(own.core, namespace);
  const isEqual = () => sameVersions(cachedVersions(own.informer), all) || undefined;
  await eventually('the newest versions', isEqual);
  t.pass('it holds what the server holds');
}

for (const end of ['kill', 'stop'] as const) {
  t.test(`${end} and start again: the informer goes on where it was`, async (t) => {
    const { server } = lasting;
    const own = restartingInformer(lasting);
    await own.start();
    const name = `of-${end}`;
    const changes = () => own.told.filter(([, of]) => of.startsWith(name));
    for (let round = 0; round < 5; round += 1) await put(own.core, name, round);
    await eventually('the first writes', () => changes().length === 5 || undefined);

    // Acknowledged, and perhaps not told any more.
    for (let round = 5; round < 8; round += 1) await put(own.core, name, round);
    await server[end]();
    await eventually('an error', () => own.errors.length > 0 || undefined);
    await server.restart();
    for (let round = 8; round < 10; round += 1) await put(own.core, name, round);
    await put(own.core, `${name}-new`, 0);
    await own.core.deleteNamespacedConfigMap({ namespace, name });
    await eventually('the last event', () => changes().at(-1)?.[0] === 'delete' || undefined);
    await expectCaughtUp(t, own);
    const updates = Array.from({ length: 9 }, () => `update ${name}`);
    const expected = [`add ${name}`, ...updates, `add ${name}-new`, `delete ${name}`];
    t.same(
      changes().map(([verb, of]) => `${verb} ${of}`),
      expected,
      'none lost, none twice',
    );
    t.equal(own.lists(), 1, 'from its last version, without a list');
    await own.stop();
    const { clusters } = adminConfig(server.dataDirectory);
    t.same(clusters, lasting.config.clusters, 'the same address and certificate');
  });
}

interface Streamed {
  readonly type: string;
  // oxlint-disable-next-line no-explicit-any -- objects and Status documents
  readonly object: any;
}

/** All events of a watch until it ends, and with what. */
async function watchToEnd(
  { config }: PublicServer,
  asked: Record<string, string | number | boolean>,
): Promise<{ events: Streamed[]; error: unknown }> {
  const events: Streamed[] = [];
  const watch = new Watch(config);
  const error = await new Promise((resolve) => {
    void watch.watch(path, asked, (type, object) => events.push({ type, object }), resolve);
  });
  return { events, error };
}

t.test('a watch with a time limit ends without an error, with a bookmark before', async (t) => {
  const { config } = lasting;
  const list = await config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace });
  const resourceVersion = list.metadata?.resourceVersion ?? '';
  const asked = { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 1 };
  const { events, error } = await watchToEnd(lasting, asked);
  t.equal(error, null);
  t.ok(events.length > 0 && events.every(({ type }) => type === 'BOOKMARK'));
  const bookmark = events.at(-1)?.object;
  t.match(bookmark, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { creationTimestamp: null } });
  t.ok(Number(bookmark.metadata.resourceVersion) >= Number(resourceVersion));
  const plain = await watchToEnd(lasting, { resourceVersion, timeoutSeconds: 1 });
  t.same(plain, { events: [], error: null }, 'no bookmarks for who has not asked for them');
});

t.test('an expired version: an ERROR event in the stream, and the end of it', async (t) => {
  const core = forgetful.config.makeApiClient(CoreV1Api);
  const own = restartingInformer(forgetful);
  for (const name of ['a', 'b', 'c']) await put(core, name, 0);
  await own.start();
  await eventually('three objects', () => own.told.length >= 3 || undefined);
  await own.stop();
  const page = await core.listNamespacedConfigMap({ namespace, limit: 1 });
  const { resourceVersion = '', _continue = '' } = page.metadata ?? {};
  await put(core, 'b', 1);
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await put(core, 'd', 0);
  const asked = { resourceVersion, timeoutSeconds: 1 };
  const expired = await eventually('the end of its window', async () => {
    // Only what is followed by something newer leaves the window.
    await put(core, 'c', 1);
    const { events, error } = await watchToEnd(forgetful, asked);
    return events[0]?.type === 'ERROR' ? { events, error } : undefined;
  });
  t.equal(expired.error, null, 'the answer is a 200');
  t.equal(expired.events.length, 1);
  t.match(expired.events[0]?.object, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    code: 410,
    message: TOO_OLD,
  });

  const rest = core.listNamespacedConfigMap({ namespace, limit: 5, _continue });
  const refused = await rest.then(undefined, (error: { body: string }) => JSON.parse(error.body));
  t.match(refused, { code: 410, reason: 'Expired' }, 'the pages of that version are gone too');
  const inconsistent = { namespace, limit: 5, _continue: refused.metadata.continue };
  const { items } = await core.listNamespacedConfigMap(inconsistent);
  t.same(namesOf(items), ['b', 'c', 'd'], 'the rest, as it is now');

  t.equal(own.lists(), 1);
  const errors = own.errors.length;
  const before = own.told.length;
  await own.start();
  await eventually('its second list', () => own.lists() === 2 || undefined);
  await expectCaughtUp(t, own);
  const names = own.told.slice(before).map(([verb, name]) => `${verb} ${name}`);
  t.same(names, ['delete a', 'update b', 'update c', 'add d'], 'what the list shows has changed');
  t.equal(own.errors.length, errors, 'its user is told of no error');
  await put(core, 'd', 1);
  await eventually('an event after that', () => own.told.length >= before + 5 || undefined);
  t.equal(own.told.at(-1)?.[0], 'update');
  await own.stop();
});

t.test('a cache of what a field selector chooses, over a reconnection', async (t) => {
  const { config } = lasting;
  const core = config.makeApiClient(CoreV1Api);
  const fieldSelector = 'metadata.name=chosen';
  const listed = () => core.listNamespacedConfigMap({ namespace, fieldSelector });
  const watch = new Watch(config);
  // The server is asked to end each watch soon; the cache then connects again by itself.
  const asking = Object.assign(new Watch(config), { watch: brief(watch) });
  const delayFn = async () => undefined;
  const chosen = new ListWatch<V1ConfigMap>(path, asking, listed, false, undefined, fieldSelector, {
    delayFn,
  });
  const { told, errors, connections } = record(chosen);
  await chosen.start();
  await put(core, 'other', 0);
  await put(core, 'chosen', 0);
  await eventually('a second connection', () => connections() > 1 || undefined);
  await put(core, 'other', 1);
  await put(core, 'chosen', 1);
  await eventually('both events', () => told.length >= 2 || undefined);
  t.same(
    told.map(([verb, name]) => `${verb} ${name}`),
    ['add chosen', 'update chosen'],
  );
  t.same(namesOf(chosen.list()), ['chosen']);
  t.equal(chosen.latestResourceVersion(), chosen.list()[0]?.metadata?.resourceVersion);
  t.same(errors, []);
  await chosen.stop();
});

function brief(watch: Watch): Watch['watch'] {
  return async (at, asked, callback, done) =>
    watch.watch(at, { ...asked, timeoutSeconds: 1 }, callback, done);
}
