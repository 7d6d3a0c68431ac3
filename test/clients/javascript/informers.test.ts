/** Informers of the client: its cache of a kind, kept up to date by a list and a watch. */
import { CoordinationV1Api, CoreV1Api, makeInformer, Watch } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';
import t from 'tap';
import { Random } from '../../support/random.ts';
import { cachedVersions, record, sameVersions, storedVersions } from './informer-record.ts';
import type { Told } from './informer-record.ts';
import { eventually, MERGE_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const { config } = await sharedPublicServer();
const core = config.makeApiClient(CoreV1Api);
const random = new Random(7);

const ROUNDS = 80;
const NAME_COUNT = 12;

async function createNamespace(name: string): Promise<string> {
  await core.createNamespace({ body: { metadata: { name } } });
  return `/api/v1/namespaces/${name}/configmaps`;
}

/** Writes, one after the other, objects of a few names; gives what an informer is to tell. */
async function write(namespace: string, rounds: number): Promise<Told[]> {
  const expected: Told[] = [];
  const live = new Set(Object.keys(await storedVersions(core, namespace)));
  for (let round = 0; round < rounds; round += 1) {
    const name = `c-${random.below(NAME_COUNT)}`;
    if (!live.has(name)) {
      const body = { metadata: { name } };
      const { metadata } = await core.createNamespacedConfigMap({ namespace, body });
      expected.push(['add', name, Number(metadata?.resourceVersion)]);
      live.add(name);
    } else if (random.below(3) === 0) {
      await core.deleteNamespacedConfigMap({ namespace, name });
      expected.push(['delete', name, 0]);
      live.delete(name);
    } else {
      const body = { data: { round: `${round}` } };
      const asked = { namespace, name, body };
      const { metadata } = await core.patchNamespacedConfigMap(asked, MERGE_PATCH);
      expected.push(['update', name, Number(metadata?.resourceVersion)]);
    }
  }
  return expected;
}

/** The answer of a delete does not say at which version; the event does. */
const withoutDeleted = (told: readonly Told[]): Told[] =>
  told.map(([verb, name, version]) => [verb, name, verb === 'delete' ? 0 : version]);

t.test('tells every change of a writer once, in order', async (t) => {
  const namespace = 'one-writer';
  const path = await createNamespace(namespace);
  const before = await write(namespace, 10);
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const { told, errors, connections } = record(informer);
  await informer.start();
  t.ok(before.length > 0 && told.length === informer.list().length, 'what is there is added');
  const initial = told.length;
  const expected = await write(namespace, ROUNDS);
  await eventually('all changes', () => told.length >= initial + expected.length || undefined);
  t.same(withoutDeleted(told.slice(initial)), expected);
  const versions = told.slice(initial).map(([, , version]) => version);
  t.same(
    versions,
    versions.toSorted((a, b) => a - b),
    'versions rise, also those of deletes',
  );
  t.same(cachedVersions(informer), await storedVersions(core, namespace));
  t.same(errors, []);
  t.equal(connections(), 1);
  await informer.stop();
});

t.test('writers at the same time, and informers that start in between, see the same', async (t) => {
  const namespace = 'writers';
  const path = await createNamespace(namespace);
  const informers = [];
  const writers = [0, 1, 2].map(async (writer) => {
    for (let round = 0; round < 12; round += 1) {
      const name = `w-${writer}-${round % 4}`;
      const body = { metadata: { name }, data: { round: `${round}` } };
      if (round < 4) await core.createNamespacedConfigMap({ namespace, body });
      else await core.replaceNamespacedConfigMap({ namespace, name, body });
    }
  });
  for (let count = 0; count < 3; count += 1) {
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
    const { told } = record(informer);
    await informer.start();
    informers.push({ informer, told });
  }
  await Promise.all(writers);
  const all = await storedVersions(core, namespace);
  for (const { informer, told } of informers) {
    await eventually(
      'the last changes',
      () => sameVersions(cachedVersions(informer), all) || undefined,
    );
    const seen = new Map<string, number>();
    for (const [, name, version] of told) {
      t.ok(version > (seen.get(name) ?? 0), `${name}: no version twice, none older`);
      seen.set(name, version);
    }
    await informer.stop();
  }
});

t.test('a label selector: objects enter and leave it', async (t) => {
  const namespace = 'selected';
  const path = await createNamespace(namespace);
  const selector = 'app.kubernetes.io/part-of=shop';
  const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: selector });
  const informer = makeInformer(config, path, list, selector);
  const { told } = record(informer);
  await informer.start();
  const names = () => told.map(([verb, name]) => `${verb} ${name}`);
  const label = async (name: string, value: string) => {
    const body = { metadata: { labels: { 'app.kubernetes.io/part-of': value } } };
    await core.patchNamespacedConfigMap({ namespace, name, body }, MERGE_PATCH);
  };
  for (const name of ['a', 'b']) {
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
  }
  await label('a', 'shop');
  await label('b', 'other');
  await label('b', 'shop');
  await label('a', 'other');
  await core.deleteNamespacedConfigMap({ namespace, name: 'b' });
  await eventually('four events', () => told.length >= 4 || undefined);
  t.same(names(), ['add a', 'add b', 'delete a', 'delete b']);
  t.same(informer.list(), []);
  await informer.stop();
});

t.test('stopped and started again, it catches up', async (t) => {
  const namespace = 'stopped';
  const path = await createNamespace(namespace);
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const { told, connections } = record(informer);
  await informer.start();
  await write(namespace, 10);
  const first = await storedVersions(core, namespace);
  await eventually(
    'the first ten',
    () => sameVersions(cachedVersions(informer), first) || undefined,
  );
  await informer.stop();
  const count = told.length;
  const missed = await write(namespace, 20);
  t.equal(told.length, count, 'nothing is told while it is stopped');
  await informer.start();
  await eventually('what it missed', () => told.length >= count + missed.length || undefined);
  t.same(withoutDeleted(told.slice(count)), missed, 'from the version where it was');
  t.same(cachedVersions(informer), await storedVersions(core, namespace));
  t.equal(connections(), 2);
  await informer.stop();
});

t.test('kinds of the domain, in all namespaces', async (t) => {
  const leases = config.makeApiClient(CoordinationV1Api);
  const path = '/apis/coordination.k8s.io/v1/leases';
  const informer = makeInformer(config, path, () => leases.listLeaseForAllNamespaces());
  const { told } = record(informer);
  await informer.start();
  const body = { metadata: { name: 'node-1' }, spec: { holderIdentity: 'node-1' } };
  await leases.createNamespacedLease({ namespace: 'kube-node-lease', body });
  await eventually('the lease', () => told.length > 0 || undefined);
  const lease = informer.get('node-1', 'kube-node-lease');
  t.match(lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: body.spec });
  await informer.stop();
});

t.test('the end of a namespace, and of what is in it', async (t) => {
  const namespace = 'ending';
  const path = await createNamespace(namespace);
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'inside' } } });
  const namespaces = makeInformer(config, '/api/v1/namespaces', () => core.listNamespace());
  const phases: (string | undefined)[] = [];
  namespaces.on('change', ({ metadata, status }) => {
    if (metadata?.name === namespace) phases.push(status?.phase);
  });
  const inside = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const { told } = record(inside);
  await Promise.all([namespaces.start(), inside.start()]);
  await core.deleteNamespace({ name: namespace });
  await eventually('the end of the namespace', () => !namespaces.get(namespace) || undefined);
  await eventually('the end of what is in it', () => told.length === 2 || undefined);
  t.equal(phases[0], 'Active');
  t.ok(phases.length > 2 && phases.slice(1).every((phase) => phase === 'Terminating'));
  t.same(
    told.map(([verb, name]) => `${verb} ${name}`),
    ['add inside', 'delete inside'],
  );
  await Promise.all([namespaces.stop(), inside.stop()]);
});

t.test('a streaming list ends with the bookmark that the client looks for', async (t) => {
  const namespace = 'streamed';
  const path = await createNamespace(namespace);
  await write(namespace, 20);
  const events: { type: string; object: V1ConfigMap }[] = [];
  const asked = {
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    resourceVersionMatch: 'NotOlderThan',
  };
  const watch = await new Watch(config).watch(
    path,
    asked,
    (type, object) => events.push({ type, object }),
    () => undefined,
  );
  const isBookmark = ({ type }: { type: string }) => type === 'BOOKMARK';
  const last = await eventually('the bookmark', () => events.find(isBookmark));
  watch.abort();
  t.equal(last.object.metadata?.annotations?.['k8s.io/initial-events-end'], 'true');
  t.equal(last.object.kind, 'ConfigMap');
  const added = events.filter(({ type }) => type === 'ADDED');
  t.equal(added.length, events.indexOf(last), 'the objects come before it');
  const names = new Set(added.map(({ object }) => object.metadata?.name));
  t.same(names, new Set(Object.keys(await storedVersions(core, namespace))));
});
