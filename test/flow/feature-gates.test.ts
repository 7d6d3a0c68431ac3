// Each feature that --help lists, off and on, as clients see it; what was stored while it was on.
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { gatesWithEffect, type FeatureGate } from '../../src/release/feature-gates.ts';
import { DEFAULT_RELEASE } from '../../src/release/release.ts';
import { GATED_OBJECTS, gatedDefinition, RULES } from '../support/gated-objects.ts';
import type { Change } from '../support/kind-cases.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';

type Seen = Partial<Record<FeatureGate, unknown>>;

const FEATURE_GATES = gatesWithEffect(DEFAULT_RELEASE).map(([gate]) => gate);
const withGates = (gates: string): readonly string[] => [
  '--disable-admission-plugins=ServiceAccount',
  '--durability=relaxed',
  '--runtime-config=api/alpha',
  `--feature-gates=${gates}`,
];
const MERGE = { 'content-type': 'application/merge-patch+json' };
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/cluster-system/leases';
const PODS_STORED = '/apis/internal.apiserver.cluster.io/v1alpha1/storageversions/core.pods';
const APPS = '/apis/apps/v1/namespaces/default';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const SERVICES = '/api/v1/namespaces/default/services';

const CONTAINER = { name: 'c', image: 'i' };
const TARGET = { type: 'AverageValue', averageValue: '5m' };
const METRIC = { name: 'cpu', container: 'c', target: TARGET };

const server = await startServer({
  test: t,
  args: withGates('AllAlpha=false,AllBeta=false,DynamicKubeletConfig=false'),
});
const patch = (path: string, change: unknown): Promise<Answer> =>
  server.request('PATCH', path, change, MERGE);

async function made(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  t.ok(status < 300, text);
}

/** Pods are of the classes of their own name. */
async function makeAll(name: string): Promise<void> {
  for (const { path, body, status } of GATED_OBJECTS) {
    const ofClasses = {
      ...(body['spec'] as Change),
      priorityClassName: name,
      runtimeClassName: name,
    };
    const whole = path.endsWith('/pods') ? { spec: ofClasses } : body;
    await made(server.post(path, { metadata: { name }, ...whole }));
    if (status !== undefined) await made(patch(`${path}/${name}/status`, { status }));
  }
  await made(server.post(DEFINITIONS, gatedDefinition(name)));
}

/** Gives the stored objects' members of the features; where they differ, all that they have. */
async function stored(name: string): Promise<Seen> {
  const seen: Seen = {};
  for (const { path, members } of GATED_OBJECTS) {
    const found = members((await server.get(`${path}/${name}`)).json);
    for (const gate of Object.keys(found) as FeatureGate[]) {
      const isOther = gate in seen && !isDeepStrictEqual(seen[gate], found[gate]);
      seen[gate] = isOther ? [seen[gate], found[gate]] : found[gate];
    }
  }
  const { json } = await server.get(`${DEFINITIONS}/as.${name}.example.com`);
  const { openAPIV3Schema } = json.spec.versions[0].schema;
  return { ...seen, CustomResourceValidationExpressions: RULES in openAPIV3Schema };
}

/** Gives the server's behaviour that the other features change. */
async function answers(): Promise<Seen> {
  const page = (await server.get('/api/v1/namespaces?limit=1')).json;
  const large = await server.request('GET', `${CONFIG_MAPS}/large`, undefined, {
    'accept-encoding': 'gzip',
  });
  const { status: v3 } = await server.get('/openapi/v3');
  const leases = (await server.get(`${LEASES}?labelSelector=cluster.io/component`)).json.items;
  const metadata = { name: 'dry' };
  const dryRun = async (path: string, body: object): Promise<number> => {
    const { status } = await server.post(`${path}dryRun=All`, { metadata, ...body });
    return status;
  };
  const securityContext = { privileged: true };
  const resources = { requests: { storage: '1Gi' } };
  const claim = { accessModes: ['ReadWriteOnce'], resources };
  const dataSourceRef = { apiGroup: 'example.com', kind: 'Image', name: 'a' };
  const filled = await server.post(`${CLAIMS}?dryRun=All`, {
    metadata,
    spec: { ...claim, dataSourceRef },
  });
  const ports = ['TCP', 'UDP'].map((protocol) => ({
    name: protocol.toLowerCase(),
    port: 80,
    protocol,
  }));
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [CONTAINER] } };
  return {
    APIListChunking: page.metadata.continue !== undefined,
    APIPriorityAndFairness: SERVER_DIALECT.flowHeaders.schema.toLowerCase() in large.headers,
    APIResponseCompression: large.headers['content-encoding'] === 'gzip',
    APIServerIdentity: leases.length,
    AnyVolumeDataSource: filled.json.spec.dataSourceRef !== undefined,
    DaemonSetUpdateSurge: await dryRun(`${APPS}/daemonsets?`, {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template,
        updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      },
    }),
    HPAContainerMetrics: await dryRun(`${AUTOSCALERS}?`, {
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { kind: 'Deployment', name: 'a' },
        metrics: [{ type: 'ContainerResource', containerResource: METRIC }],
      },
    }),
    MixedProtocolLBService: await dryRun(`${SERVICES}?`, { spec: { type: 'LoadBalancer', ports } }),
    OpenAPIV3: v3,
    PodSecurity: await dryRun('/api/v1/namespaces/strict/pods?', {
      spec: { containers: [{ ...CONTAINER, securityContext }] },
    }),
    ReadWriteOncePod: await dryRun(`${CLAIMS}?`, {
      spec: { ...claim, accessModes: ['ReadWriteOncePod'] },
    }),
    RemainingItemCount: page.metadata.remainingItemCount !== undefined,
    ServerSideFieldValidation: await dryRun(`${CONFIG_MAPS}?fieldValidation=Strict&`, { datum: 1 }),
    StorageVersionAPI: (await server.get(PODS_STORED)).json.status.commonEncodingVersion,
  };
}

const CONFIG = { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } };
const STORED_OFF: Seen = {
  CSRDuration: undefined,
  CustomResourceValidationExpressions: false,
  DynamicKubeletConfig: undefined,
  IdentifyPodOS: undefined,
  IndexedJob: undefined,
  NetworkPolicyEndPort: undefined,
  NonPreemptingPriority: undefined,
  PodOverhead: undefined,
  ProbeTerminationGracePeriod: undefined,
  ProcMountType: 'Default',
  RecoverVolumeExpansionFailure: undefined,
  StatefulSetMinReadySeconds: undefined,
  SuspendJob: undefined,
  TopologyAwareHints: undefined,
};
const STORED_ON: Seen = {
  CSRDuration: 3600,
  CustomResourceValidationExpressions: true,
  DynamicKubeletConfig: [CONFIG, { assigned: CONFIG }],
  IdentifyPodOS: 'linux',
  IndexedJob: 'Indexed',
  NetworkPolicyEndPort: 90,
  NonPreemptingPriority: 'Never',
  PodOverhead: '1m',
  ProbeTerminationGracePeriod: 5,
  ProcMountType: 'Unmasked',
  RecoverVolumeExpansionFailure: [{ storage: '2Gi' }, ''],
  StatefulSetMinReadySeconds: 5,
  SuspendJob: true,
  TopologyAwareHints: 'z',
};
const ANSWERS_OFF: Seen = {
  APIListChunking: false,
  APIPriorityAndFairness: false,
  APIResponseCompression: false,
  APIServerIdentity: 0,
  AnyVolumeDataSource: false,
  DaemonSetUpdateSurge: 422,
  HPAContainerMetrics: 422,
  MixedProtocolLBService: 422,
  OpenAPIV3: 404,
  PodSecurity: 201,
  ReadWriteOncePod: 422,
  RemainingItemCount: false,
  ServerSideFieldValidation: 201,
  StorageVersionAPI: undefined,
};
const ANSWERS_ON: Seen = {
  APIListChunking: true,
  APIPriorityAndFairness: true,
  APIResponseCompression: true,
  APIServerIdentity: 1,
  AnyVolumeDataSource: true,
  DaemonSetUpdateSurge: 201,
  HPAContainerMetrics: 201,
  MixedProtocolLBService: 201,
  OpenAPIV3: 200,
  PodSecurity: 403,
  ReadWriteOncePod: 201,
  RemainingItemCount: true,
  ServerSideFieldValidation: 400,
  StorageVersionAPI: 'v1',
};

t.test('each feature is seen in something', async (t) => {
  t.same([...Object.keys(STORED_ON), ...Object.keys(ANSWERS_ON)].sort(), FEATURE_GATES.toSorted());
});

t.test('all of them off: members are dropped, on update too', async (t) => {
  const labels = { 'pod-security.cluster.io/enforce': 'baseline' };
  await made(server.post('/api/v1/namespaces', { metadata: { name: 'strict', labels } }));
  const data = { a: 'x'.repeat(200_000) };
  await made(server.post(CONFIG_MAPS, { metadata: { name: 'large' }, data }));
  t.strictSame(await answers(), ANSWERS_OFF);
  await makeAll('off');
  t.strictSame(await stored('off'), STORED_OFF);
  for (const { path, body, isOnlyMade } of GATED_OBJECTS) {
    if (isOnlyMade !== true) await made(patch(`${path}/off`, body));
  }
  t.strictSame(await stored('off'), STORED_OFF);
  const waiting = await patch(`${APPS}/statefulsets/off`, { spec: { minReadySeconds: 5 } });
  t.equal(waiting.status, 422, 'what may not change is not dropped first');
});

t.test('all of them on', async (t) => {
  await server.stop();
  const gates = 'AllAlpha=true,AllBeta=true,DynamicKubeletConfig=true';
  await server.restart({ args: withGates(gates) });
  t.strictSame(await answers(), ANSWERS_ON);
  t.strictSame(await stored('off'), STORED_OFF);
  await makeAll('on');
  t.strictSame(await stored('on'), STORED_ON);
});

t.test('what was stored while they were on stays when they are off', async (t) => {
  await server.stop();
  const off = FEATURE_GATES.filter((gate) => gate !== 'APIListChunking');
  await server.restart({ args: withGates(off.map((gate) => `${gate}=false`).join()) });
  for (const { path, body } of GATED_OBJECTS) {
    const isPod = path.endsWith('/pods');
    await made(patch(`${path}/on`, isPod ? { metadata: { labels: { a: 'b' } } } : body));
  }
  t.strictSame(await stored('on'), STORED_ON);
  const os = { name: 'windows' };
  const changed = await patch(`${APPS}/deployments/on`, { spec: { template: { spec: { os } } } });
  t.equal(changed.status, 422, 'they are checked where they stay');
  const preempts = async (change: object): Promise<unknown> => {
    const { json } = await patch(`${APPS}/deployments/on`, {
      spec: { template: { spec: change } },
    });
    return json.spec.template.spec.preemptionPolicy;
  };
  t.equal(await preempts({ preemptionPolicy: 'Never' }), undefined);
  await preempts({ priorityClassName: 'on' });
  t.equal(await preempts({ preemptionPolicy: 'Never' }), 'Never', 'of what has a class already');
  const spec = { containers: [CONTAINER], priorityClassName: 'on', runtimeClassName: 'on' };
  const { json } = await server.post(`${PODS}?dryRun=All`, { metadata: { name: 'b' }, spec });
  t.match(json.spec, { priority: 5, overhead: undefined, preemptionPolicy: undefined });
  t.match(await answers(), { APIListChunking: true, RemainingItemCount: false });
});
