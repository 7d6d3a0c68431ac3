/** Who owns which fields since when, in the newest release. */
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer('--release=1.37');
const MAPS = '/api/v1/namespaces/default/configmaps';

interface Entry {
  readonly manager: string;
  readonly time?: string;
  readonly fieldsV1: object;
}

async function applied(name: string, manager: string, data: object) {
  const { json } = await server.request(
    'PATCH',
    `${MAPS}/${name}?fieldManager=${manager}`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
    { 'content-type': 'application/apply-patch+yaml' },
  );
  const entries: readonly Entry[] = json.metadata.managedFields;
  return { json, entry: entries.find((one) => one.manager === manager) };
}

t.test('who only comes to own what is there has no time', async (t) => {
  const first = await applied('shared', 'ann', { a: '1' });
  t.match(first.entry?.time, /^20.*Z$/);
  const second = await applied('shared', 'bob', { a: '1' });
  t.equal(second.entry?.time, undefined);
  t.same(second.entry?.fieldsV1, { 'f:data': { 'f:a': {} } });
  const third = await applied('shared', 'bob', { a: '1' });
  t.same(third.json, second.json, 'again, nothing changes');
});

t.test('what shows in no object is a change all the same', async (t) => {
  await applied('nulls', 'ann', { a: '1' });
  const { entry } = await applied('nulls', 'bob', { a: '1', b: null });
  t.match(entry?.time, /^20.*Z$/);
});

t.test('so it is where nobody owns what an apply says', async (t) => {
  const nodes = '/api/v1/nodes';
  await server.post(nodes, { metadata: { name: 'said' }, spec: { podCIDR: '10.0.0.0/24' } });
  const apply = async (members: object) => {
    const { status, json } = await server.request(
      'PATCH',
      `${nodes}/said/status?fieldManager=ann&dryRun=All`,
      { apiVersion: 'v1', kind: 'Node', ...members },
      { 'content-type': 'application/apply-patch+yaml' },
    );
    const entries: readonly Entry[] = json.metadata.managedFields ?? [];
    return { status, json, time: entries.find(({ manager }) => manager === 'ann')?.time };
  };
  const metadata = { name: 'said' };
  const spec = { podCIDR: '10.1.0.0/24' };
  t.match((await apply({ metadata, spec, status: {} })).time, /^20.*Z$/, 'through the status');
  t.equal((await apply({ metadata, status: {} })).time, undefined);
});

t.test('an apply to the status of another object is refused', async (t) => {
  const services = '/apis/apiregistration.cluster.io/v1/apiservices';
  const { status, json } = await server.request(
    'PATCH',
    `${services}/v1.apps/status?fieldManager=ann`,
    { apiVersion: 'apiregistration.cluster.io/v1', kind: 'APIService', metadata: { name: 'b' } },
    { 'content-type': 'application/apply-patch+yaml' },
  );
  t.equal(status, 400);
  t.equal(json.message, 'the name of the object (b) does not match the name on the URL (v1.apps)');
});

t.test('what comes twice in an object can be applied to', async (t) => {
  const finalizers = ['example.com/a', 'example.com/a'];
  await server.post(MAPS, { metadata: { name: 'doubled', finalizers } });
  const apply = async (manager: string, force: boolean, ...its: readonly string[]) => {
    const { status, json } = await server.request(
      'PATCH',
      `${MAPS}/doubled?fieldManager=${manager}&force=${force}`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'doubled', finalizers: its },
      },
      { 'content-type': 'application/apply-patch+yaml' },
    );
    return [status, status === 200 ? json.metadata.finalizers : json.message];
  };
  const b = 'example.com/b';
  t.same(await apply('ann', false, b), [200, [...finalizers, b]], 'others stay as they are');
  t.match(await apply('bob', false, 'example.com/a'), [409, /^Apply failed with 1 conflict/]);
  t.same(await apply('bob', true, 'example.com/a'), [200, ['example.com/a', b]]);
  t.match(await apply('ann', false, b, b), [
    500,
    /duplicate entries for key \[="example.com\/b"\]/,
  ]);
});

t.test('times that clients name are no change', async (t) => {
  const { json } = await server.post(MAPS, { metadata: { name: 'timed' }, data: { a: '1' } });
  const [entry] = json.metadata.managedFields;
  const managedFields = [{ ...entry, time: '2021-12-07T10:11:12Z' }];
  const sent = { ...json, metadata: { ...json.metadata, managedFields } };
  t.same((await server.put(`${MAPS}/timed`, sent)).json, json);
  const other = await server.put(`${MAPS}/timed`, { ...sent, data: { a: '2' } });
  t.not(other.json.metadata.resourceVersion, json.metadata.resourceVersion);
});

t.test('what comes twice in a list is owned as one', async (t) => {
  const finalizers = ['example.com/a', 'example.com/a', 'example.com/b'];
  const { json } = await server.post(MAPS, { metadata: { name: 'twice', finalizers } });
  const owned = (object: typeof json) => object.metadata.managedFields[0].fieldsV1;
  const [a, b] = ['v:"example.com/a"', 'v:"example.com/b"'];
  t.same(owned(json), { 'f:metadata': { 'f:finalizers': { '.': {}, [a]: {}, [b]: {} } } });
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
    { name: 'B', value: '3' },
  ];
  const labels = { a: 'b' };
  const deployment = await server.post(path, {
    metadata: { name: 'twice' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'i', env }] },
      },
    },
  });
  const containers = owned(deployment.json)['f:spec']['f:template']['f:spec']['f:containers'];
  t.same(containers['k:{"name":"c"}']['f:env'], {
    '.': {},
    'k:{"name":"A"}': {},
    'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} },
  });
  const { spec, metadata } = json;
  const one = { ...json, spec, metadata: { ...metadata, finalizers: finalizers.slice(1) } };
  const updated = await server.put(`${MAPS}/twice`, one);
  t.same(owned(updated.json), { 'f:metadata': { 'f:finalizers': { '.': {}, [a]: {}, [b]: {} } } });
});

t.test('who writes the status of a definition owns the labels that it sets', async (t) => {
  const group = 'apiextensions.cluster.io';
  const path = `/apis/${group}/v1/customresourcedefinitions`;
  const name = 'owns.example.com';
  const schema = { openAPIV3Schema: { type: 'object' } };
  const body = {
    apiVersion: `${group}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'owns', kind: 'Own' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const made = await server.request('PATCH', `${path}/${name}?fieldManager=ann`, body, type);
  t.equal(made.status, 201);
  const { json } = await server.request(
    'PATCH',
    `${path}/${name}/status?fieldManager=bob`,
    { metadata: { labels: { a: 'b' } } },
    { 'content-type': 'application/merge-patch+json' },
  );
  const entries: readonly Entry[] = json.metadata.managedFields;
  t.same(entries.find(({ manager }) => manager === 'bob')?.fieldsV1, {
    'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
  });
});

t.test('an update whose fields cannot be tracked leaves the owners', async (t) => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const metadata = { name: 'owned' };
  const made = await server.post(accounts, { metadata, secrets: [{ name: 'a' }] });
  const { managedFields } = made.json.metadata;
  t.equal(managedFields?.length, 1);
  const { json } = await server.put(`${accounts}/owned`, { metadata, secrets: [{}] });
  t.same(json.metadata.managedFields, managedFields);
  t.same(json.secrets, [{}]);
});
