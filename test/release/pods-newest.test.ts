/** The newest release treats running pods otherwise. */
import t from 'tap';
import { BUDGETS, evict, eviction, made, PODS, podWith } from '../support/cluster-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer('--release=1.37');
const MERGE = { 'content-type': 'application/merge-patch+json' };

t.test('a pod that is not ready is evicted where its budget says so, and tells why', async (t) => {
  const finalizers = ['example.com/held'];
  const metadata = { labels: { app: 'web' }, finalizers };
  await podWith(server, 'web', { phase: 'Running', isReady: false, metadata });
  const selector = { matchLabels: { app: 'web' } };
  const budget = { metadata: { name: 'web' }, spec: { minAvailable: 1, selector } };
  await made(server, BUDGETS, budget);
  t.equal((await evict(server, 'web')).status, 429, 'it counts as others do');
  const policy = { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } };
  await server.request('PATCH', `${BUDGETS}/web`, policy, MERGE);
  const deleteOptions = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const asked = eviction('web', { deleteOptions });
  const refused = await evict(server, 'web', asked);
  t.equal(refused.status, 422);
  t.match(
    refused.json.message,
    /^Eviction\.policy "web" is invalid: deleteOptions\.ignoreStoreReadError/,
  );
  t.equal((await evict(server, 'web')).status, 201);
  const { json } = await server.get(`${PODS}/web`);
  t.ok(json.metadata.deletionTimestamp);
  t.match(json.status.conditions, [
    { type: 'Ready', status: 'False' },
    { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
  ]);
});

t.test('a pod that gets its node gets the labels that say where it is', async (t) => {
  const labels = { 'topology.cluster.io/zone': 'a', 'topology.cluster.io/rack': 'b' };
  await made(server, '/api/v1/nodes', { metadata: { name: 'placed', labels } });
  await podWith(server, 'placed', { labels: { app: 'placed' } });
  const target = { kind: 'Node', name: 'placed' };
  await made(server, `${PODS}/placed/binding`, { metadata: { name: 'placed' }, target });
  const { json } = await server.get(`${PODS}/placed`);
  const expected = { app: 'placed', 'topology.cluster.io/zone': 'a' };
  t.same(json.metadata.labels, expected);
  const spec = { nodeName: 'placed' };
  const other = await podWith(server, 'other', { labels: { app: 'placed' }, spec });
  t.same(other.metadata.labels, expected);
});

t.test('who resizes a pod owns all that it says, though only a part is written', async (t) => {
  await podWith(server, 'resized');
  const containers = [{ name: 'a', image: 'b', resources: { requests: { cpu: '1' } } }];
  const patch = { metadata: { labels: { size: 'l' } }, spec: { containers } };
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  const path = `${PODS}/resized/resize?fieldManager=sizes&dryRun=All`;
  await server.request('PATCH', path, { metadata: { labels: { size: 'l' } } }, headers);
  const refused = await server.request('PATCH', path, patch, headers);
  t.equal(refused.status, 422, 'it changes the quality of service');
  patch.spec.containers[0]!.resources.requests.cpu = '0';
  const { status, json, text } = await server.request('PATCH', path, patch, headers);
  t.equal(status, 200, text);
  t.same(json.metadata.labels, { app: 'web' });
  t.equal(json.spec.containers[0].image, 'example.com/a:1');
  const owner = json.metadata.managedFields.find((one: object) =>
    Object.hasOwn(one, 'subresource'),
  );
  t.match(owner, { manager: 'sizes', subresource: 'resize' });
  t.ok(owner.fieldsV1['f:metadata']['f:labels']['f:size']);
});
