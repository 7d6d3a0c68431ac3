/**
 * Failures that a rule which refuses stands for: webhooks that cannot be asked, tokens that expire,
 * leases that cannot be renewed. Each is the example of src/laboratory/README.md.
 */
import t, { type Test } from 'tap';
import { customDefinition, established } from '../support/custom-types.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const FAULTS = '/shardplane/lab/v1/faults';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const USER = 'system:serviceaccount:default:controller';

const server = await sharedServer('--laboratory');
await server.post(ACCOUNTS, { metadata: { name: 'controller' } });
const asked = await server.post(`${ACCOUNTS}/controller/token`, {});
const CONTROLLER = { authorization: `Bearer ${asked.json.status.token}` };
await server.post('/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
  metadata: { name: 'controller' },
  roleRef: {
    apiGroup: 'rbac.authorization.cluster.io',
    kind: 'ClusterRole',
    name: 'cluster-admin',
  },
  subjects: [{ kind: 'ServiceAccount', name: 'controller', namespace: 'default' }],
});

/** Adds a rule about the controller; resolves with what ends it. */
async function fail(
  test: Test,
  rule: { name: string; what?: object; when?: object; then: object },
) {
  const answer = await server.post(FAULTS, { who: { users: [USER] }, ...rule });
  test.equal(answer.status, 201, answer.text);
  return async () => {
    test.equal((await server.delete(`${FAULTS}/${rule.name}`)).status, 200);
  };
}

t.test('admission fails: a webhook that denies, and one that cannot be asked', async (t) => {
  const what = { verbs: ['create'], resources: ['configmaps'] };
  const denied = 'admission webhook "check.example.com" denied the request: not today';
  const end = await fail(t, {
    name: 'denied',
    what,
    then: { refuse: { code: 403, message: denied } },
  });
  const no = await server.post(CONFIG_MAPS, configMap('denied'), CONTROLLER);
  t.match(no.json, { code: 403, reason: 'Forbidden', message: denied });
  await end();
  const failed =
    'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: ' +
    'Post "https://check.default.svc:443/?timeout=10s": context deadline exceeded';
  const then = { refuse: { code: 500, message: failed } };
  const endAgain = await fail(t, { name: 'failed', what, when: { once: true }, then });
  const broken = await server.post(CONFIG_MAPS, configMap('denied'), CONTROLLER);
  t.match(broken.json, { code: 500, reason: 'InternalError', message: failed });
  t.equal((await server.post(CONFIG_MAPS, configMap('denied'), CONTROLLER)).status, 201, 'once');
  await endAgain();
});

t.test('conversion fails: reads and watches of one version, and of that alone', async (t) => {
  const definition = customDefinition('example.com', 'Widget');
  await established(server, definition);
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  await server.post(widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'one', namespace: 'default' },
  });
  const what = { groups: ['example.com'], resources: ['widgets'], verbs: ['get', 'list', 'watch'] };
  const message = 'conversion webhook for example.com/v1, Kind=Widget failed: connection refused';
  const end = await fail(t, { name: 'conversion', what, then: { refuse: { code: 500, message } } });
  for (const path of [widgets, `${widgets}/one`, `${widgets}?watch=1`]) {
    const { json } = await server.get(path, CONTROLLER);
    t.match(json, { kind: 'Status', code: 500, message });
  }
  t.equal((await server.get(`${widgets}/one`)).status, 200, 'others are answered');
  await end();
  t.equal((await server.get(`${widgets}/one`, CONTROLLER)).status, 200);
});

t.test('a token expires: all that follows is asked by nobody', async (t) => {
  t.equal((await server.get(CONFIG_MAPS, CONTROLLER)).status, 200);
  const end = await fail(t, {
    name: 'expired',
    then: { refuse: { code: 401, message: 'Unauthorized' } },
  });
  for (const path of [CONFIG_MAPS, ACCOUNTS, `${CONFIG_MAPS}?watch=1`]) {
    const { json } = await server.get(path, CONTROLLER);
    t.match(json, { code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  }
  await end();
  t.equal((await server.get(CONFIG_MAPS, CONTROLLER)).status, 200);
});

t.test('a lease cannot be renewed, and another one takes it', async (t) => {
  const path = `${LEASES}/leader`;
  const lease = (holderIdentity: string, resourceVersion?: string) => ({
    metadata: { name: 'leader', resourceVersion },
    spec: { holderIdentity, leaseDurationSeconds: 15 },
  });
  const { json } = await server.post(LEASES, lease('controller'), CONTROLLER);
  const { resourceVersion } = json.metadata;
  const what = { resources: ['leases'], verbs: ['update', 'patch'] };
  const end = await fail(t, { name: 'lease', what, then: { refuse: { code: 503 } } });
  t.equal((await server.put(path, lease('controller', resourceVersion), CONTROLLER)).status, 503);
  t.equal((await server.get(path, CONTROLLER)).status, 200, 'it still sees it');
  t.equal((await server.post(CONFIG_MAPS, configMap('led'), CONTROLLER)).status, 201, 'and writes');
  t.equal((await server.put(path, lease('other', resourceVersion))).status, 200);
  await end();
  t.equal((await server.get(path, CONTROLLER)).json.spec.holderIdentity, 'other');
});

t.end();
