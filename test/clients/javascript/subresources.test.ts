/** The client asks for parts of objects: status, scale, eviction, binding, tokens, reviews. */
import {
  AppsV1Api,
  AuthenticationV1Api,
  AuthorizationV1Api,
  BatchV1Api,
  CertificatesV1Api,
  CoreV1Api,
  KubeConfig,
  PolicyV1Api,
} from '@kubernetes/client-node';
import t from 'tap';
import { expectException, MERGE_PATCH, STRATEGIC_PATCH } from './public-client.ts';
import { sharedPublicServer } from './shared-public-server.ts';

const namespace = 'parts';
const labels = { app: 'web' };
/** A certificate request of no one, as DER in base64. */
const REQUEST_DER =
  'MIHJMHACAQAwDjEMMAoGA1UEAwwDd2ViMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEitd4x8EbDOUxudgbpa5j' +
  'wKvjd42++M3oPIwJ60HHEJdmchcMFCFZVkrtlOsTMJJm7Px4ddIxaifqP3RpByvvE6AAMAoGCCqGSM49BAMCA0kA' +
  'MEYCIQDIaOHki6nWRc4GkGQNtcgYkPJ7WSn954lLvAGqZp0oeAIhAPqMHrAo7g2LC2xCOC4K5L5d3bWiAXwqL0dL' +
  '5hx1T9zy';
const podSpec = { containers: [{ name: 'main', image: 'example.com/main:1' }] };

const { config } = await sharedPublicServer();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
await core.createNamespace({ body: { metadata: { name: namespace } } });

t.test('scale: of a Deployment, by replace and patch', async (t) => {
  const name = 'web';
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: podSpec },
  };
  await apps.createNamespacedDeployment({ namespace, body: { metadata: { name }, spec } });
  const scale = await apps.readNamespacedDeploymentScale({ namespace, name });
  t.match(scale, { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 } });
  t.equal(scale.status?.selector, 'app=web');

  scale.spec = { replicas: 3 };
  const own = { namespace, name, body: scale };
  const replaced = await apps.replaceNamespacedDeploymentScale(own);
  t.equal(replaced.spec?.replicas, 3);
  const stale = apps.replaceNamespacedDeploymentScale(own);
  await expectException(t, stale, { code: 409, reason: 'Conflict' });

  const body = { spec: { replicas: 0 } };
  await apps.patchNamespacedDeploymentScale({ namespace, name, body }, MERGE_PATCH);
  const deployment = await apps.readNamespacedDeployment({ namespace, name });
  t.equal(deployment.spec?.replicas, 0);
  t.ok(deployment.metadata?.managedFields?.some(({ subresource }) => subresource === 'scale'));
});

t.test('status: kept apart from the spec', async (t) => {
  const batch = config.makeApiClient(BatchV1Api);
  const name = 'once';
  const template = { spec: { ...podSpec, restartPolicy: 'Never' } };
  const created = await batch.createNamespacedJob({
    namespace,
    body: { metadata: { name }, spec: { template }, status: { active: 9 } },
  });
  t.equal(created.status?.active, undefined, 'a create leaves the status alone');
  const startTime = new Date('2026-01-02T03:04:05Z');
  created.status = { active: 2, startTime };
  const own = { namespace, name, body: created };
  const replaced = await batch.replaceNamespacedJobStatus(own);
  t.match(replaced.status, { active: 2, startTime });
  const patched = await batch.patchNamespacedJobStatus(
    { namespace, name, body: { spec: { parallelism: 7 }, status: { failed: 1 } } },
    STRATEGIC_PATCH,
  );
  t.match(patched, { spec: { parallelism: 1 }, status: { active: 2, failed: 1 } });
  t.equal(patched.metadata?.generation, 1);
  t.same(await batch.readNamespacedJobStatus({ namespace, name }), patched);
});

t.test('binding: puts a pod on a node, once', async (t) => {
  const name = 'bound';
  await core.createNamespacedPod({ namespace, body: { metadata: { name }, spec: podSpec } });
  const body = { metadata: { name }, target: { kind: 'Node', name: 'node-1', apiVersion: 'v1' } };
  await core.createNamespacedPodBinding({ namespace, name, body });
  const pod = await core.readNamespacedPod({ namespace, name });
  t.equal(pod.spec?.nodeName, 'node-1');
  t.match(pod.status?.conditions, [{ type: 'PodScheduled', status: 'True' }]);
  const again = core.createNamespacedPodBinding({ namespace, name, body });
  await expectException(t, again, { code: 409, reason: 'Conflict' });
});

t.test('eviction: refused by a disruption budget', async (t) => {
  const policy = config.makeApiClient(PolicyV1Api);
  const name = 'evicted';
  const pod = await core.createNamespacedPod({
    namespace,
    body: { metadata: { name, labels: { app: 'guarded' } }, spec: podSpec },
  });
  const conditions = [{ type: 'Ready', status: 'True' }];
  pod.status = { phase: 'Running', conditions };
  await core.replaceNamespacedPodStatus({ namespace, name, body: pod });
  const selector = { matchLabels: { app: 'guarded' } };
  const budget = { metadata: { name: 'guard' }, spec: { minAvailable: 1, selector } };
  await policy.createNamespacedPodDisruptionBudget({ namespace, body: budget });
  const body = { metadata: { name, namespace } };
  const refused = core.createNamespacedPodEviction({ namespace, name, body });
  await expectException(t, refused, { code: 429, reason: 'TooManyRequests' });
  await policy.deleteNamespacedPodDisruptionBudget({ namespace, name: 'guard' });
  await core.createNamespacedPodEviction({ namespace, name, body });
  await expectException(t, core.readNamespacedPod({ namespace, name }), { code: 404 });
});

t.test('approval: conditions of a certificate request', async (t) => {
  const certificates = config.makeApiClient(CertificatesV1Api);
  const name = 'asked';
  const block = 'CERTIFICATE REQUEST';
  const pem = `-----BEGIN ${block}-----\n${REQUEST_DER}\n-----END ${block}-----\n`;
  const request = Buffer.from(pem).toString('base64');
  const signerName = 'kubernetes.io/kube-apiserver-client';
  const created = await certificates.createCertificateSigningRequest({
    body: { metadata: { name }, spec: { request, signerName, usages: ['client auth'] } },
  });
  t.equal(created.spec.signerName, signerName);
  t.equal(created.spec.username, 'admin');
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Tested' }];
  created.status = { conditions };
  const own = { name, body: created };
  const approved = await certificates.replaceCertificateSigningRequestApproval(own);
  t.match(approved.status?.conditions, conditions);
});

t.test('tokens of service accounts: issued and reviewed', async (t) => {
  const name = 'builder';
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name } } });
  const body = { spec: { audiences: [], expirationSeconds: 600 } };
  const issued = await core.createNamespacedServiceAccountToken({ namespace, name, body });
  t.equal(issued.kind, 'TokenRequest');
  t.equal(issued.apiVersion, 'authentication.k8s.io/v1');
  const token = issued.status?.token ?? '';
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  t.match(claims['kubernetes.io'], { namespace, serviceaccount: { name } });

  const authentication = config.makeApiClient(AuthenticationV1Api);
  const review = await authentication.createTokenReview({ body: { spec: { token } } });
  const username = `system:serviceaccount:${namespace}:${name}`;
  t.match(review.status, { authenticated: true, user: { username } });
  const forged = await authentication.createTokenReview({ body: { spec: { token: `${token}x` } } });
  t.not(forged.status?.authenticated, true);
});

t.test('whoever comes with a token of no one is told so', async (t) => {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig has no cluster');
  const stranger = new KubeConfig();
  stranger.loadFromClusterAndUser(cluster, { name: 'stranger', token: 'made-up' });
  await t.rejects(stranger.makeApiClient(CoreV1Api).listNamespace(), { code: 401 });
});

t.test('access reviews', async (t) => {
  const authorization = config.makeApiClient(AuthorizationV1Api);
  const resourceAttributes = { group: 'storage.k8s.io', resource: 'storageclasses', verb: 'get' };
  const spec = { resourceAttributes };
  const own = await authorization.createSelfSubjectAccessReview({ body: { spec } });
  t.match(own, { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' });
  t.match(own, { spec, status: { allowed: true } });
  const other = await authorization.createSubjectAccessReview({
    body: { spec: { ...spec, user: 'a' } },
  });
  t.type(other.status?.allowed, 'boolean');
  const rules = await authorization.createSelfSubjectRulesReview({ body: { spec: { namespace } } });
  t.ok(Array.isArray(rules.status?.resourceRules));
  const local = await authorization.createNamespacedLocalSubjectAccessReview({
    namespace,
    body: {
      metadata: { namespace },
      spec: { user: 'a', resourceAttributes: { ...resourceAttributes, namespace } },
    },
  });
  t.equal(local.kind, 'LocalSubjectAccessReview');
});
