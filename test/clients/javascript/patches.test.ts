/** All types of patches through the client, and server-side apply by several managers. */
import { AppsV1Api, CoreV1Api } from '@kubernetes/client-node';
import type { V1Deployment } from '@kubernetes/client-node';
import t from 'tap';
import {
  APPLY,
  expectException,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_PATCH,
} from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const namespace = 'patches';
const labels = { app: 'web' };

const { config } = await sharedPublicServer();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
await core.createNamespace({ body: { metadata: { name: namespace } } });

async function createDeployment(name: string): Promise<V1Deployment> {
  const containers = ['main', 'side'].map((part) => ({
    name: part,
    image: `example.com/${part}:1`,
  }));
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  return apps.createNamespacedDeployment({ namespace, body: { metadata: { name, labels }, spec } });
}

const imagesOf = ({ spec }: V1Deployment) =>
  spec?.template.spec?.containers.map(({ image }) => image);

t.test('JSON patch: what the client sends unless told otherwise', async (t) => {
  const name = 'json';
  await createDeployment(name);
  const body = [
    { op: 'test', path: '/spec/replicas', value: 2 },
    { op: 'replace', path: '/spec/template/spec/containers/1/image', value: 'example.com/side:2' },
    { op: 'add', path: '/metadata/annotations', value: {} },
    { op: 'add', path: '/metadata/annotations/kubernetes.io~1change-cause', value: 'kubernetes' },
  ];
  const patched = await apps.patchNamespacedDeployment({ namespace, name, body });
  t.same(imagesOf(patched), ['example.com/main:1', 'example.com/side:2']);
  t.same(patched.metadata?.annotations, { 'kubernetes.io/change-cause': 'kubernetes' });
  const removed = [{ op: 'remove', path: '/metadata/annotations/kubernetes.io~1change-cause' }];
  const again = { namespace, name, body: removed };
  t.equal(
    (await apps.patchNamespacedDeployment(again, JSON_PATCH)).metadata?.annotations,
    undefined,
  );
  const missing = apps.patchNamespacedDeployment(again, JSON_PATCH);
  await expectException(t, missing, { code: 422, reason: 'Invalid' });
  const test = { namespace, name, body: [{ op: 'test', path: '/spec/replicas', value: 3 }] };
  await expectException(t, apps.patchNamespacedDeployment(test), { code: 422, reason: 'Invalid' });
});

t.test('merge patch: lists as wholes, null removes', async (t) => {
  const name = 'merge';
  await createDeployment(name);
  const containers = [{ name: 'only', image: 'example.com/only:1' }];
  const body = {
    metadata: { labels: { app: null, 'app.kubernetes.io/name': 'web' } },
    spec: { template: { spec: { containers } } },
  };
  const patched = await apps.patchNamespacedDeployment({ namespace, name, body }, MERGE_PATCH);
  t.same(imagesOf(patched), ['example.com/only:1']);
  t.same(patched.metadata?.labels, { 'app.kubernetes.io/name': 'web' });
  t.equal(patched.metadata?.generation, 2);
  const repeated = await apps.patchNamespacedDeployment({ namespace, name, body }, MERGE_PATCH);
  t.same(repeated, patched, 'a patch that changes nothing leaves the version alone');
  const resourceVersion = '1';
  const stale = { namespace, name, body: { metadata: { resourceVersion }, spec: { replicas: 7 } } };
  const refused = apps.patchNamespacedDeployment(stale, MERGE_PATCH);
  await expectException(t, refused, { code: 409, reason: 'Conflict' });
});

t.test('strategic merge patch: lists by their keys, with directives', async (t) => {
  const name = 'strategic';
  await createDeployment(name);
  const containers = [
    { name: 'side', $patch: 'delete' },
    { name: 'main', env: [{ name: 'A', value: '1' }] },
    { name: 'new', image: 'example.com/new:1' },
  ];
  const body = { spec: { template: { spec: { containers } } } };
  const patched = await apps.patchNamespacedDeployment({ namespace, name, body }, STRATEGIC_PATCH);
  t.same(imagesOf(patched)?.toSorted(), ['example.com/main:1', 'example.com/new:1']);
  const strategy = { $retainKeys: ['type'], type: 'Recreate' };
  const replaced = await apps.patchNamespacedDeployment(
    { namespace, name, body: { spec: { strategy } } },
    STRATEGIC_PATCH,
  );
  t.same(replaced.spec?.strategy, { type: 'Recreate' });
  const rehearsed = await apps.patchNamespacedDeployment(
    { namespace, name, body: { spec: { replicas: 9 } }, dryRun: 'All' },
    STRATEGIC_PATCH,
  );
  t.equal(rehearsed.spec?.replicas, 9);
  t.equal((await apps.readNamespacedDeployment({ namespace, name })).spec?.replicas, 2);
});

const applied = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

t.test('apply: creates, shares, removes, and refuses what others own', async (t) => {
  const name = 'settings';
  const apply = async (fieldManager: string, data: Record<string, string>, force?: boolean) => {
    const owner = { namespace, name, fieldManager, ...(force !== undefined && { force }) };
    return core.patchNamespacedConfigMap({ ...owner, body: applied(name, data) }, APPLY);
  };
  const created = await apply('one', { a: '1', b: '1' });
  t.same(created.data, { a: '1', b: '1' });
  t.same((await apply('two', { a: '1', c: '1' })).data, { a: '1', b: '1', c: '1' });

  const cause = (manager: string, field: string) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${manager}"`,
    field,
  });
  await expectException(t, apply('two', { a: '2', c: '1' }), {
    code: 409,
    reason: 'Conflict',
    message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
    details: { causes: [cause('one', '.data.a')] },
  });
  await expectException(t, apply('three', { a: '2', c: '2' }), {
    code: 409,
    reason: 'Conflict',
    message:
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\n' +
      'conflicts with "two":\n- .data.a\n- .data.c',
  });
  const forced = await apply('two', { a: '2', c: '1' }, true);
  t.same(forced.data, { a: '2', b: '1', c: '1' });
  t.same((await apply('two', { c: '1' })).data, { b: '1', c: '1' }, 'what it gave up is gone');

  const owners = (await core.readNamespacedConfigMap({ namespace, name })).metadata?.managedFields;
  const fieldsOf = (manager: string) =>
    owners?.find((entry) => entry.manager === manager)?.fieldsV1;
  t.same(fieldsOf('one'), { 'f:data': { 'f:b': {} } });
  t.same(fieldsOf('two'), { 'f:data': { 'f:c': {} } });
});

t.test('apply: what a manager wrote in another way says when', async (t) => {
  const name = 'written';
  const body = { metadata: { name }, data: { a: '1' } };
  await core.createNamespacedConfigMap({ namespace, body, fieldManager: 'writer' });
  const refused = core.patchNamespacedConfigMap(
    { namespace, name, fieldManager: 'applier', body: applied(name, { a: '2' }) },
    APPLY,
  );
  const message = /^Apply failed with 1 conflict: conflict with "writer" using v1: \.data\.a$/;
  await expectException(t, refused, { code: 409, reason: 'Conflict', message });
});

t.test('apply: what it does not take', async (t) => {
  const apply = (asked: { fieldManager?: string; body: object; force?: boolean }) =>
    core.patchNamespacedConfigMap({ namespace, name: 'refused', ...asked }, APPLY);
  const body = applied('refused', { a: '1' });
  await expectException(t, apply({ body }), {
    code: 422,
    reason: 'Invalid',
    message:
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for ' +
      'apply patch',
  });
  const fieldManager = 'one';
  const managedFields = [{ manager: 'one', operation: 'Apply' }];
  const owned = apply({ fieldManager, body: { ...body, metadata: { managedFields } } });
  const message = 'metadata.managedFields must be nil';
  await expectException(t, owned, { code: 400, reason: 'BadRequest', message });
  const other = apply({ fieldManager, body: { ...body, apiVersion: 'v2' } });
  await expectException(t, other, { code: 400, reason: 'BadRequest' });
  const unknown = apply({ fieldManager, body: { ...body, colour: 'blue' } });
  await expectException(t, unknown, {
    code: 500,
    message: /^failed to create typed patch object .*\.colour: field not declared in schema$/,
  });
});

t.test('patches of what is not there, and of no type', async (t) => {
  const body = { data: { a: '1' } };
  const asked = { namespace, name: 'nothing', body };
  await expectException(t, core.patchNamespacedConfigMap(asked, MERGE_PATCH), { code: 404 });
  const force = core.patchNamespacedConfigMap({ ...asked, force: true }, MERGE_PATCH);
  await expectException(t, force, {
    code: 422,
    message: /force: Forbidden: may not be specified for non-apply patch/,
  });
});
