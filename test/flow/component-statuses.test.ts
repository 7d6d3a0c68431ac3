/** ComponentStatus: the health of the store, as the old way to ask has it. */
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { expectFailure } from '../support/expect-status.ts';
import { sharedServer } from '../support/shared-server.ts';

const STATUSES = '/api/v1/componentstatuses';
const STORE = {
  metadata: { name: 'etcd-0', creationTimestamp: null },
  conditions: [{ type: 'Healthy', status: 'True', message: '{"health":"true"}' }],
};

const server = await sharedServer();

t.test('one, and all of them', async (t) => {
  const one = await server.get(`${STATUSES}/etcd-0`);
  t.equal(one.status, 200);
  t.same(one.json, { kind: 'ComponentStatus', apiVersion: 'v1', ...STORE });
  t.match(one.headers['warning'], 'v1 ComponentStatus is deprecated in v1.19+');
  const all = await server.get(STATUSES);
  t.equal(all.status, 200);
  const { text } = await server.get('/metrics');
  t.match(text, /^apiserver_requested_deprecated_apis\{.*resource="componentstatuses".*\} 1$/m);
  t.same(all.json, {
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: {},
    items: [STORE],
  });
});

t.test('in other forms', async (t) => {
  const one = `${STATUSES}/etcd-0`;
  const metadata = { name: 'etcd-0', creationTimestamp: null };
  const partial = (metaVersion: string) => ({
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.cluster.io/${metaVersion}`,
    metadata,
  });
  const table = 'as=Table;g=meta.cluster.io;v=v1';
  const whole = { kind: 'ComponentStatus', apiVersion: 'v1', ...STORE };
  for (const [path, object] of [
    [STATUSES, partial('v1')],
    [one, partial('v1')],
    [`${one}?includeObject=None`, null],
    [`${STATUSES}?includeObject=Object`, whole],
  ] as const) {
    for (const encoding of ['json', 'yaml'] as const) {
      const answer = await server.get(path, { accept: `application/${encoding};${table}` });
      t.equal(answer.headers['content-type'], `application/${encoding}`);
      const document = encoding === 'json' ? answer.json : parseYaml(answer.text);
      t.match(document, { kind: 'Table', apiVersion: 'meta.cluster.io/v1', metadata: {} });
      const columns = document.columnDefinitions.map(({ name }: { name: string }) => name);
      t.same(columns, ['Name', 'Status', 'Message', 'Error']);
      const cells = ['etcd-0', 'Healthy', '{"health":"true"}', ''];
      t.same(document.rows, [{ cells, object }], `${encoding} ${path}`);
    }
  }
  for (const version of ['v1', 'v1beta1']) {
    const as = `g=meta.cluster.io;v=${version};as=PartialObjectMetadata`;
    const single = await server.get(one, { accept: `application/json;${as}` });
    t.same(single.json, partial(version));
    const list = await server.get(STATUSES, { accept: `application/json;${as}List` });
    t.same(list.json, {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.cluster.io/${version}`,
      metadata: {},
      items: [partial(version)],
    });
    const wrong = await server.get(STATUSES, { accept: `application/json;${as}` });
    expectFailure(t, wrong, { code: 406, message: /the requested object is a list/ });
  }
  const protobuf = { accept: 'application/vnd.cluster.protobuf' };
  for (const [path, kind] of [
    [one, 'ComponentStatus'],
    [STATUSES, 'ComponentStatusList'],
  ] as const) {
    const { text, headers } = await server.get(path, protobuf);
    t.equal(headers['content-type'], protobuf.accept);
    t.ok(text.startsWith('k8s\0'), 'an envelope');
    t.match(text, kind);
    t.match(text, 'etcd-0');
  }
});

t.test('selectors', async (t) => {
  const rows: [string, number][] = [
    ['fieldSelector=metadata.name=etcd-0', 1],
    ['fieldSelector=metadata.name!=etcd-0', 0],
    ['labelSelector=a', 0],
    ['labelSelector=!a', 1],
  ];
  for (const [query, count] of rows) {
    t.equal((await server.get(`${STATUSES}?${query}`)).json.items.length, count, query);
  }
  expectFailure(t, await server.get(`${STATUSES}?fieldSelector=spec.x=1`), { code: 400 });
});

t.test('what there is not', async (t) => {
  for (const name of ['scheduler', 'controller-manager', 'x']) {
    expectFailure(t, await server.get(`${STATUSES}/${name}`), {
      code: 404,
      message: `componentstatuses "${name}" not found`,
    });
  }
  expectFailure(t, await server.post(STATUSES, {}), { code: 405 });
  expectFailure(t, await server.delete(`${STATUSES}/etcd-0`), { code: 405 });
});
