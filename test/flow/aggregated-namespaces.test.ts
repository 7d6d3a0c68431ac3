/** A namespace that ends waits for what other servers of the API have in it. */
import t from 'tap';
import { answer, availableAs, register, startAggregated } from '../support/aggregated-server.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const GROUP = 'namespaces.aggregated.example';
const ROOT = `/apis/${GROUP}/v1`;
const RESOURCES = {
  kind: 'APIResourceList',
  groupVersion: `${GROUP}/v1`,
  resources: [
    {
      name: 'flowers',
      namespaced: true,
      kind: 'Flower',
      verbs: ['delete', 'deletecollection', 'list'],
    },
    { name: 'counts', namespaced: true, kind: 'Count', verbs: ['list'] },
    { name: 'gardens', namespaced: false, kind: 'Garden', verbs: ['delete', 'list'] },
  ],
};
/** What there is of flowers, by namespaces; who is held stays. */
const flowers = new Map<string, { isHeld: boolean }>();

const server = await startServer({ test: t, args: ['--controllers=namespace,api-service-status'] });
const other = await startAggregated(t, {
  name: 'namespaces',
  onRequest: ({ path, method }, response) => {
    const [, namespace = ''] = /\/namespaces\/([^/?]+)\/flowers/.exec(path) ?? [];
    if (path === ROOT) return answer(response, RESOURCES);
    if (namespace === '') return answer(response, {}, 404);
    if (method === 'DELETE' && flowers.get(namespace)?.isHeld === false) flowers.delete(namespace);
    const held = { metadata: { name: 'rose', finalizers: ['example.com/gardener'] } };
    return answer(response, { kind: 'List', items: flowers.has(namespace) ? [held] : [] });
  },
});
const apiService = await register(server, other, { group: GROUP, name: 'namespaces' });
await availableAs(server, apiService, 'Passed');

async function ended(name: string): Promise<void> {
  await server.post('/api/v1/namespaces', { metadata: { name } });
  await server.delete(`/api/v1/namespaces/${name}`);
}

async function conditionsOf(name: string): Promise<Record<string, string>> {
  const { json } = await server.get(`/api/v1/namespaces/${name}`);
  const conditions: { type: string; status: string; message: string }[] =
    json.status?.conditions ?? [];
  return Object.fromEntries(conditions.map(({ type, message }) => [type, message]));
}

t.test('its objects are deleted there', async (t) => {
  flowers.set('quick', { isHeld: false });
  await ended('quick');
  await until(async () => (await server.get('/api/v1/namespaces/quick')).status === 404);
  t.notOk(flowers.has('quick'));
  const asked = other.requests.filter(({ path }) => path.includes('/namespaces/quick/'));
  t.same([...new Set(asked.map(({ path }) => path))], [`${ROOT}/namespaces/quick/flowers`]);
  t.same(asked[0]?.headers.get('x-remote-user'), [
    'system:serviceaccount:cluster-system:namespace-controller',
  ]);
});

t.test('what stays there is told of', async (t) => {
  flowers.set('slow', { isHeld: true });
  await ended('slow');
  const remaining = `flowers.${GROUP} has 1 resource instances`;
  await until(async () => 'NamespaceContentRemaining' in (await conditionsOf('slow')));
  t.match(await conditionsOf('slow'), {
    NamespaceContentRemaining: `Some resources are remaining: ${remaining}`,
    NamespaceFinalizersRemaining: /example\.com\/gardener in 1 resource instances$/,
  });
  flowers.set('slow', { isHeld: false });
  await until(async () => (await server.get('/api/v1/namespaces/slow')).status === 404);
});

t.test('a server that is not there holds it until it is, or is not asked for', async (t) => {
  await other.close();
  await server.request('PATCH', apiService, '{"metadata":{"labels":{"a":"b"}}}', {
    'content-type': 'application/merge-patch+json',
  });
  await availableAs(server, apiService, 'FailedDiscoveryCheck');
  await ended('waiting');
  const failure = 'NamespaceDeletionDiscoveryFailure';
  await until(async () => failure in (await conditionsOf('waiting')));
  t.equal(
    (await conditionsOf('waiting'))[failure],
    'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of ' +
      `server APIs: ${GROUP}/v1: the server is currently unable to handle the request`,
  );
  t.equal((await server.delete(apiService)).status, 200);
  await until(async () => (await server.get('/api/v1/namespaces/waiting')).status === 404);
});

t.end();
