/** Pods that run keep their grace period, whoever deletes them. */
import t from 'tap';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const NAMESPACES = '/api/v1/namespaces';
const CONTAINERS = [{ name: 'a', image: 'example.com/a:1' }];
const NOW = '?gracePeriodSeconds=0';

/** Scheduled, with a node; or not yet. */
function pod(name: string, nodeName = '', metadata: Members = {}): object {
  return { metadata: { name, ...metadata }, spec: { containers: CONTAINERS, nodeName } };
}

async function added(path: string, object: object): Promise<Members & { metadata: Members }> {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

async function names(path: string): Promise<string[]> {
  const { json } = await server.get(path);
  return json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

for (const propagationPolicy of ['Background', 'Foreground']) {
  t.test(`pods end in their time when their owner goes: ${propagationPolicy}`, async (t) => {
    const namespace = propagationPolicy.toLowerCase();
    await added(NAMESPACES, { metadata: { name: namespace } });
    const pods = `${NAMESPACES}/${namespace}/pods`;
    const sets = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
    const labels = { app: 'x' };
    const template = { metadata: { labels }, spec: { containers: CONTAINERS } };
    const set = await added(sets, {
      metadata: { name: 'set' },
      spec: { selector: { matchLabels: labels }, template },
    });
    const { uid } = set.metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid };
    const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
    await added(pods, pod('runs', 'node-1', { ownerReferences }));
    await added(pods, pod('waits', '', { ownerReferences }));
    await added(pods, pod('other', 'node-1'));
    await server.delete(`${sets}/set`, { propagationPolicy });
    await until(async () => (await names(pods)).join() === 'other,runs');
    const waits = propagationPolicy === 'Foreground' ? ['set'] : [];
    await until(async () => {
      const { metadata } = (await server.get(`${pods}/runs`)).json;
      return metadata.deletionTimestamp !== undefined;
    });
    const { metadata } = (await server.get(`${pods}/runs`)).json;
    t.equal(metadata.deletionGracePeriodSeconds, 30);
    t.same(await names(sets), waits);
    t.equal((await server.delete(`${pods}/runs${NOW}`)).status, 200, 'as its node does');
    await until(async () => (await names(sets)).length === 0);
    t.same(await names(pods), ['other']);
  });
}

t.test('a namespace waits for the pods in it', async (t) => {
  const path = `${NAMESPACES}/pods`;
  await added(NAMESPACES, { metadata: { name: 'pods' } });
  await added(`${path}/pods`, pod('runs', 'node-1'));
  await added(`${path}/pods`, pod('waits'));
  const watch = await server.watch(`${NAMESPACES}?watch=true&fieldSelector=metadata.name%3Dpods`);
  await watch.take(1);
  await server.delete(path);
  const [, told] = await watch.take(2);
  t.same(await names(`${path}/pods`), ['runs']);
  const { metadata } = (await server.get(`${path}/pods/runs`)).json;
  t.equal(metadata.deletionGracePeriodSeconds, 30);
  const [, , failed, content, finalizers] = told?.object.status.conditions ?? [];
  t.match(failed, { status: 'False' });
  t.match(content, {
    status: 'True',
    message: 'Some resources are remaining: pods. has 1 resource instances',
  });
  t.match(finalizers, { status: 'False' });
  await server.delete(`${path}/pods/runs${NOW}`);
  const [last] = await watch.take(1);
  t.equal(last?.type, 'DELETED');
  watch.close();
});
