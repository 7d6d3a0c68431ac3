// Webhooks that look at writes: what they are shown, and what becomes of what they change.
import t from 'tap';
import { patchOf, startAdmissionWebhook } from '../support/admission-webhook.ts';
import { CONFIG_MAPS, Hooked } from '../support/hooked.ts';
import type { Members } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const webhook = await startAdmissionWebhook(t);
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

async function hooked(name: string): Promise<Hooked> {
  const here = new Hooked(server, webhook, `hooked-${name}`);
  await here.begin();
  return here;
}

t.test('a webhook changes what is written, and owns nothing of it', async (t) => {
  const here = await hooked('changes');
  await here.register(t, 'Mutating', {
    add: { behaviour: () => patchOf({ op: 'add', path: '/data/b', value: '2' }) },
  });
  const made = await here.make('a', {}, '?fieldManager=me');
  t.equal(made.status, 201, made.text);
  t.same(made.json.data, { a: '1', b: '2' });
  const [owner] = made.json.metadata.managedFields;
  t.same(owner.fieldsV1['f:data'], { '.': {}, 'f:a': {} });
  t.same((await server.get(here.path('a'))).json, made.json);
  const patch = JSON.stringify({ data: { b: '3', c: '3' } });
  const patched = await server.request('PATCH', here.path('a'), patch, MERGE);
  t.same(patched.json.data, { a: '1', b: '2', c: '3' });
  const config = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'applied' },
    data: { d: '4' },
  });
  const applied = await server.request(
    'PATCH',
    `${here.path('applied')}?fieldManager=x`,
    config,
    APPLY,
  );
  t.same([applied.status, applied.json.data], [201, { b: '2', d: '4' }]);
});

t.test('what a webhook leaves out has its defaults', async (t) => {
  const here = await hooked('defaults');
  await here.register(t, 'Mutating', {
    remove: {
      rules: [{ ...CONFIG_MAPS, resources: ['services'] }],
      behaviour: () =>
        patchOf({ op: 'add', path: '/spec/ports/-', value: { name: 'b', port: 81 } }),
    },
  });
  const spec = { clusterIP: 'None', ports: [{ name: 'a', port: 80 }] };
  const document = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec };
  const made = await server.post(`/api/v1/namespaces/${here.namespace}/services`, document);
  t.equal(made.status, 201, made.text);
  t.same(made.json.spec.ports[1], { name: 'b', port: 81, protocol: 'TCP', targetPort: 81 });
});

t.test('owners that a webhook has spoilt stay as they were', async (t) => {
  const here = await hooked('owners');
  await here.register(t, 'Mutating', {
    spoil: {
      behaviour: () =>
        patchOf({ op: 'replace', path: '/metadata/managedFields/0/operation', value: 'x' }),
    },
  });
  const made = await here.make('a', {}, '?fieldManager=me');
  t.match(made.headers['warning'], /^299 - ".metadata.managedFields was in an invalid state/);
  t.match(made.json.metadata.managedFields, [{ manager: 'me', operation: 'Update' }]);
});

t.test('every way to write is shown', async (t) => {
  const here = await hooked('ways');
  const rules = [{ ...CONFIG_MAPS, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  await here.register(t, 'Validating', { see: { rules } });
  const at = `/api/v1/namespaces/${here.namespace}`;
  await here.make('a');
  await server.put(here.path('a'), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  await server.request('PATCH', here.path('a'), '{"data":{"b":"2"}}', MERGE);
  await server.delete(here.path('a'));
  await here.make('b');
  await server.delete(here.path());
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  await server.post(`${at}/pods`, pod);
  await server.post(`${at}/pods/p/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'p' },
    target: { kind: 'Node', name: 'no-node' },
  });
  await server.request('PATCH', `${at}/pods/p/status`, '{"status":{"message":"x"}}', MERGE);
  await server.post(`${at}/pods/p/exec?command=ls&stdout=true`, undefined);
  await server.post(`${at}/pods/p/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p' },
  });
  const selector = { matchLabels: { a: 'b' } };
  const replicas = { selector, template: { metadata: { labels: { a: 'b' } }, spec } };
  const deployments = `/apis/apps/v1/namespaces/${here.namespace}/deployments`;
  await server.post(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: replicas,
  });
  const scale = `${deployments}/d/scale`;
  await server.request('PATCH', scale, '{"spec":{"replicas":0}}', MERGE);
  await server.post(`${at}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 's' },
  });
  await server.post(`${at}/serviceaccounts/s/token`, {
    apiVersion: 'authentication.cluster.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['a'] },
  });
  const seen = here.requests('see').map(({ operation, resource, subResource = '', ...others }) => {
    const { resource: type } = resource as { resource: string };
    const { kind } = others['kind'] as { kind: string };
    // The reference does not tell the names of what it deletes together.
    const { name = '' } = (others.oldObject?.['metadata'] ?? {}) as { name?: string };
    return [operation, `${type}/${String(subResource)}`, kind, others.name ?? name].join(' ');
  });
  const own = new Set([
    'CREATE configmaps/ ConfigMap a',
    'UPDATE configmaps/ ConfigMap a',
    'DELETE configmaps/ ConfigMap a',
    'DELETE configmaps/ ConfigMap b',
    'CREATE pods/ Pod p',
    'CREATE pods/binding Binding p',
    'UPDATE pods/status Pod p',
    'CONNECT pods/exec PodExecOptions p',
    'CREATE pods/eviction Eviction p',
    'CREATE deployments/ Deployment d',
    'UPDATE deployments/scale Scale d',
    'CREATE serviceaccounts/ ServiceAccount s',
    'CREATE serviceaccounts/token TokenRequest s',
  ]);
  for (const what of own) t.ok(seen.includes(what), what);
  const asked = here.requests('see').find(({ object }) => object?.['kind'] === 'TokenRequest');
  t.match(asked?.object, { spec: { audiences: ['a'], expirationSeconds: 3600 } }, 'with defaults');
});

t.test('what is shown', async (t) => {
  const here = await hooked('shown');
  await here.register(t, 'Mutating', { first: {} });
  await here.register(t, 'Validating', { last: {} });
  await here.make('', { metadata: { generateName: 'g-' } }, '?fieldManager=me&dryRun=All');
  const [[first], [last]] = [here.requests('first'), here.requests('last')];
  const type = { group: '', version: 'v1' };
  t.match(first, {
    kind: { ...type, kind: 'ConfigMap' },
    resource: { ...type, resource: 'configmaps' },
    requestKind: { ...type, kind: 'ConfigMap' },
    requestResource: { ...type, resource: 'configmaps' },
    name: undefined,
    namespace: here.namespace,
    operation: 'CREATE',
    object: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } },
    oldObject: null,
    dryRun: true,
    options: { kind: 'CreateOptions', fieldManager: 'me', dryRun: ['All'] },
  });
  t.match(first?.['userInfo'], { groups: Array });
  const { metadata } = (last?.object ?? {}) as { metadata: Members };
  t.match(metadata, { uid: String, creationTimestamp: String, name: /^g-.{5}$/ });
  t.equal(last?.name, metadata['name'], 'it has a name by now');
  const { query, headers } = webhook.calls[0] ?? {};
  t.equal(query, 'timeout=30s');
  t.equal(headers?.['content-type'], 'application/json');

  await here.make('a');
  await server.put(here.path('a'), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  const updated = here.requests('last').at(-1);
  const { metadata: before } = (updated?.oldObject ?? {}) as { metadata: Members };
  t.match(updated?.object, { metadata: { resourceVersion: before['resourceVersion'] } });
  await server.delete(`${here.path('a')}?gracePeriodSeconds=3`);
  const deleted = here.requests('last').at(-1);
  t.match(deleted, {
    operation: 'DELETE',
    object: null,
    oldObject: { metadata: { name: 'a' } },
    options: { kind: 'DeleteOptions', gracePeriodSeconds: 3 },
  });
});

t.test('a webhook that asks for another version is shown it, and changes it', async (t) => {
  const here = await hooked('versions');
  const rules = [
    {
      operations: ['CREATE'],
      apiGroups: ['events.cluster.io'],
      apiVersions: ['v1'],
      resources: ['events'],
    },
  ];
  const behaviour = () => patchOf({ op: 'replace', path: '/note', value: 'changed' });
  await here.register(t, 'Mutating', {
    equivalent: { rules, behaviour },
    exact: { rules, matchPolicy: 'Exact' },
  });
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace: here.namespace, name: 'p' },
    message: 'told',
  };
  const made = await server.post(`/api/v1/namespaces/${here.namespace}/events`, event);
  t.equal(made.status, 201, made.text);
  t.match(made.json, { apiVersion: 'v1', message: 'changed' });
  const [request] = here.requests('equivalent');
  t.match(request, {
    kind: { version: 'v1', kind: 'Event' },
    requestKind: { group: '', version: 'v1', kind: 'Event' },
    requestResource: { group: '', version: 'v1', resource: 'events' },
    object: { note: 'told' },
  });
  t.match(request?.object['apiVersion'], /^events\..*\/v1$/);
  t.same(here.requests('exact'), []);
});

t.test('a configuration is in force, or is not, with the next request', async (t) => {
  const here = await hooked('soon');
  for (let round = 0; round < 5; round++) {
    const end = await here.register(t, 'Validating', {
      deny: { behaviour: () => ({ allowed: false, status: { message: 'no' } }) },
    });
    const refused = await here.make(`a${round}`);
    t.equal(refused.json.message, 'admission webhook "deny.example.com" denied the request: no');
    t.equal(refused.status, 400);
    await end();
    t.equal((await here.make(`a${round}`)).status, 201);
  }
});

t.test('refusals say what the webhook says', async (t) => {
  const here = await hooked('refusals');
  const status = {
    code: 409,
    reason: 'Conflict',
    message: 'no way',
    details: { name: 'n', causes: [{ message: 'x' }] },
  };
  await here.register(t, 'Validating', {
    deny: { behaviour: () => ({ allowed: false, status, warnings: ['before', 'before', 'two'] }) },
  });
  const refused = await here.make('a');
  t.match(refused.json, {
    kind: 'Status',
    status: 'Failure',
    message: 'admission webhook "deny.example.com" denied the request: no way',
    reason: 'Conflict',
    details: { name: 'n', causes: [{ message: 'x' }] },
    code: 409,
  });
  t.equal(refused.status, 409);
  t.equal(refused.headers['warning'], '299 - "before", 299 - "two"');
});

t.test('a slow webhook delays only the writes that it is asked about', async (t) => {
  const here = await hooked('slow');
  let release: (answer: Members) => void = () => undefined;
  const held = new Promise<Members>((resolve) => (release = resolve));
  const objectSelector = { matchLabels: { slow: 'yes' } };
  await here.register(t, 'Mutating', { slow: { objectSelector, behaviour: () => held } });
  const labels = { slow: 'yes' };
  const slow = here.make('slow', { metadata: { name: 'slow', labels } });
  t.equal((await here.make('fast')).status, 201);
  t.equal((await server.get(here.path())).json.items.length, 1);
  t.equal((await here.make('slow')).status, 201, 'another one takes the name meanwhile');
  release({});
  t.equal((await slow).status, 409);
});

t.test('a patch applies to what is there when the webhook has answered', async (t) => {
  const here = await hooked('moves');
  await here.make('a', { metadata: { name: 'a', resourceVersion: '' } });
  let arrived: () => void = () => undefined;
  let release: (answer: Members) => void = () => undefined;
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<Members>((resolve) => (release = resolve));
  const end = await here.register(t, 'Mutating', {
    holds: {
      objectSelector: { matchLabels: { held: 'yes' } },
      behaviour: () => {
        arrived();
        return held;
      },
    },
  });
  const { json: before } = await server.get(here.path('a'));
  const change = '{"metadata":{"labels":{"held":"yes"}}}';
  const patched = server.request('PATCH', here.path('a'), change, MERGE);
  const metadata = { ...before.metadata, labels: { held: 'yes' } };
  const updated = server.put(here.path('a'), { ...before, metadata });
  await asked;
  const other = await server.request('PATCH', here.path('a'), '{"data":{"b":"2"}}', MERGE);
  t.equal(other.status, 200, other.text);
  release({});
  t.match((await patched).json, {
    data: { a: '1', b: '2' },
    metadata: { labels: { held: 'yes' } },
  });
  t.equal((await updated).status, 409, 'a write of a version conflicts');
  await end();
});

t.test('a webhook that asks the server while it is asked', async (t) => {
  const here = await hooked('back');
  await here.register(t, 'Mutating', {
    back: {
      objectSelector: { matchLabels: { outer: 'yes' } },
      behaviour: async () => {
        const inner = await here.make('inner');
        return patchOf({ op: 'add', path: '/data/inner', value: String(inner.status) });
      },
    },
  });
  const made = await here.make('a', { metadata: { name: 'a', labels: { outer: 'yes' } } });
  t.same(made.json.data, { a: '1', inner: '201' });
});

t.test('namespaces themselves, by what they are to be', async (t) => {
  const here = await hooked('itself');
  const rules = [{ ...CONFIG_MAPS, resources: ['namespaces'], scope: 'Cluster' }];
  await here.register(t, 'Mutating', { see: { rules } });
  const labels = { hooked: here.namespace };
  const metadata = { name: 'hooked-itself-too', labels };
  const document = { apiVersion: 'v1', kind: 'Namespace', metadata };
  await server.post('/api/v1/namespaces', document);
  const at = '/api/v1/namespaces/hooked-itself-too';
  await server.request('PATCH', at, '{"metadata":{"labels":{"hooked":null}}}', MERGE);
  await server.delete(at);
  const seen = here
    .requests('see')
    .map(({ operation, name, namespace }) => [operation, name, namespace]);
  t.same(seen, [['CREATE', 'hooked-itself-too', 'hooked-itself-too']]);
});

t.test('reviews of v1beta1', async (t) => {
  const here = await hooked('beta');
  await here.register(t, 'Mutating', {
    beta: {
      admissionReviewVersions: ['v9', 'v1beta1', 'v1'],
      behaviour: ({ apiVersion }) => ({
        ...patchOf({ op: 'add', path: '/data/as', value: apiVersion.split('/')[1] }),
        patchType: undefined,
      }),
    },
  });
  t.same((await here.make('a')).json.data, { a: '1', as: 'v1beta1' });
});
