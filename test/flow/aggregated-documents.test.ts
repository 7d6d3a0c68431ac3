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

t.test('nothing is told of a server that is gone', async (t) => {
  t.equal((await server.delete(apiService)).status, 200);
  await until(async () => !(await server.get('/apis')).text.includes(GROUP));
  t.notMatch((await server.get('/openapi/v2')).text, GROUP);
  t.notMatch((await server.get('/openapi/v3')).text, GROUP);
  t.equal((await server.get(`/apis/${GROUP}`)).status, 404);
});

t.end();
