/** The client learns of the server itself: its version, health, groups and resources. */
import * as client from '@kubernetes/client-node';
import type { ApiConstructor, V1APIGroup, V1APIResourceList } from '@kubernetes/client-node';
import t from 'tap';
import { sharedPublicServer } from './shared-public-server.ts';

const { config, server } = await sharedPublicServer();

/** All group calls of the client have it. */
interface GroupApi {
  getAPIGroup(): Promise<V1APIGroup>;
}

interface VersionApi {
  getAPIResources(): Promise<V1APIResourceList>;
}

const GROUPS: readonly (readonly [ApiConstructor<GroupApi>, group: string])[] = [
  [client.AdmissionregistrationApi, 'admissionregistration.k8s.io'],
  [client.ApiextensionsApi, 'apiextensions.k8s.io'],
  [client.ApiregistrationApi, 'apiregistration.k8s.io'],
  [client.AppsApi, 'apps'],
  [client.AuthenticationApi, 'authentication.k8s.io'],
  [client.AuthorizationApi, 'authorization.k8s.io'],
  [client.AutoscalingApi, 'autoscaling'],
  [client.BatchApi, 'batch'],
  [client.CertificatesApi, 'certificates.k8s.io'],
  [client.CoordinationApi, 'coordination.k8s.io'],
  [client.DiscoveryApi, 'discovery.k8s.io'],
  [client.EventsApi, 'events.k8s.io'],
  [client.FlowcontrolApiserverApi, 'flowcontrol.apiserver.k8s.io'],
  [client.NetworkingApi, 'networking.k8s.io'],
  [client.NodeApi, 'node.k8s.io'],
  [client.PolicyApi, 'policy'],
  [client.RbacAuthorizationApi, 'rbac.authorization.k8s.io'],
  [client.SchedulingApi, 'scheduling.k8s.io'],
  [client.StorageApi, 'storage.k8s.io'],
];

const VERSIONS: readonly (readonly [
  ApiConstructor<VersionApi>,
  groupVersion: string,
  kinds: string[],
])[] = [
  [client.CoreV1Api, 'v1', ['Namespace', 'Pod', 'Secret', 'Binding', 'ComponentStatus', 'Scale']],
  [client.AdmissionregistrationV1Api, 'admissionregistration.k8s.io/v1', []],
  [client.ApiextensionsV1Api, 'apiextensions.k8s.io/v1', ['CustomResourceDefinition']],
  [client.ApiregistrationV1Api, 'apiregistration.k8s.io/v1', ['APIService']],
  [client.AppsV1Api, 'apps/v1', ['Deployment', 'StatefulSet', 'Scale', 'ControllerRevision']],
  [client.AuthenticationV1Api, 'authentication.k8s.io/v1', ['TokenReview']],
  [client.AuthorizationV1Api, 'authorization.k8s.io/v1', ['SelfSubjectRulesReview']],
  [client.AutoscalingV1Api, 'autoscaling/v1', ['HorizontalPodAutoscaler']],
  [client.AutoscalingV2Api, 'autoscaling/v2', ['HorizontalPodAutoscaler']],
  [client.BatchV1Api, 'batch/v1', ['Job', 'CronJob']],
  [client.CertificatesV1Api, 'certificates.k8s.io/v1', ['CertificateSigningRequest']],
  [client.CoordinationV1Api, 'coordination.k8s.io/v1', ['Lease']],
  [client.DiscoveryV1Api, 'discovery.k8s.io/v1', ['EndpointSlice']],
  [client.EventsV1Api, 'events.k8s.io/v1', ['Event']],
  [client.NetworkingV1Api, 'networking.k8s.io/v1', ['Ingress', 'IngressClass', 'NetworkPolicy']],
  [client.NodeV1Api, 'node.k8s.io/v1', ['RuntimeClass']],
  [client.PolicyV1Api, 'policy/v1', ['PodDisruptionBudget']],
  [client.RbacAuthorizationV1Api, 'rbac.authorization.k8s.io/v1', ['ClusterRole', 'Role']],
  [client.SchedulingV1Api, 'scheduling.k8s.io/v1', ['PriorityClass']],
  [client.StorageV1Api, 'storage.k8s.io/v1', ['CSIDriver', 'StorageClass', 'VolumeAttachment']],
];

t.test('version and health', async (t) => {
  const version = await config.makeApiClient(client.VersionApi).getCode();
  t.match(version, { major: '1', minor: '23', gitVersion: /^v1\.23\.\d+/ });
  const health = new client.Health(config);
  t.equal(await health.readyz({}), true);
  t.equal(await health.livez({}), true);
});

t.test('the core API, and the groups in their order', async (t) => {
  const core = await config.makeApiClient(client.CoreApi).getAPIVersions();
  t.same(core.versions, ['v1']);
  const list = await config.makeApiClient(client.ApisApi).getAPIVersions();
  t.equal(list.kind, 'APIGroupList');
  t.same(list.groups.map(({ name }) => name).toSorted(), GROUPS.map(([, name]) => name).toSorted());
  t.equal(list.groups[0]?.name, 'apiregistration.k8s.io');
  for (const [api, name] of GROUPS) {
    const group = await config.makeApiClient(api).getAPIGroup();
    t.equal(group.name, name);
    t.same(group.versions, list.groups.find((one) => one.name === name)?.versions, name);
    t.ok(group.versions.some(({ groupVersion }) => groupVersion.startsWith(`${name}/v`)));
  }
});

t.test('the resources of each version that the client has calls for', async (t) => {
  for (const [api, groupVersion, kinds] of VERSIONS) {
    const { resources, ...list } = await config.makeApiClient(api).getAPIResources();
    t.match(list, { kind: 'APIResourceList', groupVersion });
    t.ok(resources.length > 0);
    const found = new Set(resources.map(({ kind }) => kind));
    for (const kind of kinds) t.ok(found.has(kind), `${kind} in ${groupVersion}`);
  }
  const { resources } = await config.makeApiClient(client.CoreV1Api).getAPIResources();
  const pods = resources.find(({ name }) => name === 'pods');
  t.match(pods, { namespaced: true, shortNames: ['po'], categories: ['all'], kind: 'Pod' });
  const eviction = resources.find(({ name }) => name === 'pods/eviction');
  t.match(eviction, { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] });
});

t.test('groups that the server lacks, and those of the other names', async (t) => {
  const lacking = config.makeApiClient(client.StoragemigrationApi).getAPIGroup();
  await t.rejects(lacking, { code: 404 });
  for (const path of ['/apis/storage.cluster.io', '/apis/storage.cluster.io/v1/storageclasses']) {
    t.equal((await server.get(path)).status, 404, path);
  }
});

t.test('OpenAPI names the kinds of the domain', async (t) => {
  const { json } = await server.get('/openapi/v2');
  const storageClass = json.definitions['io.k8s.api.storage.v1.StorageClass'];
  t.same(storageClass?.['x-kubernetes-group-version-kind'], [
    { group: 'storage.k8s.io', kind: 'StorageClass', version: 'v1' },
  ]);
  t.ok(json.paths['/apis/storage.k8s.io/v1/storageclasses/{name}']);
  const text = JSON.stringify(json);
  t.notMatch(text, /cluster\.io/, 'and nothing of the other domain');
});
