/** Lists through the client: pages, selectors, and which version is asked for. */
import { AppsV1Api, CoreV1Api } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';
import t from 'tap';
import { expectException, MERGE_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const namespace = 'lists';
const COUNT = 25;
const PAGE = 10;

const { config } = await sharedPublicServer();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
await core.createNamespace({ body: { metadata: { name: namespace } } });

function nameOf(index: number): string {
  return `c-${String(index).padStart(2, '0')}`;
}

for (let index = 0; index < COUNT; index += 1) {
  const labels = { 'example.com/parity': index % 2 === 0 ? 'even' : 'odd', index: `${index}` };
  const body = { metadata: { name: nameOf(index), labels }, data: { index: `${index}` } };
  await core.createNamespacedConfigMap({ namespace, body });
}
const NAMES = Array.from({ length: COUNT }, (_, index) => nameOf(index));

const namesOf = ({ items }: { items: V1ConfigMap[] }) => items.map((item) => item.metadata?.name);

t.test('pages are of one version, whatever is written between them', async (t) => {
  const before = await core.listNamespacedConfigMap({ namespace });
  const names: (string | undefined)[] = [];
  const remaining: (number | undefined)[] = [];
  const versions = new Set<string | undefined>();
  let token: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace,
      limit: PAGE,
      ...(token !== undefined && { _continue: token }),
    });
    names.push(...namesOf(page));
    remaining.push(page.metadata?.remainingItemCount);
    versions.add(page.metadata?.resourceVersion);
    token = page.metadata?._continue;
    const body = { metadata: { name: `late-${names.length}` } };
    await core.createNamespacedConfigMap({ namespace, body });
  } while (token !== undefined && token !== '');
  t.same(names, NAMES);
  t.same(remaining, [COUNT - PAGE, COUNT - 2 * PAGE, undefined]);
  t.same([...versions], [before.metadata?.resourceVersion], 'all say the version of the first');
  const after = await core.listNamespacedConfigMap({ namespace });
  t.equal(after.items.length, COUNT + 3);
  for (const late of [10, 20, 25]) {
    await core.deleteNamespacedConfigMap({ namespace, name: `late-${late}` });
  }
});

t.test('a continue token cannot be made up', async (t) => {
  const call = core.listNamespacedConfigMap({ namespace, limit: 1, _continue: 'made up' });
  const message = /^invalid continue token: continue key is not valid/;
  await expectException(t, call, { code: 400, reason: 'BadRequest', message });
});

const LABEL_SELECTORS: readonly (readonly [selector: string, count: number])[] = [
  ['example.com/parity=even', 13],
  ['example.com/parity!=even', 12],
  ['example.com/parity in (odd,none),index notin (1,3)', 10],
  ['index', COUNT],
  ['!index', 0],
  ['index>20', 4],
];

t.test('label selectors', async (t) => {
  for (const [labelSelector, count] of LABEL_SELECTORS) {
    const list = await core.listNamespacedConfigMap({ namespace, labelSelector });
    t.equal(list.items.length, count, labelSelector);
  }
  const bad = core.listNamespacedConfigMap({ namespace, labelSelector: 'a in b' });
  await expectException(t, bad, { code: 400, reason: 'BadRequest' });
});

t.test('field selectors', async (t) => {
  const one = await core.listNamespacedConfigMap({
    namespace,
    fieldSelector: 'metadata.name=c-07',
  });
  t.same(namesOf(one), ['c-07']);
  const fieldSelector = `metadata.namespace=${namespace},metadata.name!=c-07`;
  const others = await core.listConfigMapForAllNamespaces({ fieldSelector });
  t.equal(others.items.length, COUNT - 1);
  const system = await core.listNamespace({ fieldSelector: 'metadata.name=kube-system' });
  t.same(
    system.items.map(({ metadata }) => metadata?.name),
    ['kube-system'],
  );
  const phase = await core.listNamespacedPod({ namespace, fieldSelector: 'status.phase=Running' });
  t.same(phase.items, []);
  const bad = core.listNamespacedConfigMap({ namespace, fieldSelector: 'data.index=1' });
  const message = /^"data\.index" is not a known field selector/;
  await expectException(t, bad, { code: 400, reason: 'BadRequest', message });
});

t.test('a list is exactly of a version, or not older than one', async (t) => {
  const before = await core.listNamespacedConfigMap({ namespace });
  const resourceVersion = before.metadata?.resourceVersion ?? '';
  const body = { data: { index: 'changed' } };
  await core.patchNamespacedConfigMap({ namespace, name: 'c-00', body }, MERGE_PATCH);
  const read = async (resourceVersionMatch: string) => {
    const asked = { namespace, resourceVersion, resourceVersionMatch };
    const { items, metadata } = await core.listNamespacedConfigMap(asked);
    return { index: items[0]?.data?.['index'], version: metadata?.resourceVersion };
  };
  t.same(await read('Exact'), { index: '0', version: resourceVersion });
  const newer = await read('NotOlderThan');
  t.equal(newer.index, 'changed');
  t.ok(Number(newer.version) > Number(resourceVersion));
  const cached = await core.listNamespacedConfigMap({ namespace, resourceVersion: '0' });
  t.equal(cached.items.length, COUNT);
});

t.test('versions that no list can be of', async (t) => {
  const list = (asked: { resourceVersion?: string; resourceVersionMatch?: string }) =>
    core.listNamespacedConfigMap({ namespace, ...asked });
  const invalid = { code: 422, reason: 'Invalid' };
  await expectException(t, list({ resourceVersionMatch: 'Exact' }), invalid);
  const zero = { resourceVersion: '0', resourceVersionMatch: 'Exact' };
  await expectException(t, list(zero), invalid);
  const odd = { resourceVersion: '1', resourceVersionMatch: 'Newest' };
  await expectException(t, list(odd), invalid);
  await expectException(t, list({ resourceVersion: 'newest' }), { code: 400 });
  await expectException(t, list({ resourceVersion: '999999999' }), {
    code: 504,
    reason: 'Timeout',
    message: /^Timeout: Too large resource version: 999999999, current: \d+$/,
  });
});

t.test('the lists of a kind in all namespaces, and of what is not there', async (t) => {
  const everywhere = await core.listConfigMapForAllNamespaces({ limit: 5 });
  t.equal(everywhere.items.length, 5);
  t.ok(everywhere.metadata?._continue);
  const nowhere = await apps.listNamespacedDeployment({ namespace: 'nowhere' });
  t.same(nowhere.items, []);
  t.equal(nowhere.apiVersion, 'apps/v1');
  t.equal(nowhere.kind, 'DeploymentList');
  t.match(nowhere.metadata?.resourceVersion, /^[1-9]\d*$/);
});
