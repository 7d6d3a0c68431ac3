// How far along an object is when webhooks see it, as in the reference.
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { CONFIG_MAPS, Hooked } from '../support/hooked.ts';
import type { Members } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const webhook = await startAdmissionWebhook(t);

const here = new Hooked(server, webhook, 'hooked-reviews');
await here.begin();
const { namespace } = here;
const resources = ['configmaps', 'deployments', '*/status'];
const rules = [{ ...CONFIG_MAPS, apiGroups: ['*'], apiVersions: ['*'], resources }];
await here.register(t, 'Mutating', { first: { rules } });
await here.register(t, 'Validating', { last: { rules } });

/** The object of the last review that such a webhook got. */
function shownTo(name: 'first' | 'last'): Record<'metadata' | 'spec' | 'status', Members> {
  return here.requests(name).at(-1)?.object as Record<'metadata' | 'spec' | 'status', Members>;
}

const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const containers = [{ name: 'c', image: 'i' }];
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
  },
};

t.test('a webhook that may change an object sees what was sent', async (t) => {
  await here.make('a');
  t.notOk('namespace' in shownTo('first').metadata, 'where it is to be is not said');
  t.match(shownTo('last'), { metadata: { namespace, uid: String } });
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '2' } };
  const put = await server.put(here.path('a'), map);
  const { metadata: sent } = shownTo('first');
  t.match(sent, { name: 'a', creationTimestamp: null, managedFields: Array });
  for (const name of ['uid', 'namespace']) t.notOk(name in sent, `${name} of what is stored`);
  t.match(shownTo('last'), { ...map, metadata: { namespace, uid: put.json.metadata.uid } });
});

t.test('members that do not count are shown to those who may change them', async (t) => {
  await server.post(deployments, DEPLOYMENT);
  const { replicas: _three, ...spec } = DEPLOYMENT.spec;
  const status = { replicas: 2 };
  await server.put(`${deployments}/d/status`, { ...DEPLOYMENT, spec, status });
  t.match(shownTo('first'), { spec: { replicas: 1 }, status }, 'a spec, with its defaults');
  t.match(shownTo('last'), { spec: { replicas: 3 }, status });
  await server.put(`${deployments}/d`, DEPLOYMENT);
  t.notOk('replicas' in shownTo('first').status, 'no status');
  t.match(shownTo('last'), { status, metadata: { generation: 1 } });
});

t.test('a deletion that goes on already is shown to nobody', async (t) => {
  const of = (...named: string[]) => [{ ...CONFIG_MAPS, operations: ['DELETE'], resources: named }];
  await here.register(t, 'Validating', { ends: { rules: of('pods', 'namespaces') } });
  const pod = `/api/v1/namespaces/${namespace}/pods/p`;
  await server.post(pod.slice(0, -2), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers },
  });
  const graces = ['', '', '?gracePeriodSeconds=60', '?gracePeriodSeconds=5', ''];
  for (const query of graces) t.equal((await server.delete(pod + query)).status, 200);
  const asked = here.requests('ends').map(({ options }) => options);
  t.match(asked, [{ kind: 'DeleteOptions' }, { gracePeriodSeconds: 5 }]);
  t.equal(asked.length, 2, 'at first, and when it is to end sooner');
  await server.delete(`${pod}?gracePeriodSeconds=0`);

  await server.delete(`/api/v1/namespaces/${namespace}`);
  const last = here.requests('ends').at(-1);
  const { uid } = (last?.oldObject?.['metadata'] ?? {}) as Members;
  t.match(last?.options, { preconditions: { uid } }, 'it ends as the one that it is now');
});

t.end();
