// Members of features that are off are dropped; what was stored while they were on stays in use.
import t from 'tap';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';

const GATES = [
  'DynamicKubeletConfig',
  'IdentifyPodOS',
  'ProbeTerminationGracePeriod',
  'ProcMountType',
  'RecoverVolumeExpansionFailure',
  'TopologyAwareHints',
];
const MERGE = { 'content-type': 'application/merge-patch+json' };
const server = await startServer({ test: t });
t.setTimeout(120_000);
const patch = (path: string, change: unknown): Promise<Answer> =>
  server.request('PATCH', path, change, MERGE);

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const SLICES = '/apis/discovery.cluster.io/v1/namespaces/default/endpointslices';
const PROBE = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 5 };
const POD = {
  os: { name: 'linux' },
  containers: [
    { name: 'c', image: 'i:1', livenessProbe: PROBE, securityContext: { procMount: 'Unmasked' } },
  ],
};
const DEPLOYMENT = {
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: POD },
  },
};
const SLICE = {
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.0.2.1'], hints: { forZones: [{ name: 'z' }] } }],
};
const CLAIM = {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const GROWN = { status: { allocatedResources: { storage: '2Gi' }, resizeStatus: '' } };
const CONFIG = { assigned: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } };

async function makeAll(name: string): Promise<void> {
  const metadata = { name };
  await server.post(`${CORE}/pods`, { metadata, spec: POD });
  await server.post(`${APPS}/deployments`, { metadata, ...DEPLOYMENT });
  await server.post(SLICES, { metadata, ...SLICE });
  await server.post(`${CORE}/persistentvolumeclaims`, { metadata, ...CLAIM });
  await patch(`${CORE}/persistentvolumeclaims/${name}/status`, GROWN);
  const source = CONFIG.assigned;
  await server.post('/api/v1/nodes', { metadata, spec: { configSource: source } });
  await patch(`/api/v1/nodes/${name}/status`, { status: { config: CONFIG } });
}

/** What of the features the stored objects have. */
async function usedBy(name: string): Promise<unknown> {
  const get = async (path: string) => (await server.get(`${path}/${name}`)).json;
  const pod = (await get(`${CORE}/pods`)).spec;
  const template = (await get(`${APPS}/deployments`)).spec.template.spec;
  const slice = await get(SLICES);
  const claim = (await get(`${CORE}/persistentvolumeclaims`)).status;
  const node = await get('/api/v1/nodes');
  const ofPod = ({ os, containers: [container] }: typeof pod) => [
    os?.name,
    container.livenessProbe.terminationGracePeriodSeconds,
    container.securityContext.procMount,
  ];
  return {
    pod: ofPod(pod),
    template: ofPod(template),
    slice: slice.endpoints[0].hints?.forZones[0].name,
    claim: [claim.allocatedResources?.storage, claim.resizeStatus],
    node: [node.spec.configSource?.configMap.name, node.status.config?.assigned.configMap.name],
  };
}

const NONE = {
  pod: [undefined, undefined, 'Default'],
  template: [undefined, undefined, 'Default'],
  slice: undefined,
  claim: [undefined, undefined],
  node: [undefined, undefined],
};
const ALL = {
  pod: ['linux', 5, 'Unmasked'],
  template: ['linux', 5, 'Unmasked'],
  slice: 'z',
  claim: ['2Gi', ''],
  node: ['a', 'a'],
};

t.test('without their gates they are dropped', async (t) => {
  await makeAll('off');
  t.strictSame(await usedBy('off'), NONE);
  const changed = await patch(`${APPS}/deployments/off`, DEPLOYMENT);
  t.equal(changed.status, 200, changed.text);
  await patch(`${SLICES}/off`, SLICE);
  t.strictSame(await usedBy('off'), NONE, 'on update too');
});

t.test('with them they are kept, also when the gates are off again', async (t) => {
  await server.stop();
  await server.restart({ args: [`--feature-gates=${GATES.map((gate) => `${gate}=true`).join()}`] });
  t.strictSame(await usedBy('off'), NONE);
  await makeAll('on');
  t.strictSame(await usedBy('on'), ALL);
  await server.stop();
  await server.restart({
    args: [`--feature-gates=${GATES.map((gate) => `${gate}=false`).join()}`],
  });
  const os = { name: 'windows' };
  const containers = [
    { name: 'c', image: 'i:2', livenessProbe: PROBE, securityContext: { procMount: 'Unmasked' } },
  ];
  const spec = { template: { spec: { os, containers } } };
  const changed = await patch(`${APPS}/deployments/on`, { spec });
  t.equal(changed.status, 422, 'they are checked where they stay');
  await patch(`${APPS}/deployments/on`, { spec: { template: { spec: { containers } } } });
  await patch(`${SLICES}/on`, SLICE);
  await patch(`${CORE}/persistentvolumeclaims/on/status`, GROWN);
  await patch('/api/v1/nodes/on', { metadata: { labels: { a: 'b' } } });
  t.strictSame(await usedBy('on'), ALL);
});

const JOB = {
  suspend: true,
  completionMode: 'Indexed',
  completions: 1,
  template: {
    spec: {
      restartPolicy: 'Never',
      priorityClassName: '',
      containers: [{ name: 'c', image: 'i' }],
    },
  },
};
const OFF = [
  'APIListChunking',
  'APIResponseCompression',
  'IndexedJob',
  'NetworkPolicyEndPort',
  'OpenAPIV3',
  'PodSecurity',
  'ServerSideFieldValidation',
  'SuspendJob',
];
const POLICY = {
  podSelector: {},
  ingress: [{ ports: [{ protocol: 'TCP', port: 80, endPort: 90 }] }],
};

interface Seen {
  readonly listed: number;
  readonly continues: boolean;
  readonly encoding: string | undefined;
  readonly v3: number;
  readonly strict: number;
  readonly job: readonly unknown[];
  readonly endPort: unknown;
  readonly privileged: number;
}

/** What a server does that some of the features are about. */
async function seen(name: string): Promise<Seen> {
  const metadata = { name };
  const page = await server.get('/api/v1/namespaces?limit=1');
  const large = await server.request('GET', `${CORE}/configmaps/large`, undefined, {
    'accept-encoding': 'gzip',
  });
  const v3 = await server.get('/openapi/v3');
  const strict = await server.post(`${CORE}/configmaps?fieldValidation=Strict`, {
    metadata,
    datum: {},
  });
  const job = await server.post('/apis/batch/v1/namespaces/default/jobs', { metadata, spec: JOB });
  const path = '/apis/networking.cluster.io/v1/namespaces/default/networkpolicies';
  const policy = await server.post(path, { metadata, spec: POLICY });
  const securityContext = { privileged: true };
  const pod = await server.post('/api/v1/namespaces/strict/pods?dryRun=All', {
    metadata,
    spec: { containers: [{ name: 'c', image: 'i', securityContext }] },
  });
  return {
    listed: page.json.items.length,
    continues: page.json.metadata.continue !== undefined,
    encoding: large.headers['content-encoding'],
    v3: v3.status,
    strict: strict.status,
    job: [job.json.spec.suspend, job.json.spec.completionMode],
    endPort: policy.json.spec.ingress[0].ports[0].endPort,
    privileged: pod.status,
  };
}

t.test('what is on by default can be switched off', async (t) => {
  await server.stop();
  await server.restart({ args: ['--disable-admission-plugins=ServiceAccount'] });
  const labels = { 'pod-security.cluster.io/enforce': 'baseline' };
  await server.post('/api/v1/namespaces', { metadata: { name: 'strict', labels } });
  const data = { a: 'x'.repeat(200_000) };
  await server.post(`${CORE}/configmaps`, { metadata: { name: 'large' }, data });
  t.same(await seen('features-on'), {
    listed: 1,
    continues: true,
    encoding: 'gzip',
    v3: 200,
    strict: 400,
    job: [true, 'Indexed'],
    endPort: 90,
    privileged: 403,
  });
  await server.stop();
  const gates = OFF.map((gate) => `${gate}=false`).join();
  await server.restart({
    args: ['--disable-admission-plugins=ServiceAccount', `--feature-gates=${gates}`],
  });
  const off = await seen('features-off');
  t.ok(off.listed > 4);
  t.same(
    { ...off, listed: 0 },
    {
      listed: 0,
      continues: false,
      encoding: undefined,
      v3: 404,
      strict: 201,
      job: [undefined, undefined],
      endPort: undefined,
      privileged: 201,
    },
  );
});

t.test('lists need not tell how much is left', async (t) => {
  await server.stop();
  await server.restart({ args: ['--feature-gates=RemainingItemCount=false'] });
  const { metadata } = (await server.get('/api/v1/namespaces?limit=1')).json;
  t.type(metadata.continue, 'string');
  t.equal(metadata.remainingItemCount, undefined);
});
