/** Stored members differ from those that a client sends. */
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';

const DEFAULT = '/api/v1/namespaces/default';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const server = await sharedServer();

t.test('a limit range without a name is named by a UUID', async (t) => {
  for (const metadata of [{}, { generateName: 'limits-' }]) {
    const made = await server.post(`${DEFAULT}/limitranges`, { metadata });
    t.equal(made.status, 201, made.text);
    t.match(made.json.metadata.name, UUID);
  }
});

t.test('the generation is kept where the server counts none', async (t) => {
  const metadata = { name: 'counted', generation: 7 };
  const config = await server.post(`${DEFAULT}/configmaps`, { metadata });
  t.equal(config.json.metadata.generation, 7);
  const put = await server.put(`${DEFAULT}/configmaps/counted`, {
    metadata: { ...metadata, generation: 9 },
  });
  t.equal(put.json.metadata.generation, 7, 'and no update changes it');
  const budget = await server.post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata,
  });
  t.equal(budget.json.metadata.generation, 1, 'others count from one');
});

t.test('an ExternalName service has a policy for traffic inside of the cluster', async (t) => {
  const spec = { type: 'ExternalName', externalName: 'example.com' };
  const made = await server.post(`${DEFAULT}/services`, { metadata: { name: 'outside' }, spec });
  t.equal(made.json.spec.internalTrafficPolicy, 'Cluster', made.text);
});

t.test('one family of a service without addresses and selector stands for both', async (t) => {
  const spec = { clusterIP: 'None', ipFamilies: ['IPv6'] };
  const made = await server.post(`${DEFAULT}/services`, { metadata: { name: 'both' }, spec });
  t.same(made.json.spec.ipFamilies, ['IPv6', 'IPv4'], made.text);
});

t.test('an empty list that is always written is null', async (t) => {
  const roles = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/roles';
  const made = await server.post(roles, { metadata: { name: 'idle' }, rules: [] });
  t.equal(made.json.rules, null, made.text);
  t.equal((await server.get(`${roles}/idle`)).json.rules, null);
});

t.test('a 422 names the group that a kind once had', async (t) => {
  const ingresses = '/apis/networking.cluster.io/v1/namespaces/default/ingresses';
  const refused = await server.post(ingresses, { metadata: { name: 'none' } });
  t.equal(refused.json.details.group, 'extensions', refused.text);
  t.match(refused.json.message, /^Ingress\.extensions "none" is invalid: /);
});

t.test('the end of the older RuntimeClass names nothing that replaces it', async (t) => {
  const answer = await server.get('/apis/node.cluster.io/v1beta1/runtimeclasses');
  t.equal(
    answer.headers['warning'],
    '299 - "node.cluster.io/v1beta1 RuntimeClass is deprecated in v1.22+, unavailable in v1.25+"',
  );
});

t.test('annotations alone do not count as a change of an EndpointSlice', async (t) => {
  const slices = '/apis/discovery.cluster.io/v1/namespaces/default/endpointslices';
  const slice = { metadata: { name: 'slice' }, addressType: 'IPv4', endpoints: [] };
  const made = await server.post(slices, slice);
  const { metadata } = made.json;
  const noted = { ...made.json, metadata: { ...metadata, annotations: { a: 'b' } } };
  const put = await server.put(`${slices}/slice`, noted);
  t.equal(put.json.metadata.generation, 1, put.text);
  const labelled = { ...put.json, metadata: { ...put.json.metadata, labels: { a: 'b' } } };
  t.equal((await server.put(`${slices}/slice`, labelled)).json.metadata.generation, 2);
});
