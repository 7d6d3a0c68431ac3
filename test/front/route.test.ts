/** From method and path to what is asked for: what PATCH may be sent to. */
import t from 'tap';
import { OPERATIONS } from '../../src/front/operations/operations.ts';
import { Router } from '../../src/front/requests/route.ts';
import type { Route } from '../../src/front/requests/route.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { BUILT_IN_TYPES } from '../../src/types/served-types.ts';
import { VIRTUAL_KINDS } from '../../src/resources/virtual-kinds.ts';
import { thrownStatus } from '../support/thrown-status.ts';
import { RESOURCES } from '../support/resources.ts';
import { servedPath, servedResource } from '../support/served-resource.ts';

const router = new Router(BUILT_IN_TYPES, VIRTUAL_KINDS);
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
