/** The client throws an ApiException with a Status document when it is refused. */
import { AppsV1Api, CoreV1Api, CustomObjectsApi, StorageV1Api } from '@kubernetes/client-node';
import t from 'tap';
import { expectException, MERGE_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const namespace = 'errors';
const STORAGE = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespace };

const { config } = await sharedPublicServer();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
const storage = config.makeApiClient(StorageV1Api);
/** Sends what it is given, where the typed calls send only what they know. */
const raw = config.makeApiClient(CustomObjectsApi);
await core.createNamespace({ body: { metadata: { name: namespace } } });

t.test('404: an object, a group and a kind that are not there', async (t) => {
  await expectException(t, core.readNamespacedConfigMap({ namespace, name: 'none' }), {
    code: 404,
    reason: 'NotFound',
    message: 'configmaps "none" not found',
    details: { name: 'none', kind: 'configmaps' },
  });
  await expectException(t, storage.readStorageClass({ name: 'none' }), {
    code: 404,
    reason: 'NotFound',
    message: 'storageclasses.storage.k8s.io "none" not found',
    details: { name: 'none', group: 'storage.k8s.io', kind: 'storageclasses' },
  });
  const missing = core.createNamespacedConfigMap({
    namespace: 'none',
    body: { metadata: { name: 'a' } },
  });
  const message = 'namespaces "none" not found';
  await expectException(t, missing, { code: 404, reason: 'NotFound', message });
  const neutral = raw.listClusterCustomObject({ ...STORAGE, group: 'storage.cluster.io' });
  await t.rejects(neutral, { code: 404, body: '404 page not found\n' }, 'no group of that name');
});

t.test('409: there already, changed since, not the one that was meant', async (t) => {
  const body = { metadata: { name: 'standard' }, provisioner: 'kubernetes.io/no-provisioner' };
  const created = await storage.createStorageClass({ body });
  await expectException(t, storage.createStorageClass({ body }), {
    code: 409,
    reason: 'AlreadyExists',
    message: 'storageclasses.storage.k8s.io "standard" already exists',
    details: { name: 'standard', group: 'storage.k8s.io', kind: 'storageclasses' },
  });
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await storage.patchStorageClass(
    { name: 'standard', body: { metadata: { annotations } } },
    MERGE_PATCH,
  );
  await expectException(t, storage.replaceStorageClass({ name: 'standard', body: created }), {
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on storageclasses.storage.k8s.io "standard": the object has ' +
      'been modified; please apply your changes to the latest version and try again',
    details: { name: 'standard', group: 'storage.k8s.io', kind: 'storageclasses' },
  });
  const preconditions = { resourceVersion: created.metadata?.resourceVersion ?? '' };
  const deleted = storage.deleteStorageClass({ name: 'standard', body: { preconditions } });
  await expectException(t, deleted, { code: 409, reason: 'Conflict' });
});

t.test('422: each field that is wrong is a cause', async (t) => {
  const labels = { app: 'web' };
  const template = { metadata: { labels: { app: 'other' } }, spec: { containers: [] } };
  const spec = { replicas: -1, selector: { matchLabels: labels }, template };
  const body = { metadata: { name: 'Web' }, spec };
  const fields = [
    'metadata.name',
    'spec.replicas',
    'spec.template.metadata.labels',
    'spec.template.spec.containers',
  ].toSorted();
  const call = apps.createNamespacedDeployment({ namespace, body });
  const error = await call.then(undefined, (refused: { code: number; body: string }) => refused);
  if (!('code' in error)) throw new Error('it was created');
  t.equal(error.code, 422);
  const status = JSON.parse(error.body);
  t.equal(status.reason, 'Invalid');
  t.match(status.message, /^Deployment\.apps "Web" is invalid: \[metadata\.name: /);
  t.match(status.details, { name: 'Web', group: 'apps', kind: 'Deployment' });
  const found = status.details.causes.map(({ field }: { field: string }) => field);
  t.same(found.toSorted(), fields);
  t.match(status.details.causes[0], { reason: 'FieldValueInvalid', field: 'metadata.name' });
});

t.test('422: names of the domain in the texts', async (t) => {
  const type = 'kubernetes.io/dockercfg';
  const call = core.createNamespacedSecret({ namespace, body: { metadata: { name: 's' }, type } });
  await expectException(t, call, {
    code: 422,
    reason: 'Invalid',
    message: 'Secret "s" is invalid: data[.dockercfg]: Required value',
  });
  const body = { metadata: { name: 'c' }, provisioner: 'a', reclaimPolicy: 'Burn' };
  await expectException(t, storage.createStorageClass({ body }), {
    code: 422,
    reason: 'Invalid',
    message:
      'StorageClass.storage.k8s.io "c" is invalid: reclaimPolicy: Unsupported value: "Burn": ' +
      'supported values: "Delete", "Retain"',
    details: {
      name: 'c',
      group: 'storage.k8s.io',
      kind: 'StorageClass',
      causes: [
        {
          reason: 'FieldValueNotSupported',
          message: 'Unsupported value: "Burn": supported values: "Delete", "Retain"',
          field: 'reclaimPolicy',
        },
      ],
    },
  });
});

t.test('400: bodies of another kind, version or name', async (t) => {
  const post = (body: object) => raw.createClusterCustomObject({ ...STORAGE, body });
  const bad = { code: 400, reason: 'BadRequest' };
  const metadata = { name: 'c' };
  const neutral = { apiVersion: 'storage.cluster.io/v1', kind: 'StorageClass', metadata };
  await expectException(t, post({ ...neutral, provisioner: 'a' }), {
    ...bad,
    message:
      'the API version in the data (storage.cluster.io/v1) does not match the expected API ' +
      'version (storage.k8s.io/v1)',
  });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
  await expectException(t, post(pod), { ...bad, message: /Pod/ });
  const name = 'd';
  const body = { metadata, provisioner: 'a' };
  await expectException(t, storage.replaceStorageClass({ name, body }), {
    ...bad,
    message: /^the name of the object \(c\) does not match the name on the URL \(d\)$/,
  });
  const typo = raw.createClusterCustomObject({ ...STORAGE, body: { ...body, provisioner: 7 } });
  await expectException(t, typo, { ...bad, message: /provisioner/ });
});

t.test('fieldValidation=Strict: members that the kind does not have', async (t) => {
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'a', imagePolicy: 'Always' }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { selector: { matchLabels: labels }, template, replica: 2 };
  const metadata = { name: 'strict' };
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
  const create = (fieldValidation: string) =>
    raw.createNamespacedCustomObject({ ...DEPLOYMENTS, body, fieldValidation });
  await expectException(t, create('Strict'), {
    code: 400,
    reason: 'BadRequest',
    message:
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ' +
      'unknown field "spec.template.spec.containers[0].imagePolicy", unknown field "spec.replica"',
  });
  await create('Ignore');
  const created = await apps.readNamespacedDeployment({ namespace, name: 'strict' });
  t.equal(created.spec?.replicas, 1);
  const patch = { namespace, name: 'strict', body: { spec: { replica: 3 } } };
  const strict = apps.patchNamespacedDeployment(
    { ...patch, fieldValidation: 'Strict' },
    MERGE_PATCH,
  );
  await expectException(t, strict, {
    code: 422,
    reason: 'Invalid',
    message: /: strict decoding error: unknown field "spec\.replica"$/,
  });
  const other = apps.patchNamespacedDeployment({ ...patch, fieldValidation: 'Loose' }, MERGE_PATCH);
  await expectException(t, other, { code: 422, reason: 'Invalid', message: /fieldValidation/ });
});

t.test('405 and 410: what cannot be done, and what is past', async (t) => {
  const replaced = raw.deleteCollectionNamespacedCustomObject({
    group: 'authorization.k8s.io',
    version: 'v1',
    namespace,
    plural: 'localsubjectaccessreviews',
  });
  await expectException(t, replaced, { code: 405, reason: 'MethodNotAllowed' });
  const page = await core.listNamespace({ limit: 1 });
  const list = core.listNamespace({ limit: 1, _continue: `${page.metadata?._continue}=` });
  await expectException(t, list, { code: 400, reason: 'BadRequest' });
});
