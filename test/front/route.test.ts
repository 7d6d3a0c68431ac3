/** From method and path to what is asked for: what PATCH may be sent to. */
import t from 'tap';
import { OPERATIONS } from '../../src/front/operations/operations.ts';
import { Router } from '../../src/front/route.ts';
import type { Route } from '../../src/front/route.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { servedTypes } from '../../src/resources/served-types.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { K8S } from '../../src/semantics/dialect/dialect.ts';
import { thrownStatus } from '../support/thrown-status.ts';
import { RESOURCES } from '../support/resources.ts';
import { servedPath, servedResource } from '../support/served-resource.ts';

const router = new Router(servedTypes(KINDS), VIRTUAL_KINDS);
const PODS = '/api/v1/namespaces/ns/pods';
const NOT_ALLOWED = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};
const NOT_SERVED = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
};

function patched(path: string, watching = false): Route {
  return router.resolve('patch', path, watching);
}

/** Path of an item of the row, or of its subresource. */
function itemPath(groupVersion: string, resource: string): string {
  const [plural = '', subresource] = resource.split('/');
  const row = RESOURCES.find(([version, name]) => version === groupVersion && name === plural);
  const path = `${servedPath(servedResource(groupVersion, row?.[2] ?? ''), 'ns')}/x`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

for (const [groupVersion, resource, , scope, verbs] of RESOURCES) {
  t.test(`PATCH of ${groupVersion} ${resource}`, async (t) => {
    const [plural = '', subresource = ''] = resource.split('/');
    const path = itemPath(groupVersion, resource);
    const isServed = verbs === 'all' || verbs.replace('connect:', '').split(',').includes('patch');
    if (subresource === '') {
      const collection = path.slice(0, -'/x'.length);
      t.match(
        thrownStatus(() => patched(collection)),
        NOT_ALLOWED,
        'not of a collection',
      );
    }
    const kind = KINDS.find((one) => one.plural === plural);
    if (kind?.operations?.includes(subresource) === true) {
      const route = patched(path);
      t.match(route, { verb: 'operation', operation: resource, method: 'patch', name: 'x' });
      t.equal(OPERATIONS.get(resource)?.methods.includes('patch'), isServed, 'by its methods');
      return;
    }
    if (!isServed) {
      const refusal = verbs === 'create' && subresource === '' ? NOT_SERVED : NOT_ALLOWED;
      t.match(
        thrownStatus(() => patched(path)),
        refusal,
      );
      return;
    }
    const namespace = scope === 'namespaced' ? 'ns' : '';
    t.match(patched(path), { verb: 'patch', namespace, name: 'x', subresource });
    t.equal(patched(path, true).verb, 'patch', 'whatever the query says of watches');
    t.match(patched(path), { ...router.resolve('put', path, false), verb: 'patch' }, 'as PUT');
  });
}

t.test('PATCH where there is nothing to patch', async (t) => {
  const rows: [string, object][] = [
    ['/api/v1/pods', NOT_ALLOWED],
    [PODS, NOT_ALLOWED],
    [`/api/v1/watch/namespaces/ns/pods/x`, NOT_ALLOWED],
    ['/api/v1/pods/x', NOT_SERVED],
    ['/api/v1/namespaces/ns/nodes/x', NOT_SERVED],
    [`${PODS}/x/scale`, NOT_SERVED],
    [`${PODS}/x/status/more`, NOT_SERVED],
    [`${PODS}/x/__proto__`, NOT_SERVED],
    ['/api/v1/namespaces/ns/configmaps/x/status', NOT_SERVED],
    ['/api/v1/namespaces/x/finalize', NOT_ALLOWED],
    ['/api/v1/componentstatuses/x', NOT_ALLOWED],
    ['/apis/authentication.cluster.io/v1/tokenreviews/x', NOT_SERVED],
    ['/apis/apps/v9/deployments/x', NOT_SERVED],
  ];
  for (const [path, status] of rows) {
    t.match(
      thrownStatus(() => patched(path)),
      status,
      path,
    );
  }
});

t.test('the version of the path, and what is said of it', async (t) => {
  const cronJobs = 'namespaces/ns/cronjobs/x';
  const [old, current] = [
    patched(`/apis/batch/v1beta1/${cronJobs}`),
    patched(`/apis/batch/v1/${cronJobs}`),
  ];
  t.match(old, { shard: 'cronjobs.batch', warning: /^batch\/v1beta1 CronJob is deprecated/ });
  t.match(current, { shard: 'cronjobs.batch', version: 0, warning: '' });
});

t.test('another dialect has other paths, and the same routes', async (t) => {
  const k8s = new Router(servedTypes(KINDS), VIRTUAL_KINDS, K8S);
  const rows: [string, string, string][] = [
    ['get', '/api/v1/namespaces/kube-system/pods/p', '/api/v1/namespaces/cluster-system/pods/p'],
    ['get', '/api/v1/namespaces/kube-public', '/api/v1/namespaces/cluster-public'],
    [
      'put',
      '/api/v1/namespaces/kube-node-lease/finalize',
      '/api/v1/namespaces/cluster-node-lease/finalize',
    ],
    ['get', '/api/v1/watch/namespaces/kube-system', '/api/v1/watch/namespaces/cluster-system'],
    ['get', '/api/v1/namespaces/other/pods', '/api/v1/namespaces/other/pods'],
    ['get', '/api/v1/nodes/kube-system', '/api/v1/nodes/kube-system'],
    [
      'get',
      '/apis/storage.k8s.io/v1/storageclasses/x',
      '/apis/storage.cluster.io/v1/storageclasses/x',
    ],
    [
      'get',
      '/apis/apiregistration.k8s.io/v1/apiservices/v1.storage.k8s.io/status',
      '/apis/apiregistration.cluster.io/v1/apiservices/v1.storage.cluster.io/status',
    ],
    [
      'post',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      '/apis/authentication.cluster.io/v1/tokenreviews',
    ],
    ['get', '/apis/batch/v1beta1/cronjobs', '/apis/batch/v1beta1/cronjobs'],
    [
      'get',
      '/apis/node.k8s.io/v1beta1/runtimeclasses',
      '/apis/node.cluster.io/v1beta1/runtimeclasses',
    ],
  ];
  for (const [method, path, neutral] of rows) {
    t.same(k8s.resolve(method, path, false), router.resolve(method, neutral, false), path);
  }
  for (const [one, path] of [
    [k8s, '/apis/storage.cluster.io/v1/storageclasses'],
    [router, '/apis/storage.k8s.io/v1/storageclasses'],
  ] as const) {
    t.throws(() => one.resolve('get', path, false), { name: 'PageNotFound' }, path);
  }
  const none = thrownStatus(() => k8s.resolve('get', '/apis/storage.k8s.io/v2/x', false));
  t.match(none, NOT_SERVED, 'of a group that is there');
});
