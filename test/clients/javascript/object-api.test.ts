/** Objects of any kind by their apiVersion and kind, as they come from YAML files. */
import { KubernetesObjectApi, loadAllYaml, loadYaml, PatchStrategy } from '@kubernetes/client-node';
import type {
  KubernetesObject,
  V1Deployment,
  V1ObjectMeta,
  V1StorageClass,
} from '@kubernetes/client-node';
import t from 'tap';
import { eventually, expectException } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const MANIFESTS = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {kubernetes.io/os: linux}}
---
apiVersion: v1
kind: Secret
metadata: {name: docker, namespace: shop}
type: kubernetes.io/dockerconfigjson
stringData: {.dockerconfigjson: '{}'}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {tier: front}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {kubernetes.io/arch: amd64, node.kubernetes.io/instance-type: small}
      containers:
      - {name: main, image: 'example.com/main:1', ports: [{containerPort: 80}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shopkeeper}
rules:
- {apiGroups: [storage.k8s.io, networking.k8s.io], resources: ['*'], verbs: [get, list, watch]}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: shelf
  annotations: {storageclass.kubernetes.io/is-default-class: "true"}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: door, namespace: shop}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: night, namespace: shop}
spec:
  schedule: '@daily'
  jobTemplate:
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: open, namespace: shop}
spec: {maxUnavailable: 30%, selector: {matchLabels: {app: web}}}
`;

/** An object with a name, as reads need it. */
type Named = KubernetesObject & { metadata: V1ObjectMeta & { name: string; namespace?: string } };

const { config } = await sharedPublicServer();
const api = KubernetesObjectApi.makeApiClient(config);
const loaded = loadAllYaml(MANIFESTS) as Named[];

t.test('a file is created object by object', async (t) => {
  t.equal(loaded.length, 8);
  for (const object of loaded) {
    const rehearsed = await api.create(object, undefined, 'All');
    t.ok(rehearsed.metadata.name);
    await expectException(t, api.read(object), { code: 404, reason: 'NotFound' });
    const created = await api.create(object, undefined, undefined, 'loader');
    t.equal(created.kind, object.kind);
    t.equal(created.apiVersion, object.apiVersion);
    t.equal(created.metadata.name, object.metadata.name);
    t.ok(created.metadata.managedFields?.some(({ manager }) => manager === 'loader'));
    t.same(await api.read(object), created);
    await expectException(t, api.create(object), { code: 409, reason: 'AlreadyExists' });
  }
});

t.test('objects are what the file says', async (t) => {
  for (const object of loaded) t.match(await api.read(object), plain(object));
});

/** Without what the server moves elsewhere. */
function plain(object: Named): object {
  const { stringData: _moved, ...rest } = JSON.parse(JSON.stringify(object));
  return rest;
}

t.test('replaced, as it is and changed', async (t) => {
  for (const object of loaded) {
    const read = await api.read<Named>(object);
    const same = await api.replace(read);
    t.same(same, read, `${object.kind}: the same`);
    read.metadata.labels = { ...read.metadata.labels, round: 'two' };
    const replaced = await api.replace(read);
    t.same(replaced.metadata.labels, read.metadata.labels);
    read.metadata.labels['round'] = 'three';
    await expectException(t, api.replace(read), { code: 409, reason: 'Conflict' });
  }
});

t.test('patched in each of the ways', async (t) => {
  const [deployment] = loaded.filter(({ kind }) => kind === 'Deployment');
  if (deployment === undefined) throw new Error('no Deployment');
  const { apiVersion, kind } = deployment;
  const metadata = { name: 'web', namespace: 'shop' };
  const patch = async (spec: object, strategy?: PatchStrategy) =>
    api.patch<V1Deployment>(
      { apiVersion, kind, metadata, spec } as V1Deployment,
      undefined,
      undefined,
      'patcher',
      strategy === PatchStrategy.ServerSideApply ? true : undefined,
      strategy,
    );
  const containers = [{ name: 'main', image: 'example.com/main:2' }];
  const strategic = await patch({ template: { spec: { containers } } });
  t.match(strategic.spec?.template.spec?.containers, [{ ports: [{ containerPort: 80 }] }]);
  const merged = await patch({ paused: true }, PatchStrategy.MergePatch);
  t.match(merged.spec, { paused: true, replicas: 1 });
  const applied = await patch({ replicas: 4 }, PatchStrategy.ServerSideApply);
  t.match(applied.spec, { paused: true, replicas: 4 });
  const entry = applied.metadata?.managedFields?.find(({ operation }) => operation === 'Apply');
  t.match(entry, { manager: 'patcher', fieldsV1: { 'f:spec': { 'f:replicas': {} } } });
});

t.test('listed, of one namespace and of all', async (t) => {
  const inShop = await api.list<V1Deployment>('apps/v1', 'Deployment', 'shop');
  t.same(
    inShop.items.map(({ metadata }) => metadata?.name),
    ['web'],
  );
  const none = ['apps/v1', 'Deployment', 'shop', undefined, undefined, undefined] as const;
  const selected = await api.list(...none, undefined, 'tier=back');
  t.same(selected.items, []);
  const byField = await api.list(...none, 'metadata.name=web', 'tier=front');
  t.equal(byField.items.length, 1);
  const classes = await api.list<V1StorageClass>('storage.k8s.io/v1', 'StorageClass');
  t.match(classes, { kind: 'StorageClassList', apiVersion: 'storage.k8s.io/v1' });
  const shelf = classes.items.find(({ metadata }) => metadata?.name === 'shelf');
  t.equal(shelf?.provisioner, 'kubernetes.io/no-provisioner');
});

t.test('kinds and versions that are not served', async (t) => {
  const one = loadYaml<Named>(
    '{apiVersion: storage.k8s.io/v1, kind: Cupboard, metadata: {name: a}}',
  );
  await t.rejects(
    api.create(one),
    /Unrecognized API version and kind: storage.k8s.io\/v1 Cupboard/,
  );
  const other = loadYaml<Named>('{apiVersion: storage.cluster.io/v1, kind: StorageClass}');
  await t.rejects(api.create(other), { code: 404 });
});

t.test('deleted; the namespace takes along what is in it', async (t) => {
  for (const object of loaded.filter(({ metadata }) => metadata.namespace === undefined)) {
    await api.delete(object);
  }
  for (const object of loaded) {
    const gone = async () =>
      api.read(object).then(
        () => undefined,
        (error: { code: number }) => error.code,
      );
    t.equal(await eventually(`the end of ${object.kind}`, gone), 404);
  }
});
