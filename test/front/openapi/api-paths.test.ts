/** Paths and operations: all that the router serves, and nothing else. */
import t from 'tap';
import { OPERATIONS } from '../../../src/front/operations/operations.ts';
import { Router } from '../../../src/front/requests/route.ts';
import { KINDS } from '../../../src/resources/registry.ts';
import { RESOURCES } from '../../support/resources.ts';
import { operationsOf, SOURCE, V2, v3Of } from './documents-under-test.ts';
import type { TestOperation, TestParameter, TestPath } from './documents-under-test.ts';

const router = new Router(SOURCE.types, SOURCE.virtualKinds);
const ALL = 'create,delete,deletecollection,get,list,patch,update,watch';
const METHODS: Readonly<Record<string, string>> = {
  create: 'post',
  delete: 'delete',
  deletecollection: 'delete',
  get: 'get',
  list: 'get',
  patch: 'patch',
  update: 'put',
};

t.test('every resource that is served has its operations', async (t) => {
  for (const [groupVersion, resource, kind, scope, listed] of RESOURCES) {
    const [plural = '', subresource = ''] = resource.split('/');
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    const collection = `${scope === 'namespaced' ? '/namespaces/{namespace}' : ''}/${plural}`;
    const item = `${collection}/{name}${subresource === '' ? '' : `/${subresource}`}`;
    const verbs = (listed === 'all' ? ALL : listed).replace('connect:', '').split(',');
    for (const verb of verbs) {
      const isOfAll = subresource === '' && ['create', 'deletecollection', 'list'].includes(verb);
      const method = METHODS[verb] ?? verb;
      const what = `${groupVersion} ${resource} ${verb}`;
      if (verb === 'watch') {
        t.ok(V2.paths[`${root}/watch${collection}`]?.['get'], what);
        t.ok(V2.paths[`${root}/watch${collection}/{name}`]?.['get'], what);
        continue;
      }
      const operation = V2.paths[`${root}${isOfAll ? collection : item}`]?.[method];
      t.ok(operation, what);
      if (subresource === 'log') continue;
      t.equal(operation?.['x-kubernetes-group-version-kind']?.kind, kind, `${what}: its kind`);
      if (verb === 'list' && scope === 'namespaced') {
        t.ok(V2.paths[`${root}/${plural}`]?.['get'], `${what} of all namespaces`);
      }
    }
  }
});

t.test('every operation is served', async (t) => {
  for (const [path, item] of Object.entries(V2.paths)) {
    if (path.endsWith('/')) continue;
    const concrete = path.replace(/\{(\w+)\}/g, 'x');
    for (const [method, { operationId }] of operationsOf(item)) {
      t.doesNotThrow(() => router.resolve(method, concrete, false), operationId);
    }
  }
});

t.test('operations have the methods of their code', async (t) => {
  for (const { plural, operations = [], namespaced } of KINDS) {
    for (const name of operations) {
      const scope = namespaced ? '/namespaces/{namespace}' : '';
      const item = V2.paths[`/api/v1${scope}/${plural}/{name}/${name}`] ?? ({} as TestPath);
      const methods = operationsOf(item).map(([method]) => method);
      t.same(methods.sort(), [...(OPERATIONS.get(`${plural}/${name}`)?.methods ?? [])].sort());
    }
  }
});

const names = (parameters: readonly TestParameter[] = []): string[] =>
  parameters.map(({ name }) => name);
const CONFIG_MAPS = '/api/v1/namespaces/{namespace}/configmaps';

t.test('operations on ConfigMaps', async (t) => {
  const kind = { group: '', kind: 'ConfigMap', version: 'v1' };
  const item = V2.paths[`${CONFIG_MAPS}/{name}`];
  const collection = V2.paths[CONFIG_MAPS];
  const rows: [TestOperation | undefined, id: string, action: string, parameters: string][] = [
    [item?.['get'], 'readCoreV1NamespacedConfigMap', 'get', ''],
    [
      item?.['put'],
      'replaceCoreV1NamespacedConfigMap',
      'put',
      'body,dryRun,fieldManager,fieldValidation',
    ],
    [
      item?.['patch'],
      'patchCoreV1NamespacedConfigMap',
      'patch',
      'body,dryRun,fieldManager,fieldValidation,force',
    ],
    [
      item?.['delete'],
      'deleteCoreV1NamespacedConfigMap',
      'delete',
      'body,dryRun,gracePeriodSeconds,orphanDependents,propagationPolicy',
    ],
    [
      collection?.['get'],
      'listCoreV1NamespacedConfigMap',
      'list',
      'allowWatchBookmarks,continue,fieldSelector,labelSelector,limit,resourceVersion,' +
        'resourceVersionMatch,timeoutSeconds,watch',
    ],
    [
      collection?.['post'],
      'createCoreV1NamespacedConfigMap',
      'post',
      'body,dryRun,fieldManager,fieldValidation',
    ],
    [
      collection?.['delete'],
      'deleteCoreV1CollectionNamespacedConfigMap',
      'deletecollection',
      'body,continue,dryRun,fieldSelector,gracePeriodSeconds,labelSelector,limit,orphanDependents,' +
        'propagationPolicy,resourceVersion,resourceVersionMatch,timeoutSeconds',
    ],
  ];
  for (const [operation, id, action, parameters] of rows) {
    t.equal(operation?.operationId, id);
    t.equal(operation?.['x-kubernetes-action'], action);
    t.same(operation?.['x-kubernetes-group-version-kind'], kind);
    t.equal(names(operation?.parameters).join(), parameters, id);
  }
  t.same(names(item?.parameters), ['name', 'namespace', 'pretty'], 'those of all operations');
  t.same(item?.['patch']?.consumes, [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ]);
});

t.test('responses', async (t) => {
  const schema = (name: string) => ({ schema: { $ref: `#/definitions/io.cluster.${name}` } });
  const configMap = schema('api.core.v1.ConfigMap');
  const status = schema('apimachinery.pkg.apis.meta.v1.Status');
  const rows: [path: string, method: string, responses: Record<string, unknown>][] = [
    [CONFIG_MAPS, 'post', { 200: configMap, 201: configMap, 202: configMap, 401: {} }],
    [CONFIG_MAPS, 'get', { 200: schema('api.core.v1.ConfigMapList'), 401: {} }],
    [CONFIG_MAPS, 'delete', { 200: status, 401: {} }],
    [`${CONFIG_MAPS}/{name}`, 'delete', { 200: status, 202: status, 401: {} }],
    ['/api/v1/persistentvolumes/{name}', 'delete', { 200: schema('api.core.v1.PersistentVolume') }],
    ['/api/v1/watch/pods', 'get', { 200: schema('apimachinery.pkg.apis.meta.v1.WatchEvent') }],
    [
      '/api/v1/namespaces/{namespace}/pods/{name}/log',
      'get',
      { 200: { schema: { type: 'string' } } },
    ],
  ];
  for (const [path, method, responses] of rows) {
    const found = V2.paths[path]?.[method]?.responses ?? {};
    t.match(found, responses, `${method} ${path}`);
    t.same(Object.keys(found).at(-1), '401');
  }
});

t.test('what clients look for before a dry run', async (t) => {
  const documents = [V2.paths, (await v3Of('apis/apps/v1')).paths, (await v3Of('api/v1')).paths];
  for (const paths of documents) {
    for (const [path, { patch }] of Object.entries(paths)) {
      if (patch === undefined || patch['x-kubernetes-action'] === 'connect') continue;
      const own = names(patch.parameters);
      const asked = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];
      t.ok(
        asked.every((name) => own.includes(name)),
        path,
      );
      t.ok(patch['x-kubernetes-group-version-kind'], path);
    }
  }
});

t.test('options of requests that are passed on', async (t) => {
  const pod = '/api/v1/namespaces/{namespace}/pods/{name}';
  t.same(names(V2.paths[`${pod}/exec`]?.parameters), [
    'command',
    'container',
    'name',
    'namespace',
    'stderr',
    'stdin',
    'stdout',
    'tty',
  ]);
  t.same(names(V2.paths[`${pod}/proxy/{path}`]?.parameters), ['name', 'namespace', 'path', 'path']);
});
