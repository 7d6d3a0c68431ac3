/** PodSecurity over HTTP: what writers of pods, of what makes pods, and of namespaces are told. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { labelled, podWith, type PodChange } from '../admission/pod-security/pods.ts';
import { expectFailure } from '../support/expect-status.ts';
import { until } from '../support/owned-objects.ts';
import { sendPatch } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const NAMESPACES = '/api/v1/namespaces';
const HOST: PodChange = { spec: { hostNetwork: true } };
const WHY = 'host namespaces (hostNetwork=true)';

/** They concern one test and no other. */
const SETTINGS = `\
apiVersion: apiserver.config.cluster.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.cluster.io/v1beta1
    kind: PodSecurityConfiguration
    exemptions: {namespaces: [free], runtimeClasses: [boxed]}
`;
const folder = mkdtempSync(join(tmpdir(), 'shardplane-settings-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'admission.yaml');
writeFileSync(file, SETTINGS.replaceAll('cluster.io', SERVER_DIALECT.domain));
const args = [
  '--durability=relaxed',
  // Accounts would have to be there.
  '--disable-admission-plugins=ServiceAccount',
  `--admission-control-config-file=${file}`,
];
const server = await startServer({ test: t, args });

t.test('the numbers are told before anything is decided', async (t) => {
  const policy = 'mode="enforce",policy_level="privileged",policy_version="latest"';
  const expected = ['create', 'update'].flatMap((operation) => {
    const of = (resource: string): string =>
      `request_operation="${operation}",resource="${resource}",subresource=""`;
    return [
      `evaluations_total{decision="allow",${policy},${of('pod')}}`,
      `exemptions_total{${of('controller')}}`,
      `exemptions_total{${of('pod')}}`,
    ];
  });
  const told = await counted();
  t.same([...told.keys()].toSorted(), expected.toSorted());
  t.same([...new Set(told.values())], [0]);
});

const podsOf = (namespace: string): string => `${NAMESPACES}/${namespace}/pods`;

async function namespace(name: string, labels = ''): Promise<void> {
  const made = await server.post(NAMESPACES, { metadata: { name, labels: labelled(labels) } });
  if (made.status !== 201) throw new Error(made.text);
}

const relabel = async (name: string, labels: string, query = ''): Promise<Answer> => {
  const body = { metadata: { labels: labelled(labels) } };
  return sendPatch(server, `${NAMESPACES}/${name}${query}`, 'merge', body);
};

/** The texts of its warnings. */
function warnings({ headers: { warning = '' } }: Answer): string[] {
  const values = String(warning).split(/, (?=299 - )/);
  return values.map((value) => value.replace(/^299 - "(.*)"$/, '$1').replaceAll('\\"', '"'));
}

t.test('pods that are not of the level are refused', async (t) => {
  await namespace('enforced', 'enforce=baseline warn=restricted');
  const pods = podsOf('enforced');
  const refusal = (name: string) => ({
    code: 403,
    reason: 'Forbidden',
    message: `pods "${name}" is forbidden: violates PodSecurity "baseline:latest": ${WHY}`,
    details: { name, kind: 'pods' },
  });
  const refused = await server.post(pods, podWith(HOST));
  expectFailure(t, refused, refusal('p'));
  t.equal(refused.headers['warning'], undefined, 'who is refused is not warned too');
  expectFailure(t, await server.post(`${pods}?dryRun=All`, podWith(HOST)), refusal('p'));
  const applied = { apiVersion: 'v1', kind: 'Pod', ...podWith(HOST, 'applied') };
  const applying = sendPatch(server, `${pods}/applied?fieldManager=x`, 'apply', applied);
  expectFailure(t, await applying, refusal('applied'));
  const generated = { ...podWith(HOST), metadata: { generateName: 'gen-' } };
  expectFailure(t, await server.post(pods, generated), {
    code: 403,
    message: /^pods "gen-[a-z0-9]{5}" is forbidden: violates PodSecurity "baseline:latest": host/,
  });
  t.equal((await server.get(pods)).json.items.length, 0);
  const warned = await server.post(pods, podWith({ context: { runAsUser: 0 } }));
  t.equal(warned.status, 201);
  const text = 'would violate PodSecurity "restricted:latest": runAsUser=0 (pod must not set';
  t.match(warnings(warned), [text]);
});

t.test('pods that are there already may change as long as what runs stays', async (t) => {
  await namespace('there');
  await server.post(podsOf('there'), podWith(HOST));
  await server.post(podsOf('there'), podWith({}, 'good'));
  await relabel('there', 'enforce=baseline');
  const path = `${podsOf('there')}/p`;
  const change = async (body: object, at = path): Promise<number> =>
    (await sendPatch(server, at, 'strategic', body)).status;
  const image = { spec: { containers: [{ name: 'c', image: 'j' }] } };
  const ephemeral = (context: object) => {
    const container = { name: 'e', image: 'i', securityContext: context };
    return { spec: { ephemeralContainers: [container] } };
  };
  t.equal(await change({ metadata: { labels: { a: 'b' } } }), 200);
  t.equal(await change({ status: { phase: 'Running' } }, `${path}/status`), 200);
  t.equal(await change(image), 403);
  t.equal(await change(ephemeral({}), `${path}/ephemeralcontainers`), 403);
  const good = `${podsOf('there')}/good`;
  t.equal(await change(image, good), 200);
  t.equal(await change(ephemeral({ privileged: true }), `${good}/ephemeralcontainers`), 403);
  t.equal(await change(ephemeral({}), `${good}/ephemeralcontainers`), 200);
  const target = { kind: 'Node', name: 'n' };
  t.equal((await server.post(`${path}/binding`, { metadata: { name: 'p' }, target })).status, 201);
  t.equal((await server.delete(`${path}?gracePeriodSeconds=0`)).status, 200);
});

t.test('those who write what makes pods are warned', async (t) => {
  await namespace('made', 'enforce=baseline warn=baseline');
  const { spec } = podWith(HOST);
  const selector = { matchLabels: { a: 'b' } };
  const template = { metadata: { labels: { a: 'b' } }, spec };
  const path = '/apis/apps/v1/namespaces/made/deployments';
  const text = `would violate PodSecurity "baseline:latest": ${WHY}`;
  const made = await server.post(path, { metadata: { name: 'd' }, spec: { selector, template } });
  t.equal(made.status, 201);
  t.same(warnings(made), [text]);
  const labelling = sendPatch(server, `${path}/d`, 'merge', { metadata: { labels: { a: 'b' } } });
  t.same(warnings(await labelling), [text]);
  const scaled = await sendPatch(server, `${path}/d/scale`, 'merge', { spec: { replicas: 2 } });
  t.same([scaled.status, scaled.headers['warning']], [200, undefined]);
  const cron = { schedule: '* * * * *', jobTemplate: { spec: { template: { spec } } } };
  const jobs = '/apis/batch/v1/namespaces/made/cronjobs';
  const job = { ...spec, restartPolicy: 'Never' };
  cron.jobTemplate.spec.template.spec = job;
  t.same(warnings(await server.post(jobs, { metadata: { name: 'c' }, spec: cron })), [text]);
});

t.test('a namespace asks for levels that there are', async (t) => {
  await namespace('labels');
  const refused = await relabel('labels', 'enforce=Baseline warn-version=1');
  expectFailure(t, refused, {
    code: 422,
    reason: 'Invalid',
    message: /^Namespace "labels" is invalid: \[/,
  });
  t.match(refused.json.details.causes, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: "Baseline": must be one of privileged, baseline, restricted',
      field: 'metadata.labels[pod-security.cluster.io/enforce]',
    },
    { field: 'metadata.labels[pod-security.cluster.io/warn-version]' },
  ]);
  const metadata = { name: 'new', labels: labelled('audit=x') };
  t.equal((await server.post(NAMESPACES, { metadata })).status, 422);
});

t.test('who makes a namespace stricter is told of its pods', async (t) => {
  await namespace('stricter');
  // More than are read at once, and the last one counts.
  const names = ['a', ...Array.from({ length: 260 }, (_, index) => `good-${index}`), 'z'];
  const making = names.map((name) => {
    const change = name.startsWith('good') ? {} : HOST;
    return server.post(podsOf('stricter'), podWith(change, name));
  });
  t.ok((await Promise.all(making)).every(({ status }) => status === 201));
  const level = 'violate the new PodSecurity enforce level "baseline:latest"';
  const told = [
    `existing pods in namespace "stricter" ${level}`,
    'a (and 1 other pod): host namespaces',
  ];
  t.same(warnings(await relabel('stricter', 'enforce=baseline')), told);
  t.equal((await relabel('stricter', 'warn=baseline')).headers['warning'], undefined);
  const dryRun = await relabel('stricter', 'enforce-version=v1.0', '?dryRun=All');
  t.equal(warnings(dryRun)[1], told[1]);
});

t.test('settings exempt namespaces and classes', async (t) => {
  await namespace('free', 'enforce=baseline');
  t.equal((await server.post(podsOf('free'), podWith(HOST))).status, 201);
  await namespace('bound', 'enforce=baseline');
  const boxed = { metadata: { name: 'boxed' }, handler: 'box' };
  await server.post('/apis/node.cluster.io/v1/runtimeclasses', boxed);
  const pod = podWith({ spec: { hostNetwork: true, runtimeClassName: 'boxed' } });
  t.equal((await server.post(podsOf('bound'), pod)).status, 201);
  t.equal((await server.post(podsOf('bound'), podWith(HOST))).status, 403);
});

t.test('what is decided is counted', async (t) => {
  await namespace('counted', 'enforce=baseline enforce-version=v1.20 warn=restricted');
  await namespace('later', 'audit=baseline audit-version=v1.99');
  const before = await counted();
  await server.post(podsOf('counted'), podWith({ context: { runAsNonRoot: false } }));
  await server.post(podsOf('counted'), podWith(HOST));
  await server.post(podsOf('later'), podWith(HOST));
  await server.post(`${podsOf('free')}?dryRun=All`, podWith(HOST, 'q'));
  const ofPod = 'request_operation="create",resource="pod",subresource=""';
  const evaluation = (decision: string, mode: string, level: string, version: string): string =>
    `evaluations_total{decision="${decision}",mode="${mode}",policy_level="${level}",` +
    `policy_version="${version}",${ofPod}}`;
  const expected = [
    evaluation('allow', 'enforce', 'baseline', 'v1.20'),
    evaluation('allow', 'enforce', 'privileged', 'latest'),
    evaluation('deny', 'audit', 'baseline', 'future'),
    evaluation('deny', 'enforce', 'baseline', 'v1.20'),
    evaluation('deny', 'warn', 'restricted', 'latest'),
    `exemptions_total{${ofPod}}`,
  ];
  // Who asks soon gets the last scrape again.
  let grown: readonly string[] = [];
  await until(async () => {
    const isMore = ([series, count]: [string, number]): boolean =>
      count !== (before.get(series) ?? 0);
    grown = [...(await counted())].filter(isMore).map(([series]) => series);
    return grown.length >= expected.length;
  });
  t.same(grown.toSorted(), expected.toSorted());
});

/** The numbers of PodSecurity, by their series. */
async function counted(): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.get('/metrics');
  const lines = text.matchAll(/^pod_security_(?<series>.*) (?<count>[0-9]+)$/gm);
  return new Map(Array.from(lines, ({ 1: series = '', 2: count }) => [series, Number(count)]));
}
