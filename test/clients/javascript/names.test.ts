/**
 * The names that the client expects: those of its domain, wherever the API has any. The same data
 * is then served with the neutral names, and again with those of the client.
 */
import {
  CoordinationV1Api,
  CoreV1Api,
  makeInformer,
  NetworkingV1Api,
  RbacAuthorizationV1Api,
  StorageV1Api,
} from '@kubernetes/client-node';
import t from 'tap';
import { record } from './informer-record.ts';
import {
  APPLY,
  eventually,
  expectException,
  startPublicServer,
  STRATEGIC_PATCH,
} from './public-client.ts';

const namespace = 'named';
const { config, server, restartIn } = await startPublicServer(t);
const core = config.makeApiClient(CoreV1Api);
const coordination = config.makeApiClient(CoordinationV1Api);
const networking = config.makeApiClient(NetworkingV1Api);
const rbac = config.makeApiClient(RbacAuthorizationV1Api);
const storage = config.makeApiClient(StorageV1Api);
const RBAC = 'rbac.authorization.k8s.io';

t.test('namespaces: the name in a label, and what holds them', async (t) => {
  const created = await core.createNamespace({ body: { metadata: { name: namespace } } });
  t.same(created.metadata?.labels, { 'kubernetes.io/metadata.name': namespace });
  t.same(created.spec?.finalizers, ['kubernetes']);
  const labelSelector = 'kubernetes.io/metadata.name in (kube-system,kube-public)';
  const { items } = await core.listNamespace({ labelSelector });
  t.same(
    items.map(({ metadata }) => metadata?.name),
    ['kube-public', 'kube-system'],
  );
  const system = await core.readNamespace({ name: 'kube-system' });
  t.equal(system.metadata?.labels?.['kubernetes.io/metadata.name'], 'kube-system');
  const managers = system.metadata?.managedFields?.map(({ manager }) => manager);
  t.same(managers, ['kube-apiserver']);
});

t.test('types of secrets, also in selectors', async (t) => {
  const data = { 'tls.crt': 'YQ==', 'tls.key': 'YQ==' };
  const body = { metadata: { name: 'tls' }, type: 'kubernetes.io/tls', data };
  t.equal((await core.createNamespacedSecret({ namespace, body })).type, 'kubernetes.io/tls');
  const fieldSelector = 'type=kubernetes.io/tls';
  const list = await core.listNamespacedSecret({ namespace, fieldSelector });
  t.same(
    list.items.map(({ metadata }) => metadata?.name),
    ['tls'],
  );
});

t.test('roles, bindings and the groups in them', async (t) => {
  const rules = [
    { apiGroups: ['', 'apps', 'storage.k8s.io'], resources: ['*'], verbs: ['get'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ];
  const labels = { [`${RBAC}/aggregate-to-view`]: 'true' };
  const role = { metadata: { name: 'reader', labels }, rules };
  const created = await rbac.createClusterRole({ body: role });
  t.same(created.rules, rules);
  t.same(created.metadata?.labels, labels);
  const subjects = [
    { kind: 'ServiceAccount', name: 'default', namespace: 'kube-system' },
    { kind: 'User', name: 'system:serviceaccount:kube-system:default', apiGroup: RBAC },
  ];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'reader' };
  const body = { metadata: { name: 'readers' }, roleRef, subjects };
  const binding = await rbac.createNamespacedRoleBinding({ namespace, body });
  t.match(binding, { roleRef, subjects });
});

t.test('finalizers, taints, annotations, and what is not of the API', async (t) => {
  const labels = { 'kubernetes.io/arch': 'arm64', 'cluster.io/arch': 'kept', 'my.k8s.io/x': 'y' };
  const annotations = { 'cluster.io/a': 'cluster.io', 'kubernetes.io/a': 'storage.cluster.io/v1' };
  const taints = [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }];
  const metadata = { name: 'n', labels, annotations, finalizers: ['kubernetes.io/pv-protection'] };
  const node = await core.createNode({ body: { metadata, spec: { taints } } });
  t.match(node, { metadata, spec: { taints } });
  const data = { 'kubernetes.io': 'cluster.io/x kubernetes.io/x', a: 'storage.k8s.io/v1' };
  const body = { metadata: { name: 'words' }, data };
  t.same((await core.createNamespacedConfigMap({ namespace, body })).data, data);
});

t.test(
  'owners are of the groups that the client knows, and take along what is theirs',
  async (t) => {
    const lease = { metadata: { name: 'owner' }, spec: { holderIdentity: 'me' } };
    const owner = await coordination.createNamespacedLease({ namespace, body: lease });
    const reference = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      name: 'owner',
      uid: owner.metadata?.uid ?? '',
    };
    const metadata = { name: 'owned', ownerReferences: [reference] };
    const owned = await core.createNamespacedConfigMap({ namespace, body: { metadata } });
    t.match(owned.metadata?.ownerReferences, [reference]);
    await coordination.deleteNamespacedLease({ namespace, name: 'owner' });
    await eventually('the end of what it owned', async () =>
      core.readNamespacedConfigMap({ namespace, name: 'owned' }).then(
        () => undefined,
        (error: { code: number }) => error.code === 404 || undefined,
      ),
    );
  },
);

t.test('managed fields: versions, keys and the manager that is special', async (t) => {
  const applied = 'kubectl.kubernetes.io/last-applied-configuration';
  const spec = { defaultBackend: { service: { name: 'a', port: { number: 80 } } } };
  const document = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: {}, spec };
  const annotations = { [applied]: JSON.stringify(document) };
  const labels = { 'app.kubernetes.io/name': 'door' };
  await networking.createNamespacedIngress({
    namespace,
    body: { metadata: { name: 'door', annotations, labels }, spec },
    fieldManager: 'kubectl-client-side-apply',
  });
  const service = { name: 'b', port: { number: 80 } };
  const body = {
    ...document,
    metadata: { name: 'door', labels: { 'app.kubernetes.io/part-of': 'house' } },
    spec: { defaultBackend: { service } },
  };
  const own = { namespace, name: 'door', fieldManager: 'kubectl', body };
  const ingress = await networking.patchNamespacedIngress(own, APPLY);
  t.equal(ingress.spec?.defaultBackend?.service?.name, 'b', 'kubectl may change what it applied');
  const entries = ingress.metadata?.managedFields ?? [];
  const kubectl = entries.find(({ operation }) => operation === 'Apply');
  t.match(kubectl, { manager: 'kubectl', apiVersion: 'networking.k8s.io/v1' });
  t.match(kubectl?.fieldsV1, {
    'f:metadata': { 'f:labels': { 'f:app.kubernetes.io/part-of': {} } },
  });
  t.ok(entries.some(({ manager }) => manager === 'kubectl-client-side-apply'));
});

t.test('conflicts name the managers as they are known to the client', async (t) => {
  const name = 'contended';
  const apply = async (fieldManager: string, value: string) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: value } };
    return core.patchNamespacedConfigMap({ namespace, name, fieldManager, body }, APPLY);
  };
  for (const holder of ['kubectl', 'client']) {
    await apply(holder, '1');
    const message = `conflict with "${holder}"`;
    await expectException(t, apply('other', '2'), {
      code: 409,
      reason: 'Conflict',
      message: `Apply failed with 1 conflict: ${message}: .data.a`,
      details: { causes: [{ reason: 'FieldManagerConflict', message, field: '.data.a' }] },
    });
    await core.deleteNamespacedConfigMap({ namespace, name });
  }
});

t.test('events of objects of the domain', async (t) => {
  const involvedObject = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    name: 'l',
    namespace,
  };
  const source = { component: 'kube-controller-manager' };
  const body = { metadata: { name: 'e' }, involvedObject, source, message: 'of storage.k8s.io/v1' };
  const event = await core.createNamespacedEvent({ namespace, body });
  t.match(event, { involvedObject, source, message: body.message });
  const fieldSelector = 'involvedObject.apiVersion=coordination.k8s.io/v1';
  const list = await core.listNamespacedEvent({ namespace, fieldSelector });
  t.equal(list.items.length, 1);
});

t.test('a default class, by its annotation', async (t) => {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const body = {
    metadata: { name: 'disk', annotations },
    provisioner: 'kubernetes.io/no-provisioner',
  };
  await storage.createStorageClass({ body });
  const patch = { metadata: { annotations: { ...annotations, 'example.com/a': 'b' } } };
  const patched = await storage.patchStorageClass({ name: 'disk', body: patch }, STRATEGIC_PATCH);
  t.same(patched.metadata?.annotations, patch.metadata.annotations);
});

/** The tests above write what is stored of each of these. */
const PATHS: readonly (readonly [path: string, neutralPath: string, neutral: readonly string[]])[] =
  [
    [
      '/api/v1/namespaces/kube-system',
      '/api/v1/namespaces/cluster-system',
      ['"cluster.io/metadata.name":"cluster-system"', '"finalizers":["cluster"]'],
    ],
    [
      `/api/v1/namespaces/${namespace}/secrets/tls`,
      `/api/v1/namespaces/${namespace}/secrets/tls`,
      ['"type":"cluster.io/tls"'],
    ],
    [
      `/apis/${RBAC}/v1/clusterroles/reader`,
      '/apis/rbac.authorization.cluster.io/v1/clusterroles/reader',
      ['"storage.cluster.io"', '"rbac.authorization.cluster.io/aggregate-to-view":"true"'],
    ],
    [
      `/apis/${RBAC}/v1/namespaces/${namespace}/rolebindings/readers`,
      `/apis/rbac.authorization.cluster.io/v1/namespaces/${namespace}/rolebindings/readers`,
      ['"namespace":"cluster-system"', '"system:serviceaccount:cluster-system:default"'],
    ],
    [
      '/api/v1/nodes/n',
      '/api/v1/nodes/n',
      ['"cluster.io/arch":"arm64"', '"kubernetes.io/arch":"kept"', '"cluster.io/pv-protection"'],
    ],
    [
      `/api/v1/namespaces/${namespace}/configmaps/words`,
      `/api/v1/namespaces/${namespace}/configmaps/words`,
      ['"kubernetes.io":"cluster.io/x kubernetes.io/x"', '"a":"storage.k8s.io/v1"'],
    ],
    [
      `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses/door`,
      `/apis/networking.cluster.io/v1/namespaces/${namespace}/ingresses/door`,
      ['"manager":"client"', '"client.cluster.io/last-applied-configuration"'],
    ],
    [
      `/apis/events.k8s.io/v1/namespaces/${namespace}/events/e`,
      `/apis/events.cluster.io/v1/namespaces/${namespace}/events/e`,
      ['"apiVersion":"coordination.cluster.io/v1"'],
    ],
    [
      '/apis/storage.k8s.io/v1/storageclasses',
      '/apis/storage.cluster.io/v1/storageclasses',
      ['"storageclass.cluster.io/is-default-class":"true"', '"cluster.io/no-provisioner"'],
    ],
  ];

t.test('the same data with the neutral names, and back, byte for byte', async (t) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const { told, errors } = record(informer);
  await informer.start();
  const texts = new Map<string, string>();
  for (const [own] of PATHS) texts.set(own, (await server.get(own)).text);

  await restartIn('cluster.io');
  await eventually('the end of the watch', () => errors.length > 0 || undefined);
  for (const [own, neutralPath, neutral] of PATHS) {
    const { status, text } = await server.get(neutralPath);
    t.equal(status, 200, neutralPath);
    for (const words of neutral) t.ok(text.includes(words), `${words} in ${text}`);
    if (own !== neutralPath) t.equal((await server.get(own)).status, 404, own);
  }
  const labels = { 'cluster.io/arch': 'neutral', 'example.com/a': 'b' };
  const late = await server.post(path, { metadata: { name: 'late', labels } });
  t.equal(late.status, 201);
  const missing = await server.get('/apis/storage.cluster.io/v1/storageclasses/none');
  t.match(missing.json?.details, { group: 'storage.cluster.io' });

  await restartIn('k8s.io');
  for (const [own, text] of texts) {
    const now = (await server.get(own)).text;
    // A list is of the newest version, and something has been written.
    const same = own.endsWith('classes') ? itemsOf(now) === itemsOf(text) : now === text;
    t.ok(same, `${own}: ${now}`);
  }
  await informer.start();
  const held = await eventually('what was written meanwhile', () =>
    informer.get('late', namespace),
  );
  t.same(held.metadata?.labels, { 'kubernetes.io/arch': 'neutral', 'example.com/a': 'b' });
  t.same(told.filter(([, name]) => name === 'words').length, 1, 'and nothing else again');
  await informer.stop();
});

function itemsOf(text: string): string {
  return text.slice(text.indexOf('"items"'));
}
