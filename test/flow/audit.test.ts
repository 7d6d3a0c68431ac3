/** The audit log of a server, from outside: what it tells, and that it tells all of it once. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { deprecationWarning, BUILT_IN_TYPES } from '../../src/types/served-types.ts';
import { eventsIn, type WrittenEvent } from '../support/audit-events.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startAdmissionWebhook, type Behaviour } from '../support/admission-webhook.ts';
import { CONFIG_MAPS as RULE, Hooked } from '../support/hooked.ts';
import { startHttpsService } from '../support/https-service.ts';
import { startServer } from '../support/server.ts';

// The log is read as it is written: in the names that the server was given.
const DOMAIN = ['--api-domain', 'cluster.io'];
const POLICY = `{apiVersion: audit.cluster.io/v1, kind: Policy, rules: [
  {level: None, nonResourceURLs: ["/readyz*"]},
  {level: Metadata, resources: [{group: "", resources: [secrets]}]},
  {level: RequestResponse, omitManagedFields: true}]}`;

const folder = t.testdir({ 'policy.yaml': POLICY });
const log = join(folder, 'audit.log');
const policy = ['--audit-policy-file', join(folder, 'policy.yaml')];
const server = await startServer({
  test: t,
  args: [
    ...DOMAIN,
    ...policy,
    '--audit-log-path',
    log,
    '--audit-log-maxsize=1',
    '--disable-admission-plugins=ServiceAccount',
  ],
});
let lastId = 0;
const nextId = (): string => `test-${++lastId}`;

/** The events of a request, once all are there that are to be. */
function eventsOf(auditId: string): readonly WrittenEvent[] {
  return eventsIn(log).filter(({ auditID }) => auditID === auditId);
}

async function lastEventOf(auditId: string): Promise<WrittenEvent> {
  let events: readonly WrittenEvent[] = [];
  await until(async () => {
    events = eventsOf(auditId);
    return events.some(({ stage }) => stage === 'ResponseComplete');
  });
  const last = events.at(-1);
  if (last === undefined) throw new Error(`no event of ${auditId}`);
  return last;
}

async function deprecatedUses(): Promise<readonly string[]> {
  const { text } = await server.get('/metrics');
  return [...text.matchAll(/^apiserver_requested_deprecated_apis(.*)$/gm)]
    .map(([, uses = '']) => uses)
    .sort();
}

t.test('an answered write is told of with who, what and why', async (t) => {
  const id = nextId();
  const body = configMap('told', { a: 'b' });
  const answer = await server.post(CONFIG_MAPS, body, { 'audit-id': id });
  t.same(
    eventsOf(id).map(({ stage }) => stage),
    ['RequestReceived', 'ResponseComplete'],
  );
  const event = await lastEventOf(id);
  t.equal(event['user'].username, 'admin');
  t.match(event['objectRef'], { resource: 'configmaps', namespace: 'default', name: 'told' });
  t.same(event['responseStatus'], { metadata: {}, code: 201 });
  t.same(event['requestObject'], body);
  const { managedFields, ...metadata } = answer.json.metadata;
  t.ok(managedFields);
  t.same(event['responseObject'], { ...answer.json, metadata });
  t.same(event['annotations'], {
    'authorization.cluster.io/decision': 'allow',
    'authorization.cluster.io/reason': '',
  });
  t.same(event['sourceIPs'], ['127.0.0.1']);
});

t.test('bodies and answers in other forms are told as JSON', async (t) => {
  const id = nextId();
  const yaml = { 'audit-id': id, 'content-type': 'application/yaml', accept: 'application/yaml' };
  const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yam}\ndata: {a: "1"}\n';
  await server.request('POST', CONFIG_MAPS, body, yaml);
  const event = await lastEventOf(id);
  t.same(event['requestObject'].data, { a: '1' });
  t.equal(event['responseObject'].metadata.name, 'yam');
  const read = nextId();
  const accept = 'application/vnd.cluster.protobuf';
  await server.get(CONFIG_MAPS, { 'audit-id': read, accept });
  const { responseObject } = await lastEventOf(read);
  t.equal(responseObject.kind, 'ConfigMapList');
  t.ok(responseObject.items.length >= 2);
});

t.test('what has a say in a write is told', async (t) => {
  const id = nextId();
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} };
  const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
  const path = '/api/v1/namespaces/default/pods?dryRun=All';
  const made = await server.post(path, { ...pod, spec }, { 'audit-id': id });
  t.equal(made.status, 201, made.text);
  const key = 'pod-security.cluster.io/enforce-policy';
  t.equal((await lastEventOf(id))['annotations'][key], 'privileged:latest');
});

t.test('whoever asks for a version that is to go is warned, told of and counted', async (t) => {
  // Alpha versions are off.
  const toGo = BUILT_IN_TYPES.filter(
    ({ version, deprecated }) => deprecated !== undefined && !version.includes('alpha'),
  );
  t.equal(toGo.length, 10);
  const series = toGo.map(({ definition: { plural }, group, version, deprecated }) => {
    const labels = `resource="${plural}",subresource="",version="${version}"`;
    return `{group="${group}",removed_release="${deprecated?.removedIn}",${labels}} 1`;
  });
  t.same(await deprecatedUses(), [], 'nobody has asked yet');
  for (const type of toGo) {
    const { groupVersion, definition, deprecated } = type;
    const id = nextId();
    const path = `/apis/${groupVersion}/${definition.plural}`;
    const { status, headers } = await server.get(path, { 'audit-id': id });
    t.same([status, headers['warning']], [200, `299 - "${deprecationWarning(type)}"`], path);
    t.match((await lastEventOf(id))['annotations'], {
      'cluster.io/deprecated': 'true',
      'cluster.io/removed-release': deprecated?.removedIn,
    });
  }
  await until(async () => (await deprecatedUses()).length === series.length);
  t.same(await deprecatedUses(), series.sort());
  const statuses = nextId();
  await server.get('/api/v1/componentstatuses', { 'audit-id': statuses });
  t.match((await lastEventOf(statuses))['annotations'], { 'cluster.io/deprecated': 'true' });
});

t.test('what webhooks say of the single deletions of a collection is told once', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const here = new Hooked(server, webhook, 'audited');
  await here.begin();
  for (const name of ['a', 'b']) await here.make(name);
  const behaviour: Behaviour = ({ request }) => {
    const { name } = (request.oldObject?.['metadata'] ?? {}) as { readonly name?: string };
    return { warnings: [`careful with ${name}`, 'careful'], auditAnnotations: { seen: 'yes' } };
  };
  const rules = [{ ...RULE, operations: ['DELETE'] }];
  await here.register(t, 'Validating', { deletions: { behaviour, rules } });
  const id = nextId();
  const { headers } = await server.delete(here.path(), undefined, { 'audit-id': id });
  t.match(headers['warning'], /"careful with a".*"careful".*"careful with b"/);
  t.match((await lastEventOf(id))['annotations'], { 'deletions.example.com/seen': 'yes' });
});

t.test('documents of discovery, and refusals on such paths, are told too', async (t) => {
  const id = nextId();
  await server.get('/apis/apps', { 'audit-id': id });
  t.match((await lastEventOf(id))['responseObject'], { kind: 'APIGroup', name: 'apps' });
  const refused = nextId();
  await server.get('/metrics', { 'impersonate-user': 'jane', 'audit-id': refused });
  t.match((await lastEventOf(refused))['responseObject'], { kind: 'Status', code: 403 });
});

t.test('who acts as somebody else, is refused, or not known at all', async (t) => {
  const acting = nextId();
  const jane = { 'impersonate-user': 'jane', 'audit-id': acting };
  await server.get('/api/v1/namespaces/default/secrets', jane);
  const event = await lastEventOf(acting);
  t.equal(event['level'], 'Metadata');
  t.equal(event['user'].username, 'admin');
  t.equal(event['impersonatedUser'].username, 'jane');
  t.equal(event['annotations']['authorization.cluster.io/decision'], 'forbid');
  t.match(event['responseStatus'], { status: 'Failure', reason: 'Forbidden', code: 403 });
  t.notOk('responseObject' in event);
  const unknown = nextId();
  const headers = { authorization: 'Bearer wrong', 'audit-id': unknown };
  t.equal((await server.get(CONFIG_MAPS, headers)).status, 401);
  t.match(eventsOf(unknown), [
    { stage: 'ResponseStarted', user: {}, responseStatus: { code: 401 } },
  ]);
});

t.test('a watch is told of when it begins, and when it ends', async (t) => {
  const id = nextId();
  const answer = await server.get(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`, { 'audit-id': id });
  t.equal(answer.status, 200);
  await lastEventOf(id);
  t.same(
    eventsOf(id).map(({ stage }) => stage),
    ['RequestReceived', 'ResponseStarted', 'ResponseComplete'],
  );
});

t.test('every answered request is told of once, over old files and a crash', async (t) => {
  const answered: string[] = [];
  const ask = async (at: number): Promise<void> => {
    const id = nextId();
    const headers = { 'audit-id': id };
    const name = `load-${at}`;
    const data = { text: 'x'.repeat(16_000) };
    if (at % 4 === 0) await server.post(CONFIG_MAPS, configMap(name, data), headers);
    else if (at % 4 === 1) await server.get(`${CONFIG_MAPS}?limit=2`, headers);
    else if (at % 4 === 2) await server.get(`${CONFIG_MAPS}/nobody`, headers);
    else await server.delete(`${CONFIG_MAPS}/load-${at - 3}`, undefined, headers);
    answered.push(id);
  };
  const load = async (from: number): Promise<void> => {
    for (let at = from; at < from + 60; at++) await ask(at).catch(() => undefined);
  };
  const running = Promise.all([0, 60, 120, 180].map(load));
  await until(async () => answered.length > 180);
  await server.kill();
  await running;
  const counts = new Map<string, number>();
  for (const { auditID, stage } of eventsIn(log)) {
    const key = `${auditID} ${stage}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const stages = ['RequestReceived', 'ResponseComplete'];
  const wrong = answered.flatMap((id) =>
    stages.filter((stage) => counts.get(`${id} ${stage}`) !== 1).map((stage) => `${id} ${stage}`),
  );
  t.same(wrong, [], `all of ${answered.length}`);
  const files = readdirSync(folder).filter((name) => /^audit-.*\.log$/.test(name));
  t.ok(files.length > 0, `${files.length} files were full`);
  t.same(
    [...counts].filter(([, count]) => count > 1),
    [],
    'nothing is told twice',
  );
});

t.test('a batch is written, and sent, when the server stops', async (t) => {
  const path = join(folder, 'batch.log');
  const mode = ['--audit-log-mode', 'batch', '--audit-log-batch-max-size', '5000'];
  const more = [...mode, '--audit-log-batch-max-wait', '1h', '--fronts', '2'];
  const service = await startHttpsService(t, () => '');
  const clusters = [{ cluster: { server: service.url, 'insecure-skip-tls-verify': true } }];
  writeFileSync(join(folder, 'webhook.yaml'), JSON.stringify({ clusters }));
  const webhook = ['--audit-webhook-config-file', join(folder, 'webhook.yaml')];
  const args = [...DOMAIN, ...policy, '--audit-log-path', path, ...more, ...webhook];
  await server.restart({ args });
  const ids = Array.from({ length: 20 }, nextId);
  await Promise.all(ids.map((id) => server.get(CONFIG_MAPS, { 'audit-id': id })));
  t.same(eventsIn(path), [], 'nothing is written before');
  await server.stop();
  const completed = (events: readonly WrittenEvent[]): readonly string[] =>
    events
      .filter(({ auditID, stage }) => stage === 'ResponseComplete' && ids.includes(auditID))
      .map(({ auditID }) => auditID)
      .toSorted();
  t.same(completed(eventsIn(path)), ids.toSorted());
  const sent = service.requests.map(({ body }) => JSON.parse(body));
  t.ok(sent.every(({ kind }) => kind === 'EventList'));
  t.same(completed(sent.flatMap(({ items }) => items)), ids.toSorted(), 'and sent');
});

const isLinux = process.platform === 'linux';

t.test('a full disk refuses requests in the strict mode', { skip: !isLinux }, async (t) => {
  const full = ['--audit-log-path', '/dev/full', '--audit-log-mode', 'blocking-strict'];
  await server.restart({ args: [...DOMAIN, ...policy, ...full] });
  const refused = await server.get(CONFIG_MAPS);
  t.equal(refused.status, 500);
  t.match(refused.text, /^Internal Server Error: .*: failed to store audit event\n$/);
  t.equal((await server.get('/readyz')).status, 200, 'what is not told of is served');
  t.match(server.stderr, /audit: the log has lost 1 event: ENOSPC/);
  await server.stop();
  const lossy = ['--audit-log-path', '/dev/full'];
  await server.restart({ args: [...DOMAIN, ...policy, ...lossy] });
  t.equal((await server.get(CONFIG_MAPS)).status, 200, 'others lose events, and count them');
  const { text } = await server.get('/metrics');
  t.match(text, /^apiserver_audit_error_total\{plugin="log"\} [1-9]/m);
  t.match(text, /^apiserver_audit_level_total\{level="RequestResponse"\} [1-9]/m);
  await server.stop();
});

t.test('a log that cannot be written ends the start with one line', async (t) => {
  const nowhere = ['--audit-log-path', join(folder, 'policy.yaml/audit.log')];
  await t.rejects(server.restart({ args: [...DOMAIN, ...policy, ...nowhere] }), {
    message: /shardplane: cannot write the audit log: EN?[A-Z]+.*\n$/,
  });
});
