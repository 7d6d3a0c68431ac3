// Objects of types whose definitions name a conversion webhook: written in other versions.
import t from 'tap';
import { conversionCases } from '../support/conversion-cases.ts';
import { startConversionWebhook } from '../support/conversion-webhook.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ args: ['--durability', 'relaxed'] });
t.teardown(() => server.stop());
const webhook = await startConversionWebhook(t);
const cases = conversionCases(server, webhook);
const { define, configure, path, make, merge, objectOf } = cases;

function apply(at: string, document: unknown, query = 'fieldManager=me') {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  return server.request('PATCH', `${at}?${query}`, JSON.stringify(document), headers);
}

/** Managers with the versions in which they own fields, and the fields of the spec. */
function owners({ managedFields }: Members): unknown[] {
  return (managedFields as Members[]).map(({ manager, apiVersion, operation, fieldsV1 }) => [
    manager,
    String(apiVersion).split('/')[1],
    operation,
    Object.keys(((fieldsV1 as Members)['f:spec'] ?? {}) as Members).filter((name) => name !== '.'),
  ]);
}

t.test('an object is made in another version than the one that is stored', async (t) => {
  await define('firsts');
  const made = await make('firsts', 'v2', 'a', { host: 'h', port: '1', other: 1 });
  t.equal(made.status, 201, made.text);
  t.equal(made.json.apiVersion, 'flow.example.com/v2');
  t.same(made.json.spec, { host: 'h', port: '1', size: 'big' }, 'the default is of what is stored');
  t.equal(made.json.metadata.generation, 1);
  t.same(owners(made.json.metadata), [['unknown', 'v2', 'Update', ['f:host', 'f:port']]]);
  const stored = await server.get(path('firsts', 'v1', 'a'));
  t.same(stored.json.spec, { hostPort: 'h:1', size: 'big' });
  t.same(stored.json.metadata, made.json.metadata);

  const again = await make('firsts', 'v2', 'a', {});
  t.equal(again.json.reason, 'AlreadyExists');
  const dry = await server.post(
    `${path('firsts', 'v2')}?dryRun=All`,
    objectOf('firsts', 'v2', 'dry', { host: 'x' }),
  );
  t.match(dry.json, { apiVersion: 'flow.example.com/v2', spec: { host: 'x' } }, dry.text);
  t.equal((await server.get(path('firsts', 'v1', 'dry'))).status, 404);
  const named = await server.post(path('firsts', 'v2'), {
    ...objectOf('firsts', 'v2', '', {}),
    metadata: { generateName: 'n-' },
  });
  t.match(named.json.metadata.name, /^n-.{5}$/, named.text);
});

t.test('updates and patches change the object as it looks in their version', async (t) => {
  await define('seconds');
  const at = path('seconds', 'v2', 'a');
  const made = (await make('seconds', 'v1', 'a', { hostPort: 'h:1', replicas: 2 })).json;
  const read = (await server.get(at)).json;
  const put = await server.put(at, { ...read, spec: { ...read.spec, port: '2' } });
  t.equal(put.status, 200, put.text);
  t.same(put.json.spec, { host: 'h', port: '2', size: 'big', replicas: 2 });
  t.equal(put.json.metadata.generation, 2);
  const stale = await server.put(at, { ...read, spec: {} });
  t.equal(stale.json.reason, 'Conflict', stale.text);
  const same = await server.put(at, put.json);
  t.equal(same.json.metadata.resourceVersion, put.json.metadata.resourceVersion, 'nothing changed');

  const merged = await merge(at, { spec: { port: '3' } });
  t.match(
    merged.json,
    { spec: { host: 'h', port: '3' }, metadata: { generation: 3 } },
    merged.text,
  );
  const json = await server.request(
    'PATCH',
    at,
    JSON.stringify([
      { op: 'test', path: '/spec/port', value: '3' },
      { op: 'replace', path: '/spec/host', value: 'g' },
    ]),
    { 'content-type': 'application/json-patch+json' },
  );
  t.same(json.json.spec?.host, 'g', json.text);
  const unchanged = await merge(at, { spec: { host: 'g' } });
  t.equal(unchanged.json.metadata.resourceVersion, json.json.metadata.resourceVersion);
  const dry = await merge(`${at}?dryRun=All`, { spec: { port: '4' } });
  t.match(dry.json, { apiVersion: 'flow.example.com/v2', spec: { host: 'g', port: '4' } });
  t.same((await server.get(path('seconds', 'v1', 'a'))).json.spec, {
    hostPort: 'g:3',
    size: 'big',
    replicas: 2,
  });

  const status = await merge(`${at}/status`, { status: { replicas: 7 }, spec: { host: 'no' } });
  t.match(status.json, { spec: { host: 'g' }, status: { replicas: 7 } }, status.text);
  t.equal(status.json.metadata.generation, 4);
  const scale = await server.get(`${at}/scale`);
  t.match(
    scale.json,
    { kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 7 } },
    scale.text,
  );
  const scaled = await merge(`${at}/scale`, { spec: { replicas: 5 } });
  t.match(scaled.json, { kind: 'Scale', spec: { replicas: 5 } }, scaled.text);
  t.match((await server.get(path('seconds', 'v1', 'a'))).json, {
    spec: { hostPort: 'g:3', replicas: 5 },
    metadata: { uid: made.metadata.uid, generation: 5 },
  });
  const gone = await server.delete(at);
  t.equal(gone.json.status, 'Success', gone.text);
});

t.test('owners of fields own them in the versions that they wrote in', async (t) => {
  await define('thirds');
  const at = (version: string): string => path('thirds', version, 'a');
  const config = (version: string, spec: Members) => objectOf('thirds', version, 'a', spec);
  const applied = await apply(at('v2'), config('v2', { host: 'h', port: '1' }));
  t.equal(applied.status, 201, applied.text);
  t.same(owners(applied.json.metadata), [['me', 'v2', 'Apply', ['f:host', 'f:port']]]);
  const again = await apply(at('v2'), config('v2', { host: 'h', port: '1' }));
  t.equal(again.json.metadata.resourceVersion, applied.json.metadata.resourceVersion);

  const conflict = await apply(at('v2'), config('v2', { port: '2' }), 'fieldManager=other');
  t.equal(conflict.status, 409, conflict.text);
  const forced = await apply(
    at('v2'),
    config('v2', { port: '2' }),
    'fieldManager=other&force=true',
  );
  t.same(forced.json.spec, { host: 'h', port: '2', size: 'big' }, forced.text);
  t.same(owners(forced.json.metadata), [
    ['me', 'v2', 'Apply', ['f:host']],
    ['other', 'v2', 'Apply', ['f:port']],
  ]);
  // One field in v1 is two in v2, which nobody owns any more.
  const patched = await merge(at('v1'), { spec: { hostPort: 'x:5' } });
  t.equal(patched.status, 200, patched.text);
  t.same(owners(patched.json.metadata), [['unknown', 'v1', 'Update', ['f:hostPort']]]);
  const dropped = await apply(at('v3'), config('v3', { size: 's' }), 'fieldManager=me&force=true');
  t.same(dropped.json.spec, { host: 'x', port: '5', size: 's' }, dropped.text);
});

t.test('patches at the same time are all made', async (t) => {
  await define('fourths');
  await make('fourths', 'v1', 'a', { hostPort: 'h:1' });
  const changes = Array.from({ length: 5 }, (_, at) => ({
    metadata: { labels: { [`l${at}`]: 'x' } },
  }));
  const answers = await Promise.all(
    changes.map((change) => merge(path('fourths', 'v2', 'a'), change)),
  );
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const { labels } = (await server.get(path('fourths', 'v1', 'a'))).json.metadata;
  t.same(Object.keys(labels), ['l0', 'l1', 'l2', 'l3', 'l4']);
});

t.test('what waits for a webhook that hangs delays nobody else', async (t) => {
  await define('fifths');
  await make('fifths', 'v1', 'a', { hostPort: 'h:1' });
  await configure('fifths', 'hangs');
  webhook.reviews.length = 0;
  const made = make('fifths', 'v2', 'b', { host: 'h' });
  const patched = merge(path('fifths', 'v2', 'a'), { spec: { port: '2' } });
  await until(() => Promise.resolve(webhook.reviews.length === 2));
  t.equal((await make('fifths', 'v1', 'c', { hostPort: 'h:1' })).status, 201);
  const other = await merge(path('fifths', 'v1', 'a'), { spec: { size: 'small' } });
  t.equal(other.status, 200);
  await configure('fifths', 'right');
  webhook.release();
  t.equal((await made).status, 201);
  t.match(
    (await patched).json.spec,
    { host: 'h', port: '2', size: 'small' },
    'on what is there now',
  );
});

t.test('a webhook that fails fails writes in other versions, and no others', async (t) => {
  await define('sixths');
  await make('sixths', 'v1', 'a', { hostPort: 'h:1' });
  await configure('sixths', 'fails');
  const at = path('sixths', 'v2', 'a');
  const message = (version: string): string =>
    `conversion webhook for flow.example.com/${version}, Kind=Sixth failed: these are not the objects`;
  t.match((await make('sixths', 'v2', 'b', {})).json, { code: 500, message: message('v2') });
  t.match((await merge(at, { spec: { port: '2' } })).json, { code: 500, message: message('v1') });
  t.match((await apply(at, objectOf('sixths', 'v2', 'a', {}))).json, { message: message('v1') });
  t.match((await server.put(at, objectOf('sixths', 'v2', 'a', {}))).json, {
    message: message('v1'),
  });
  t.equal((await server.get(path('sixths', 'v1', 'b'))).status, 404);
  const dry = await server.post(
    `${path('sixths', 'v2')}?dryRun=All`,
    objectOf('sixths', 'v2', 'b', {}),
  );
  t.match(dry.json, { code: 500, message: message('v2') }, 'a dry run says so too');
  t.equal((await merge(path('sixths', 'v1', 'a'), { spec: { size: 's' } })).status, 200);
  t.equal((await server.delete(path('sixths', 'v1', 'a'))).status, 200);
});

t.test('large objects are written in steps, in other versions too', async (t) => {
  await define('eighths');
  const at = path('eighths', 'v2', 'a');
  const size = 'x'.repeat(100_000);
  const made = await make('eighths', 'v2', 'a', { host: 'h', port: '1', size });
  t.equal(made.status, 201, made.text.slice(0, 300));
  const put = await server.put(at, { ...made.json, spec: { host: 'h', port: '2', size } });
  t.equal(put.json.spec?.port, '2', put.text.slice(0, 300));
  const [patched, other] = await Promise.all([
    merge(at, { spec: { port: '3' } }),
    merge(path('eighths', 'v1', 'a'), { metadata: { labels: { a: 'b' } } }),
  ]);
  t.same([patched.status, other.status], [200, 200], patched.text.slice(0, 300));
  const both = await server.get(path('eighths', 'v1', 'a'));
  t.match(both.json, { metadata: { labels: { a: 'b' } }, spec: { hostPort: 'h:3' } });
});

t.test('owners that come with a new object own what it has in their versions', async (t) => {
  await define('ninths');
  const entry = (manager: string, version: string, name: string): Members => ({
    manager,
    operation: 'Update',
    apiVersion: `flow.example.com/${version}`,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { [`f:${name}`]: {} } },
  });
  const managedFields = [entry('one', 'v1', 'hostPort'), entry('two', 'v2', 'host')];
  webhook.reviews.length = 0;
  const made = await server.post(path('ninths', 'v3'), {
    ...objectOf('ninths', 'v3', 'a', { host: 'h', port: '1' }),
    metadata: { generateName: 'a-', managedFields },
  });
  t.equal(made.status, 201, made.text);
  // It has its uid only after it was admitted: what was converted for its owners is another text.
  t.ok(webhook.reviews.length < 7, `${webhook.reviews.length} calls`);
  t.comment(owners(made.json.metadata));
});

t.test('owners are followed, whatever version is stored', async (t) => {
  await define('tenths');
  const made = (await make('tenths', 'v1', 'owner', { hostPort: 'h:1' })).json;
  const { uid } = made.metadata;
  const owner = { apiVersion: 'flow.example.com/v2', kind: 'Tenth', name: 'owner', uid };
  await server.post(path('tenths', 'v1'), {
    ...objectOf('tenths', 'v1', 'owned', {}),
    metadata: { name: 'owned', ownerReferences: [owner] },
  });
  await cases.store('tenths', 'v2');
  await configure('tenths', 'fails', undefined, 'v2');
  const foreground = `${path('tenths', 'v2', 'owner')}?propagationPolicy=Foreground`;
  t.equal((await server.delete(foreground)).status, 500, 'the answer shows the object');
  await configure('tenths', 'right', undefined, 'v2');
  await until(async () => (await server.get(path('tenths', 'v2'))).json.items.length === 0);
});

t.test(
  'what was stored in one version is read and written in the one that is stored now',
  async (t) => {
    await define('sevenths');
    const finalizers = ['example.com/mine'];
    const old = (await make('sevenths', 'v1', 'old', { hostPort: 'h:1' })).json;
    const gone = await make('sevenths', 'v1', 'gone', { hostPort: 'h:1' });
    await server.post(path('sevenths', 'v1'), {
      ...objectOf('sevenths', 'v1', 'held', { hostPort: 'h:2' }),
      metadata: { name: 'held', finalizers },
    });
    await cases.store('sevenths', 'v2');
    const at = path('sevenths', 'v2', 'old');
    const read = await server.get(at);
    t.same(read.json.spec, { host: 'h', port: '1', size: 'big' }, read.text);
    t.equal(read.json.metadata.resourceVersion, old.metadata.resourceVersion);
    t.same((await server.get(path('sevenths', 'v1', 'old'))).json.spec, old.spec);
    t.equal((await server.get(path('sevenths', 'v2'))).json.items.length, 3);
    const same = await server.put(path('sevenths', 'v1', 'gone'), gone.json);
    t.not(same.json.metadata.resourceVersion, gone.json.metadata.resourceVersion, 'stored anew');
    const after = await server.put(path('sevenths', 'v1', 'gone'), same.json);
    t.equal(after.json.metadata.resourceVersion, same.json.metadata.resourceVersion);
    const patched = await merge(path('sevenths', 'v1', 'old'), { spec: { hostPort: 'g:2' } });
    t.same(patched.json.spec, { hostPort: 'g:2', size: 'big' }, patched.text);
    t.same((await server.get(at)).json.spec, { host: 'g', port: '2', size: 'big' });

    webhook.release();
    await server.kill();
    await server.restart();
    t.same(
      (await server.get(path('sevenths', 'v2', 'held'))).json.spec?.port,
      '2',
      'after a restart',
    );
    await configure('sevenths', 'fails', undefined, 'v2');
    t.equal((await server.get(path('sevenths', 'v2', 'held'))).status, 500);
    t.equal((await server.get(at)).status, 200, 'what was written since needs no webhook');
    t.equal((await server.delete(path('sevenths', 'v2', 'gone'))).status, 200);
    await server.delete(cases.definitionPath('sevenths'));
    await until(async () => (await server.get(at)).status === 404);
    await configure('sevenths', 'right', undefined, 'v2');
    await merge(path('sevenths', 'v2', 'held'), { metadata: { finalizers: null } });
    await until(async () => (await server.get(cases.definitionPath('sevenths'))).status === 404);
  },
);
