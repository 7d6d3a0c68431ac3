/** Documents that describe the API tell of what other servers answer for, beside its own. */
import t from 'tap';
import { answer, availableAs, register, startAggregated } from '../support/aggregated-server.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t, args: ['--controllers=api-service-status'] });
const GROUP = 'documents.aggregated.example';
const ROOT = `/apis/${GROUP}/v1`;
const AGGREGATED = 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList';
const FLOWER = {
  resource: 'flowers',
  responseKind: { group: GROUP, version: 'v1', kind: 'Flower' },
  scope: 'Namespaced',
  singularResource: 'flower',
  verbs: ['get', 'list'],
  subresources: [{ subresource: 'status', verbs: ['get'] }],
};
const ITEM = { get: { responses: { 200: { schema: { $ref: '#/definitions/Flower' } } } } };
/** A definition that this server has too, otherwise. */
const [META = ''] = Object.keys((await server.get('/openapi/v2')).json.definitions).filter((name) =>
  name.endsWith('.meta.v1.ObjectMeta'),
);
const OTHER_META = { type: 'object', description: 'as this server knows it' };
const SPEC = {
  swagger: '2.0',
  info: { title: 'flowers', version: '1' },
  paths: { [`${ROOT}/flowers`]: ITEM, '/version/': {}, '/apis/apps/v1/deployments': {} },
  definitions: {
    Flower: { type: 'object', properties: { metadata: { $ref: `#/definitions/${META}` } } },
    [META]: OTHER_META,
    Unused: { type: 'object' },
  },
};
const V3 = { openapi: '3.0.0', paths: { [`${ROOT}/flowers`]: {} } };

const other = await startAggregated(t, {
  name: 'documents',
  onRequest: ({ path, headers }, response) => {
    const asks = headers.get('accept')?.[0] ?? '';
    if (path === '/apis' && asks.includes('as=APIGroupDiscoveryList')) {
      response.setHeader('content-type', AGGREGATED);
      const versions = [{ version: 'v1', resources: [FLOWER] }];
      response.end(JSON.stringify({ items: [{ metadata: { name: GROUP }, versions }] }));
    } else if (path === '/openapi/v2') answer(response, SPEC);
    else if (path === '/openapi/v3') {
      const serverRelativeURL = `/openapi/v3${ROOT}?hash=ABC`;
      const paths = { [ROOT.slice(1)]: { serverRelativeURL }, version: {} };
      answer(response, { paths });
    } else if (path.startsWith(`/openapi/v3${ROOT}`)) answer(response, V3);
    else answer(response, {}, path === ROOT ? 200 : 404);
  },
});
const apiService = await register(server, other, {
  group: GROUP,
  name: 'documents',
  spec: { groupPriorityMinimum: 17_790, versionPriority: 5 },
});
await availableAs(server, apiService, 'Passed');

interface Group {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly resources: readonly object[];
    readonly freshness: string;
  }[];
}

async function aggregatedGroups(): Promise<readonly Group[]> {
  const { json } = await server.get('/apis', { accept: AGGREGATED });
  return json.items;
}

t.test('groups stand where their priority puts them', async (t) => {
  const { json } = await server.get('/apis');
  const names: string[] = json.groups.map(({ name }: { name: string }) => name);
  t.equal(names[names.indexOf('apps') + 1], GROUP);
  const version = { groupVersion: `${GROUP}/v1`, version: 'v1' };
  const members = { name: GROUP, versions: [version], preferredVersion: version };
  t.same(json.groups[names.indexOf(GROUP)], members);
  t.match((await server.get(`/apis/${GROUP}`)).json, { kind: 'APIGroup', ...members });
  t.ok((await server.get('/', { accept: 'application/json' })).json.paths.includes(ROOT));
});

t.test('the resources are those that the server tells', async (t) => {
  const find = async () =>
    (await aggregatedGroups()).find(({ metadata }) => metadata.name === GROUP)?.versions[0];
  await until(async () => (await find())?.freshness === 'Current');
  const subresources = [
    { subresource: 'status', verbs: ['get'], responseKind: { group: '', version: '', kind: '' } },
  ];
  t.same((await find())?.resources, [{ ...FLOWER, subresources }]);
  const names = (await aggregatedGroups()).map(({ metadata }) => metadata.name);
  t.equal(names[names.indexOf('apps') + 1], GROUP);
});

t.test('OpenAPI 3: its document is listed here, and passed on', async (t) => {
  const { json } = await server.get('/openapi/v3');
  const { serverRelativeURL } = json.paths[ROOT.slice(1)];
  t.equal(serverRelativeURL, `/openapi/v3${ROOT}?hash=ABC`);
  t.notOk(json.paths['version']?.serverRelativeURL?.includes('ABC'));
  t.same((await server.get(serverRelativeURL)).json, V3);
  t.equal(other.requests.at(-1)?.path, `/openapi/v3${ROOT}?hash=ABC`);
});

t.test('OpenAPI 2: what is new is added, under names that mean the same', async (t) => {
  const own = await server.get('/openapi/v2');
  t.equal(own.status, 200);
  const { paths, definitions } = own.json;
  const { schema } = paths[`${ROOT}/flowers`].get.responses['200'];
  t.equal(schema.$ref, '#/definitions/Flower');
  const { $ref } = definitions.Flower.properties.metadata;
  t.same(definitions[$ref.replace('#/definitions/', '')], OTHER_META);
  t.not(definitions[META]?.description, OTHER_META.description);
  t.equal(definitions.Unused, undefined, 'nothing refers to it');
  t.ok(paths['/apis/apps/v1/namespaces/{namespace}/deployments']);
  t.notOk(paths['/version/'] === undefined, 'that of this server');
  const binary = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const packed = await server.get('/openapi/v2', { accept: binary });
  t.match(packed.text, `${ROOT}/flowers`);
});

t.test('OpenAPI 3 of a server that has version 2 only: it is made of that', async (t) => {
  const group = 'old.aggregated.example';
  const root = `/apis/${group}/v1`;
  const shown = { description: 'OK', schema: { $ref: '#/definitions/Flower' } };
  const get = { produces: ['application/json'], responses: { 200: shown } };
  const paths = { [`${root}/flowers`]: { get }, '/version/': { get: { responses: {} } } };
  const old = await startAggregated(t, {
    name: 'old',
    onRequest: ({ path }, response) => {
      if (path === '/openapi/v2') answer(response, { ...SPEC, paths });
      else answer(response, {}, path === root ? 200 : 404);
    },
  });
  const registered = await register(server, old, { group, name: 'old' });
  await availableAs(server, registered, 'Passed');
  // A front may hear of it after the others.
  const listed = async () => (await server.get('/openapi/v3')).json.paths[root.slice(1)];
  await until(async () => (await listed()) !== undefined);
  const { serverRelativeURL } = await listed();
  t.match(serverRelativeURL, new RegExp(`^/openapi/v3${root}\\?hash=[0-9A-F]{128}$`));
  const { status, json, headers } = await server.get(serverRelativeURL);
  t.equal(status, 200);
  t.match(headers['cache-control'] ?? '', 'immutable');
  t.match(json, { openapi: '3.0.0', info: SPEC.info });
  t.same(json.paths[`${root}/flowers`].get.responses[200], {
    description: 'OK',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Flower' } } },
  });
  t.same(Object.keys(json.paths), Object.keys(paths), 'all that the server tells');
  t.same(Object.keys(json.components.schemas), Object.keys(SPEC.definitions));
  const outdated = await server.get(`/openapi/v3${root}?hash=ABC`);
  t.same([outdated.status, outdated.headers.location], [301, serverRelativeURL]);
  t.notOk(
    old.requests.some(({ path }) => path.startsWith('/openapi/v3/')),
    'nothing is passed on',
  );
  t.equal((await server.delete(registered)).status, 200);
  await until(async () => (await listed()) === undefined);
  t.equal((await server.get(`/openapi/v3${root}`)).status, 404);
});

t.test('nothing is told of a server that is gone', async (t) => {
  t.equal((await server.delete(apiService)).status, 200);
  await until(async () => !(await server.get('/apis')).text.includes(GROUP));
  t.notMatch((await server.get('/openapi/v2')).text, GROUP);
  t.notMatch((await server.get('/openapi/v3')).text, GROUP);
  t.equal((await server.get(`/apis/${GROUP}`)).status, 404);
});

t.end();
