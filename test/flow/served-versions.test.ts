/** One stored object in all versions that serve it. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { kindNamed, minimalObject } from '../support/kinds.ts';
import { sendPatch } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const V1 = '/apis/batch/v1/namespaces/default/cronjobs';
const BETA = '/apis/batch/v1beta1/namespaces/default/cronjobs';
const CORE_EVENTS = '/api/v1/namespaces/default/events';
const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';
const WARNING =
  '299 - "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; ' +
  'use batch/v1 CronJob"';

const cronJob = (name: string, apiVersion = 'batch/v1') => ({
  ...minimalObject(kindNamed('CronJob'), name),
  apiVersion,
});

const coreEvent = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web', apiVersion: 'v1' },
  reason: 'Started',
  message: 'it runs',
  source: { component: 'agent', host: 'node-1' },
  firstTimestamp: '2024-01-01T00:00:00Z',
  lastTimestamp: '2024-01-01T00:01:00Z',
  count: 3,
  type: 'Normal',
});

t.test('what is written in one version is read in the other', async (t) => {
  const made = await server.post(BETA, cronJob('both', 'batch/v1beta1'));
  t.equal(made.status, 201, made.text);
  t.equal(made.json.apiVersion, 'batch/v1beta1');
  const read = await server.get(`${V1}/both`);
  t.same(read.json, { ...made.json, apiVersion: 'batch/v1' });

  read.json.spec.suspend = true;
  const updated = await server.put(`${V1}/both`, read.json);
  t.equal(updated.status, 200);
  const beta = await server.get(`${BETA}/both`);
  t.equal(beta.json.spec.suspend, true);
  t.equal(beta.json.metadata.resourceVersion, updated.json.metadata.resourceVersion);
  const stale = await server.put(`${BETA}/both`, made.json);
  expectFailure(t, stale, { code: 409, reason: 'Conflict' });

  const list = await server.get(BETA);
  t.equal(list.json.apiVersion, 'batch/v1beta1');
  t.equal(list.json.kind, 'CronJobList');
  t.equal(list.json.items[0].apiVersion, undefined);
  const status = await server.get(`${BETA}/both/status`);
  t.equal(status.json.apiVersion, 'batch/v1beta1');
});

t.test('a body in another version than that of the path is refused', async (t) => {
  expectFailure(t, await server.post(BETA, cronJob('wrong')), {
    code: 400,
    reason: 'BadRequest',
    message:
      'the API version in the data (batch/v1) does not match the expected API version ' +
      '(batch/v1beta1)',
  });
});

t.test('users of a deprecated version are warned, whatever they do', async (t) => {
  const answers = [
    await server.post(BETA, cronJob('warned', 'batch/v1beta1')),
    await server.get(`${BETA}/warned`),
    await server.get(BETA),
    await server.get('/apis/batch/v1beta1/cronjobs?limit=1'),
    await server.get(`${BETA}/missing`),
    await server.delete(`${BETA}/warned?propagationPolicy=Background`),
  ];
  for (const { headers, status } of answers) t.equal(headers['warning'], WARNING, String(status));
  const watch = await server.watch(`${BETA}?watch=true&resourceVersion=0`);
  t.equal(watch.headers['warning'], WARNING);
  watch.close();
  t.equal((await server.get(V1)).headers['warning'], undefined, 'and nobody else');
});

t.test('watches of both versions see the same changes, each in its own words', async (t) => {
  const { resourceVersion } = (await server.get(V1)).json.metadata;
  const from = `watch=true&allowWatchBookmarks=true&timeoutSeconds=4&resourceVersion=${resourceVersion}`;
  const stable = await server.watch(`${V1}?${from}`);
  const beta = await server.watch(`${BETA}?${from}`);
  await server.post(V1, cronJob('watched'));
  await server.delete(`${V1}/watched`);
  for (const type of ['ADDED', 'DELETED', 'BOOKMARK']) {
    const [inV1, inBeta] = [await stable.next(), await beta.next()];
    t.equal(inV1?.type, type);
    t.equal(inV1?.object.apiVersion, 'batch/v1');
    t.equal(inBeta?.object.apiVersion, 'batch/v1beta1');
    if (type === 'BOOKMARK') break;
    t.same({ ...inBeta?.object, apiVersion: 'batch/v1' }, inV1?.object);
  }
  const state = await server.watch(`${BETA}?watch=true&resourceVersion=0`);
  t.equal((await state.next())?.object.apiVersion, 'batch/v1beta1', 'the state at the beginning');
  const history = await server.watch(`${BETA}?watch=true&resourceVersion=${resourceVersion}`);
  t.equal((await history.next())?.object.apiVersion, 'batch/v1beta1', 'and history');
  for (const watch of [stable, beta, state, history]) watch.close();
});

t.test('an Event has other names in the group of events', async (t) => {
  const watch = await server.watch(`${EVENTS}?watch=true&fieldSelector=regarding.name%3Dweb`);
  const made = await server.post(CORE_EVENTS, coreEvent('started'));
  t.equal(made.status, 201, made.text);
  const read = await server.get(`${EVENTS}/started`);
  t.match(read.json, {
    kind: 'Event',
    apiVersion: 'events.cluster.io/v1',
    regarding: { kind: 'Pod', name: 'web' },
    note: 'it runs',
    deprecatedSource: { component: 'agent', host: 'node-1' },
    deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2024-01-01T00:01:00Z',
    deprecatedCount: 3,
    type: 'Normal',
  });
  t.equal(read.json.involvedObject, undefined);
  const event = await watch.next();
  t.same(event?.object, read.json, 'watches too');
  watch.close();

  const selected = async (path: string, selector: string): Promise<string[]> => {
    const { json } = await server.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
    return (json.items ?? [json.message]).map((item: typeof json) => item.metadata?.name ?? item);
  };
  t.same(await selected(EVENTS, 'regarding.name=web'), ['started']);
  t.same(await selected(EVENTS, 'regarding.name=other'), []);
  t.same(await selected(CORE_EVENTS, 'involvedObject.name=web'), ['started']);
  t.same(await selected(CORE_EVENTS, 'regarding.name=web'), [
    'field label not supported: regarding.name',
  ]);
  t.same(await selected(CORE_EVENTS, 'source=agent'), ['started']);
  t.same(await selected(EVENTS, 'source=agent'), ['field label not supported: source']);
  const list = await server.get(EVENTS);
  t.equal(list.json.items[0].note, 'it runs');

  const own = await server.post(EVENTS, {
    metadata: { name: 'new-style' },
    eventTime: '2024-01-01T00:00:00.000001Z',
    regarding: { kind: 'Pod', namespace: 'default', name: 'web' },
    reportingController: 'example.com/agent',
    reportingInstance: 'agent-1',
    action: 'Run',
    reason: 'Started',
    type: 'Normal',
    note: 'it runs',
  });
  t.equal(own.status, 201, own.text);
  const core = await server.get(`${CORE_EVENTS}/new-style`);
  t.match(core.json, {
    apiVersion: 'v1',
    involvedObject: { name: 'web' },
    message: 'it runs',
    reportingComponent: 'example.com/agent',
  });
});

t.test('a stored version can be switched off, and its views stay', async (t) => {
  const settings = 'batch/v1=false,batch/v2alpha1';
  const own = await startServer({ test: t, args: ['--runtime-config', settings] });
  t.match(own.stderr, /^shardplane: --runtime-config: this server has no version batch\/v2alpha1/m);
  expectFailure(t, await own.get(V1), { code: 404, reason: 'NotFound' });
  t.equal((await own.post(BETA, cronJob('only', 'batch/v1beta1'))).status, 201);
  t.equal((await own.get(`${BETA}/only`)).status, 200);
  for (const alpha of ['node', 'storage', 'internal.apiserver', 'flowcontrol.apiserver']) {
    const version = `/apis/${alpha}.cluster.io/v1alpha1`;
    t.equal((await own.get(version)).status, 404, `${version}: alpha is off`);
  }
});

t.test('a RuntimeClass has a spec in v1alpha1', async (t) => {
  const classes = '/apis/node.cluster.io';
  const made = await server.post(`${classes}/v1alpha1/runtimeclasses?fieldManager=old`, {
    metadata: { name: 'alpha-class' },
    spec: { runtimeHandler: 'kata', overhead: { podFixed: { cpu: '1' } } },
  });
  t.equal(made.status, 201, made.text);
  const [entry] = made.json.metadata.managedFields;
  t.match(entry, { manager: 'old', apiVersion: 'node.cluster.io/v1alpha1' });
  t.same(entry.fieldsV1, {
    'f:spec': {
      'f:overhead': { '.': {}, 'f:podFixed': { '.': {}, 'f:cpu': {} } },
      'f:runtimeHandler': {},
    },
  });
  const path = 'runtimeclasses/alpha-class';
  const stored = await server.get(`${classes}/v1/${path}`);
  t.match(stored.json, { handler: 'kata', overhead: { podFixed: { cpu: '1' } } });
  t.notOk('spec' in stored.json);
  const patch = { scheduling: { nodeSelector: { a: 'b' } } };
  t.equal(
    (await sendPatch(server, `${classes}/v1/${path}?fieldManager=new`, 'merge', patch)).status,
    200,
  );
  const shown = await server.get(`${classes}/v1alpha1/${path}`);
  t.same(shown.json.spec, {
    runtimeHandler: 'kata',
    ...patch,
    overhead: { podFixed: { cpu: '1' } },
  });
  const changed = await sendPatch(server, `${classes}/v1alpha1/${path}`, 'merge', {
    spec: { runtimeHandler: 'runc' },
  });
  expectFailure(t, changed, { code: 422, reason: 'Invalid' });
  t.match(changed.json.message, 'handler: Invalid value: "runc": field is immutable');
});
