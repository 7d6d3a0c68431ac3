/** Programs learn of the release: by /version, by metrics, and by whom they are called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { customDefinition, definedVersion, established } from '../support/custom-types.ts';
import { dashboardQueries, seriesOf, unanswered } from '../support/dashboard-queries.ts';
import { Hooked } from '../support/hooked.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { controllersWith } from '../support/server-process.ts';

const FLOWS = controllersWith('flow-control');
const server = await startServer({ test: t, args: ['--release', '1.37', ...FLOWS] });
const DASHBOARD = join(import.meta.dirname, '../../src/observability/dashboard.json');
const MAPS = '/api/v1/namespaces/default/configmaps';

async function scraped(): Promise<string> {
  return (await server.get('/metrics')).text;
}

t.test('the version says who is emulated, and what that can be beside', async (t) => {
  t.match((await server.get('/version')).json, {
    major: '1',
    minor: '37',
    emulationMajor: '1',
    emulationMinor: '37',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '36',
    gitVersion: 'v1.37.2+shardplane',
  });
});

t.test('webhooks are told it too', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const here = new Hooked(server, webhook, 'hooked-agent');
  await here.begin();
  await here.register(t, 'Validating', { agent: { behaviour: () => ({ allowed: true }) } });
  await here.make('a');
  t.equal(webhook.calls[0]?.headers['user-agent'], 'shardplane/v1.37.2');
});

t.test('Tables of Scales count replicas', async (t) => {
  const labels = { a: 'b' };
  const pod = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const spec = { replicas: 3, selector: { matchLabels: labels }, template: pod };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await server.post(deployments, { metadata: { name: 'scaled' }, spec });
  const scale = { specReplicasPath: '.spec.many', statusReplicasPath: '.status.many' };
  const version = definedVersion('v1', { subresources: { scale } });
  await established(server, customDefinition('shop.test', 'Thing', [version]));
  const things = '/apis/shop.test/v1/namespaces/default/things';
  const thing = { apiVersion: 'shop.test/v1', kind: 'Thing', metadata: { name: 'scaled' } };
  await server.post(things, { ...thing, spec: { many: 4 } });
  for (const [collection, many, format, type] of [
    [deployments, 3, '', 'string'],
    [things, 4, 'name', 'date'],
  ] as const) {
    const accept = 'application/json;as=Table;v=v1;g=meta.cluster.io';
    const { json } = await server.get(`${collection}/scaled/scale`, { accept });
    t.match(json.columnDefinitions, [
      { name: 'Name', type: 'string', format },
      { name: 'Desired', type: 'integer' },
      { name: 'Available', type: 'integer' },
      { name: 'Age', type },
    ]);
    t.match(json.rows[0].cells, ['scaled', many, 0, /^\d+s$/], collection);
  }
});

t.test('pages for people tell the state and the options, in text and as objects', async (t) => {
  const state = await server.get('/statusz', { accept: 'text/plain' });
  t.equal(state.status, 200);
  t.match(
    state.text,
    /^\napiserver statusz\nWarning: .*\n\nStarted[:= ]+\w{3} \w{3} [ \d]\d [\d:]{8} UTC \d{4}\n/,
  );
  t.match(
    state.text,
    /\nEmulation version[:= ]+1\.37\nPaths[:= ]+\/flagz \/healthz \/livez \/metrics/,
  );
  const flags = await server.get('/flagz', { accept: '' });
  t.match(flags.text, /^\napiserver flagz\nWarning: /);
  t.match(flags.text, /^release(?:: | |:|=)1\.37$/m);
  const asked = (v: string, as: string): string =>
    `application/json;v=${v};g=config.cluster.io;as=${as}`;
  const object = await server.get('/flagz', { accept: asked('v1beta1', 'Flagz') });
  t.match(object.json, {
    kind: 'Flagz',
    apiVersion: 'config.cluster.io/v1beta1',
    metadata: { name: 'apiserver' },
    flags: { release: '1.37' },
  });
  t.equal(object.headers['warning'], undefined);
  const old = await server.get('/statusz', { accept: asked('v1alpha1', 'Statusz') });
  t.match(old.json, { apiVersion: 'config.cluster.io/v1alpha1', binaryVersion: '1.37.2' });
  t.match(old.headers['warning'], /This version of the statusz endpoint is deprecated/);
  const yaml = { accept: 'application/yaml;v=v1beta1;g=config.cluster.io;as=Statusz' };
  t.match((await server.get('/statusz', yaml)).text, /^emulationVersion: "1.37"$/m);
  for (const accept of ['application/json', asked('v1', 'Statusz'), 'text/html']) {
    const { status, json } = await server.get('/statusz', { accept });
    t.equal(status, 406, accept);
    t.match(json.message, /application\/json, application\/yaml, text\/plain$/);
  }
  t.equal((await server.get('/statusz', { authorization: undefined })).status, 403);
});

t.test('readiness tells of the store by names of its own', async (t) => {
  const { text } = await server.get('/readyz?verbose');
  t.match(text, /^\[\+\]etcd-readiness ok$/m);
  t.match(text, /^\[\+\]poststarthook\/storage-readiness ok$/m);
  t.notMatch((await server.get('/livez?verbose')).text, /etcd-readiness/);
});

t.test('health checks are counted when all of a path are asked for', async (t) => {
  await server.get('/livez?exclude=log');
  await server.get('/livez');
  await server.get('/livez/ping');
  const { text, headers } = await server.get('/metrics/slis');
  t.equal(
    headers['content-type'],
    'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  );
  t.equal((await server.post('/metrics/slis', {})).status, 200);
  t.match(text, '# HELP kubernetes_healthcheck [STABLE] ');
  const series = new Map(
    text.split('\n').map((line) => line.split(' ') as [string, string | undefined]),
  );
  t.equal(series.get('kubernetes_healthcheck{name="ping",type="livez"}'), '1');
  const counted = (name: string): number =>
    Number(
      series.get(`kubernetes_healthchecks_total{name="${name}",status="success",type="livez"}`),
    );
  t.equal(counted('ping'), counted('log') + 1);
  t.ok(series.has('process_start_time_seconds'));
});

t.test('metrics have the names of the release', async (t) => {
  await server.post(MAPS, { metadata: { name: 'counted' } });
  await server.get(`${MAPS}/counted`);
  const text = await scraped();
  for (const line of [
    /^kubernetes_build_info\{.*git_version="v1\.37\.2\+shardplane".*minor="37".*\} 1$/m,
    /^kubernetes_feature_enabled\{name="AllowDNSOnlyNodeCSR",stage="DEPRECATED"\} 0$/m,
    /^kubernetes_feature_enabled\{name="APIServerIdentity",stage="BETA"\} 1$/m,
    /^apiserver_request_sli_duration_seconds_count\{.*resource="configmaps".*verb="GET".*\} 1$/m,
    /^apiserver_resource_objects\{group="apps",resource="deployments"\} \d+$/m,
    /^apiserver_request_body_size_bytes_count\{group="",resource="configmaps",verb="create"\} [1-9]\d*$/m,
    /^authorization_attempts_total\{result="allowed"\} [1-9]\d*$/m,
    /^etcd_request_duration_seconds_bucket\{group="",operation="create",resource="configmaps",le="0\.2"\} /m,
    /^# HELP workqueue_depth \[BETA\] /m,
    /^apiserver_resource_objects\{group="",resource="configmaps"\} \d+$/m,
  ]) {
    t.ok(line.test(text), String(line));
  }
  for (const gone of [
    'kubernetes_healthcheck',
    'apiserver_dropped_requests_total',
    'apiserver_longrunning_gauge',
    'apiserver_registered_watchers',
    'apiserver_request_slo_duration_seconds',
    'apiserver_storage_objects',
    'etcd_object_counts',
  ]) {
    t.notOk(text.includes(gone), gone);
  }
});

t.test('the dashboard asks for those too', async (t) => {
  const queries = dashboardQueries(readFileSync(DASHBOARD, 'utf8'));
  const asked = queries.filter(({ expression }) =>
    expression.includes('apiserver_resource_objects'),
  );
  const series = seriesOf(await scraped());
  t.equal(asked.length, 2);
  for (const query of asked) t.equal(unanswered(query, series), undefined, query.title);
});

const LEVELS = '/apis/flowcontrol.apiserver.cluster.io/v1/prioritylevelconfigurations';
const SCHEMAS = '/apis/flowcontrol.apiserver.cluster.io/v1/flowschemas';
const KEPT = 'apf.cluster.io/autoupdate-spec';

async function flowSchemas(path: string): Promise<readonly string[]> {
  const { json } = await server.get(path);
  return json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

t.test('flow control has its objects from the start', async (t) => {
  const schemas = await flowSchemas(SCHEMAS);
  t.equal(schemas.length, 11);
  t.notOk(schemas.includes('workload-leader-election'), 'which releases before had');
  const { json: level } = await server.get(`${LEVELS}/node-high`);
  t.match(level.metadata, {
    generation: 1,
    annotations: { [KEPT]: 'true' },
    managedFields: [
      {
        manager: 'api-priority-and-fairness-config-producer-v1',
        operation: 'Update',
        apiVersion: 'flowcontrol.apiserver.cluster.io/v1',
      },
    ],
  });
  t.same(level.spec, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 40,
      limitResponse: {
        type: 'Queue',
        queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 },
      },
      lendablePercent: 25,
    },
  });
  const dangling = async (name: string) =>
    (await server.get(`${SCHEMAS}/${name}`)).json.status.conditions?.[0]?.message;
  const told = 'This FlowSchema references the PriorityLevelConfiguration object named';
  await until(async () => (await dangling('probes')) !== undefined);
  t.equal(await dangling('probes'), `${told} "exempt" and it exists`);
  const spec = { matchingPrecedence: 5, priorityLevelConfiguration: { name: 'late' } };
  await server.post(SCHEMAS, { metadata: { name: 'early' }, spec });
  await until(
    async () => (await dangling('early')) === `${told} "late" but there is no such object`,
  );
  await server.post(LEVELS, { metadata: { name: 'late' }, spec: level.spec });
  await until(async () => (await dangling('early')) === `${told} "late" and it exists`);
  const { json: leaders } = await server.get(`${SCHEMAS}/system-leader-election`);
  t.match(leaders.spec.rules[0].subjects.at(-1), {
    kind: 'ServiceAccount',
    serviceAccount: { namespace: 'cluster-system', name: '*' },
  });
});

t.test('each group version that is served has its APIService', async (t) => {
  const services = '/apis/apiregistration.cluster.io/v1/apiservices';
  const { json: apps } = await server.get(`${services}/v1.apps`);
  t.same(apps.metadata.labels, { 'kube-aggregator.cluster.io/automanaged': 'onstart' });
  t.same(apps.spec, {
    group: 'apps',
    version: 'v1',
    groupPriorityMinimum: 17_800,
    versionPriority: 15,
  });
  t.match(apps.status.conditions, [{ type: 'Available', status: 'True', reason: 'Local' }]);
  t.equal((await server.get(`${services}/v1.`)).json.spec.groupPriorityMinimum, 18_000);
  const definition = customDefinition('kept.test', 'Thing', [definedVersion('v1')]);
  await established(server, definition);
  const custom = `${services}/v1.kept.test`;
  const isThere = async (): Promise<boolean> => (await server.get(custom)).status === 200;
  await until(isThere);
  const { json } = await server.get(custom);
  t.match(json, {
    metadata: { labels: { 'kube-aggregator.cluster.io/automanaged': 'true' } },
    spec: { groupPriorityMinimum: 1_000, versionPriority: 100 },
  });
  await server.request('DELETE', custom);
  await until(isThere);
  const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
  await server.request('DELETE', `${definitions}/${definition.metadata.name}`);
  await until(async () => !(await isThere()));
});

t.test('one in between has what is about to go, and what comes', async (t) => {
  const merge = { 'content-type': 'application/merge-patch+json' };
  const patched = async (path: string, patch: object): Promise<void> => {
    const { status } = await server.request('PATCH', path, JSON.stringify(patch), merge);
    t.equal(status, 200, path);
  };
  const limited = { limited: { nominalConcurrencyShares: 31 } };
  await patched(`${LEVELS}/workload-low`, { spec: limited });
  await patched(`${LEVELS}/system`, {
    metadata: { annotations: { [KEPT]: 'false' } },
    spec: limited,
  });
  await patched(`${LEVELS}/node-high`, {
    metadata: { annotations: { [KEPT]: null } },
    spec: limited,
  });
  const { json: schema } = await server.get(`${SCHEMAS}/probes`);
  await server.request('DELETE', `${SCHEMAS}/probes`);
  const { spec } = schema;
  const annotations = { [KEPT]: 'true' };
  await server.post(SCHEMAS, { metadata: { name: 'of-another-release', annotations }, spec });
  await server.post(SCHEMAS, { metadata: { name: 'of-a-user' }, spec });
  await server.stop();
  await server.restart({ args: ['--release', '1.27', '--allow-lower-release', ...FLOWS] });
  await server.get(MAPS);
  const text = await scraped();
  for (const part of [
    '\napiserver_request_sli_duration_seconds_count{',
    '\napiserver_request_slo_duration_seconds_count{',
    '# HELP apiserver_request_slo_duration_seconds [ALPHA] (Deprecated from 1.27) ',
    '\napiserver_storage_objects{resource="deployments.apps"} ',
  ]) {
    t.ok(text.includes(part), part);
  }
  t.notOk((await server.get('/version')).json.emulationMajor);
  const schemas = await flowSchemas(SCHEMAS.replace('/v1/', '/v1beta3/'));
  t.ok(schemas.includes('workload-leader-election'), 'which the release has');
  t.ok(schemas.includes('probes'), 'what was removed is back');
  t.ok(schemas.includes('of-a-user'));
  t.notOk(schemas.includes('of-another-release'), 'what was kept there, and is not here');
  const level = async (name: string) =>
    (await server.get(`${LEVELS.replace('/v1/', '/v1beta3/')}/${name}`)).json;
  const shares = async (name: string) => (await level(name)).spec.limited.nominalConcurrencyShares;
  t.equal(await shares('workload-low'), 100, 'mended, as it says that it is kept');
  t.equal(await shares('system'), 31, 'its owners keep it themselves');
  t.equal(await shares('node-high'), 31, 'somebody has changed it');
  t.equal((await level('node-high')).metadata.annotations[KEPT], 'false', 'which is said now');
});
