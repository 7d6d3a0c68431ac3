/** Get, list, create, update and delete as clients rely on them. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import {
  CONFIG_MAPS,
  KINDS,
  collectionPath,
  configMap,
  kindNamed,
  minimalObject,
  objectPath,
  typePath,
} from '../support/kinds.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t });
const MODIFIED_MEANWHILE =
  'the object has been modified; please apply your changes to the latest version and try again';

for (const kind of KINDS) {
  const name = `verbs-${kind.plural}`;
  const path = objectPath(kind, name);
  const group = kind.apiVersion.includes('/') ? kind.apiVersion.split('/')[0] : undefined;
  const details = { name, ...(group === undefined ? {} : { group }), kind: kind.plural };

  t.test(`${kind.kind}: create, get, list, update and delete`, async (t) => {
    const missing = { code: 404, reason: 'NotFound', details };
    const notFound = `${kind.resource} "${name}" not found`;
    expectFailure(t, await server.get(path), { ...missing, message: notFound });
    expectFailure(t, await server.delete(path), { ...missing, message: notFound });

    const created = await server.post(typePath(kind), minimalObject(kind, name));
    t.equal(created.status, 201, created.text.slice(0, 400));
    t.ok(created.text.endsWith('}\n'), 'a compact body ends with a newline');
    t.ok(
      created.text.startsWith(
        `{"kind":"${kind.kind}","apiVersion":"${kind.apiVersion}","metadata":{"name":"${name}",`,
      ),
      created.text.slice(0, 120),
    );
    t.equal(created.headers['content-type'], 'application/json');
    t.match(created.json.metadata.resourceVersion, /^[1-9]\d*$/);
    t.equal(created.json.metadata.namespace, kind.namespaced ? 'default' : undefined);
    t.equal((await server.get(path)).text, created.text);

    const again = await server.post(typePath(kind), minimalObject(kind, name));
    const message = `${kind.resource} "${name}" already exists`;
    expectFailure(t, again, { code: 409, reason: 'AlreadyExists', message, details });

    const list = (await server.get(typePath(kind))).json;
    t.equal(list.kind, `${kind.kind}List`);
    t.equal(list.apiVersion, kind.apiVersion);
    const item = list.items.find(
      (other: { metadata: { name: string } }) => other.metadata.name === name,
    );
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = created.json;
    t.same(item, rest, 'an item is the object without kind and apiVersion');
    t.ok(Number(list.metadata.resourceVersion) >= Number(rest.metadata.resourceVersion));

    const changed = structuredClone(created.json);
    changed.metadata.labels = { ...changed.metadata.labels, changed: 'yes' };
    const updated = await server.put(path, changed);
    t.equal(updated.status, 200, updated.text.slice(0, 400));
    t.equal(updated.json.metadata.labels.changed, 'yes');
    t.equal(updated.json.metadata.uid, created.json.metadata.uid, 'uid stays');
    t.equal(updated.json.metadata.creationTimestamp, created.json.metadata.creationTimestamp);
    t.ok(
      Number(updated.json.metadata.resourceVersion) > Number(created.json.metadata.resourceVersion),
    );
    t.equal((await server.get(path)).text, updated.text);

    const stale = await server.put(path, { ...changed, metadata: { ...changed.metadata } });
    expectFailure(t, stale, {
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${kind.resource} "${name}": ${MODIFIED_MEANWHILE}`,
      details,
    });

    const same = await server.put(path, updated.json);
    t.equal(same.text, updated.text, 'writing the same again changes nothing, not the version');

    if (kind.kind === 'Namespace') return;
    const deleted = await server.delete(path);
    t.equal(deleted.status, 200, deleted.text.slice(0, 400));
    if (['PersistentVolume', 'StorageClass', 'VolumeAttachment'].includes(kind.kind)) {
      t.equal(deleted.json.kind, kind.kind, 'delete gives the object');
      t.equal(deleted.json.metadata.uid, created.json.metadata.uid);
    } else {
      const uid = created.json.metadata.uid;
      t.same(deleted.json, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { ...details, uid },
      });
    }
    t.equal((await server.get(path)).status, 404);
    const recreated = await server.post(typePath(kind), minimalObject(kind, name));
    t.equal(recreated.status, 201, 'the name is free again');
    t.not(recreated.json.metadata.uid, created.json.metadata.uid, 'with another uid');
    await server.delete(path);
  });
}

t.test('an empty list has an empty array, and its exact bytes', async (t) => {
  const path = '/api/v1/namespaces/cluster-public/secrets';
  const { status, text } = await server.get(path);
  t.equal(status, 200);
  t.match(
    text,
    /^\{"kind":"SecretList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\},"items":\[\]\}\n$/,
  );
  const nowhere = await server.get('/api/v1/namespaces/no-such-namespace/secrets');
  t.equal(nowhere.status, 200, 'a namespace that does not exist lists as empty');
  t.same(nowhere.json.items, []);
});

t.test('a list has the exact bytes of its items, by namespace and name', async (t) => {
  const secrets = kindNamed('Secret');
  await server.post('/api/v1/namespaces', { metadata: { name: 'list-a' } });
  await server.post('/api/v1/namespaces', { metadata: { name: 'list-b' } });
  const bodies = new Map<string, string>();
  for (const [namespace, name] of [
    ['list-b', 'one'],
    ['list-a', 'two'],
    ['list-a', 'one'],
    ['list-a', 'a.b'],
    ['list-a', 'a-b'],
  ] as const) {
    const answer = await server.post(typePath(secrets, namespace), minimalObject(secrets, name));
    t.equal(answer.status, 201);
    const prefix = '{"kind":"Secret","apiVersion":"v1",';
    bodies.set(`${namespace}/${name}`, `{${answer.text.slice(prefix.length).trimEnd()}`);
  }
  const listed = async (path: string): Promise<string> => (await server.get(path)).text;
  const expected = (text: string, names: readonly string[]): string => {
    const rv = JSON.parse(text).metadata.resourceVersion;
    const items = names.map((name) => bodies.get(name)).join(',');
    const head = '{"kind":"SecretList","apiVersion":"v1"';
    return `${head},"metadata":{"resourceVersion":"${rv}"},"items":[${items}]}\n`;
  };
  const inA = await listed(typePath(secrets, 'list-a'));
  t.equal(inA, expected(inA, ['list-a/a-b', 'list-a/a.b', 'list-a/one', 'list-a/two']));
  const inAll = await listed('/api/v1/secrets');
  const all = ['list-a/a-b', 'list-a/a.b', 'list-a/one', 'list-a/two', 'list-b/one'];
  t.equal(inAll, expected(inAll, all));
});

t.test('list forms: from any version, and not older than one', async (t) => {
  const created = await server.post(CONFIG_MAPS, configMap('list-forms'));
  const version = created.json.metadata.resourceVersion;
  for (const query of ['', '?resourceVersion=0', `?resourceVersion=${version}`]) {
    const { status, json } = await server.get(`${CONFIG_MAPS}${query}`);
    t.equal(status, 200, query);
    t.equal(json.kind, 'ConfigMapList', query);
    const names = json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    t.ok(names.includes('list-forms'), `${query} holds what was written`);
  }
  for (const query of ['?resourceVersion=0', `?resourceVersion=${version}`]) {
    t.equal((await server.get(`${CONFIG_MAPS}/list-forms${query}`)).text, created.text, query);
  }
  const future = await server.get(`${CONFIG_MAPS}?resourceVersion=999999999`);
  expectFailure(t, future, {
    code: 504,
    reason: 'Timeout',
    message: /^Timeout: Too large resource version: 999999999, current: \d+$/,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
  t.equal(future.headers['retry-after'], '1');
});

t.test('generateName makes names of the prefix and five characters', async (t) => {
  const names = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const answer = await server.post(CONFIG_MAPS, { metadata: { generateName: 'generated-' } });
    t.equal(answer.status, 201);
    t.match(answer.json.metadata.name, /^generated-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    t.equal(answer.json.metadata.generateName, 'generated-');
    names.add(answer.json.metadata.name);
  }
  t.equal(names.size, 20, 'all different');
  const long = await server.post(CONFIG_MAPS, { metadata: { generateName: 'x'.repeat(70) } });
  t.match(long.json.metadata.name, /^x{58}[a-z0-9]{5}$/, 'the prefix is cut to 58 bytes');
  const both = await server.post(CONFIG_MAPS, {
    metadata: { generateName: 'generated-', name: 'given' },
  });
  t.equal(both.json.metadata.name, 'given', 'a given name wins');
});

t.test('what a client may not choose is ignored on create', async (t) => {
  const metadata = {
    uid: 'b3f1c2d4-0000-4000-8000-000000000000',
    creationTimestamp: '2001-01-01T00:00:00Z',
    deletionTimestamp: '2001-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
    selfLink: '/x',
    generation: 7,
    resourceVersion: '0',
  };
  const { status, json } = await server.post(CONFIG_MAPS, configMap('chosen', {}, metadata));
  t.equal(status, 201);
  t.not(json.metadata.uid, metadata.uid);
  t.not(json.metadata.creationTimestamp, metadata.creationTimestamp);
  t.equal(json.metadata.deletionTimestamp, undefined);
  t.equal(json.metadata.deletionGracePeriodSeconds, undefined);
  t.equal(json.metadata.selfLink, undefined);
  t.not(json.metadata.resourceVersion, '0');
});

t.test('kind and apiVersion may be left out; unknown fields are dropped', async (t) => {
  const body = { metadata: { name: 'bare', colour: 'red' }, data: { a: '1' }, spec: { x: 1 } };
  const { status, json, text } = await server.post(CONFIG_MAPS, body);
  t.equal(status, 201, text);
  t.equal(json.kind, 'ConfigMap');
  t.notOk('spec' in json);
  t.notOk('colour' in json.metadata);
});

t.test('strings that HTML would read are escaped as the reference does', async (t) => {
  const value = '<a href="x">&\u2028\u2029</a>\u0000\u007f\ud83d\ude80';
  const { text, json } = await server.post(CONFIG_MAPS, configMap('escapes', { value }));
  t.equal(json.data.value, value);
  t.match(text, '\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\u003c/a\\u003e');
});

t.test('map keys come back sorted', async (t) => {
  const { text } = await server.post(CONFIG_MAPS, configMap('sorted', { b: '2', a: '1', Z: '0' }));
  t.match(text, '"data":{"Z":"0","a":"1","b":"2"}');
});

t.test('PUT without a version: allowed for ConfigMap, not for Lease', async (t) => {
  await server.post(CONFIG_MAPS, configMap('unconditional'));
  const put = await server.put(
    `${CONFIG_MAPS}/unconditional`,
    configMap('unconditional', { key: 'other' }),
  );
  t.equal(put.status, 200, put.text);
  t.equal(put.json.data.key, 'other');
  const lease = kindNamed('Lease');
  await server.post(typePath(lease), minimalObject(lease, 'conditional'));
  const refused = await server.put(
    objectPath(lease, 'conditional'),
    minimalObject(lease, 'conditional', { spec: { holderIdentity: 'you' } }),
  );
  expectFailure(t, refused, {
    code: 422,
    reason: 'Invalid',
    message:
      /"conditional" is invalid: metadata\.resourceVersion: Invalid value: 0x0: must be specified for an update$/,
  });
});

t.test('PUT of a missing object: creates a Lease, is 404 for a ConfigMap', async (t) => {
  const lease = kindNamed('Lease');
  const path = objectPath(lease, 'by-put');
  const created = await server.put(path, minimalObject(lease, 'by-put'));
  t.equal(created.status, 201, created.text);
  t.equal((await server.get(path)).text, created.text);
  const missing = await server.put(`${CONFIG_MAPS}/by-put`, configMap('by-put'));
  expectFailure(t, missing, {
    code: 404,
    reason: 'NotFound',
    message: 'configmaps "by-put" not found',
    details: { name: 'by-put', kind: 'configmaps' },
  });
});

t.test('an update with the uid of what is gone is a conflict', async (t) => {
  const gone = minimalObject(kindNamed('StorageClass'), 'gone', {}, { uid: 'once' });
  const answer = await server.put(objectPath(kindNamed('StorageClass'), 'gone'), gone);
  const message = /Precondition failed: UID in precondition: once, UID in object meta: $/;
  expectFailure(t, answer, { code: 409, reason: 'Conflict', message });
  const asked = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews/x';
  expectFailure(t, await server.delete(asked), { code: 404, reason: 'NotFound' });
});

t.test('an update with another uid is a conflict, and touches nothing', async (t) => {
  const created = await server.post(CONFIG_MAPS, configMap('uid-check'));
  const metadata = { uid: '11111111-1111-4111-8111-111111111111' };
  const answer = await server.put(
    `${CONFIG_MAPS}/uid-check`,
    configMap('uid-check', { key: 'x' }, metadata),
  );
  expectFailure(t, answer, { code: 409, reason: 'Conflict', message: /UID in precondition/ });
  t.equal((await server.get(`${CONFIG_MAPS}/uid-check`)).text, created.text);
});

t.test('immutable fields stay as they are', async (t) => {
  const frozen = { ...configMap('frozen'), immutable: true };
  await server.post(CONFIG_MAPS, frozen);
  const path = `${CONFIG_MAPS}/frozen`;
  const changed = await server.put(path, { ...frozen, data: { key: 'other' } });
  expectFailure(t, changed, {
    code: 422,
    reason: 'Invalid',
    message:
      'ConfigMap "frozen" is invalid: data: Forbidden: ' +
      'field is immutable when `immutable` is set',
    details: {
      name: 'frozen',
      kind: 'ConfigMap',
      causes: [
        {
          reason: 'FieldValueForbidden',
          message: 'Forbidden: field is immutable when `immutable` is set',
          field: 'data',
        },
      ],
    },
  });
  const labelled = configMap('frozen', { key: 'value' }, { labels: { a: 'b' } });
  t.equal((await server.put(path, { ...labelled, immutable: true })).status, 200);

  const revisions = kindNamed('ControllerRevision');
  await server.post(typePath(revisions), minimalObject(revisions, 'frozen'));
  const other = minimalObject(revisions, 'frozen', { revision: 2, data: { a: 2 } });
  const refused = await server.put(objectPath(revisions, 'frozen'), other);
  expectFailure(t, refused, {
    code: 422,
    reason: 'Invalid',
    message: /^ControllerRevision\.apps "frozen" is invalid: data: .*field is immutable/,
  });
});

t.test('curl, Wget and browsers get indented bodies; pretty overrides', async (t) => {
  const compact = (await server.post(CONFIG_MAPS, configMap('pretty'))).text;
  const path = `${CONFIG_MAPS}/pretty`;
  const indented = JSON.stringify(JSON.parse(compact), undefined, 2);
  t.equal((await server.get(`${path}?pretty=true`)).text, indented, 'no newline at the end');
  t.equal((await server.get(`${path}?pretty=1`)).text, indented);
  for (const agent of ['curl/8.0', 'Wget/1.21', 'Mozilla/5.0 (X11)']) {
    t.equal((await server.get(path, { 'user-agent': agent })).text, indented, agent);
    t.equal((await server.get(`${path}?pretty=false`, { 'user-agent': agent })).text, compact);
  }
  t.equal((await server.get(path, { 'user-agent': 'client/1.23' })).text, compact);
  const quiet = '/api/v1/namespaces/cluster-public/configmaps';
  await server.post(quiet, configMap('pretty'));
  const list = await server.get(`${quiet}?pretty=true`);
  t.equal(list.json.items.length, 1);
  t.equal(list.text, JSON.stringify(list.json, undefined, 2), 'lists too');
  const failure = await server.get(`${CONFIG_MAPS}/none?pretty=true`);
  t.equal(failure.text, JSON.stringify(failure.json, undefined, 2), 'failures too');
});

t.test('a dry run answers as the real request would and stores nothing', async (t) => {
  const created = await server.post(`${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
  t.equal(created.status, 201);
  t.match(created.json, { metadata: { name: 'dry', uid: String }, data: { key: 'value' } });
  t.equal((await server.get(`${CONFIG_MAPS}/dry`)).status, 404);

  const real = await server.post(CONFIG_MAPS, configMap('dry'));
  const path = `${CONFIG_MAPS}/dry`;
  const put = await server.put(`${path}?dryRun=All`, configMap('dry', { key: 'other' }));
  t.equal(put.status, 200);
  t.equal(put.json.data.key, 'other');
  t.equal((await server.delete(`${path}?dryRun=All`)).status, 200);
  t.equal((await server.get(path)).text, real.text, 'nothing was changed');
  const again = await server.post(`${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
  expectFailure(t, again, { code: 409, reason: 'AlreadyExists' });
  const bare = await server.post(`${CONFIG_MAPS}?dryRun`, configMap('bare-dry-run'));
  t.equal(bare.status, 201, 'a bare dryRun is accepted');
});

t.test('GET of a list is not changed by unknown parameters', async (t) => {
  const answer = await server.get(`${CONFIG_MAPS}?export=true&nonsense=1`);
  t.equal(answer.status, 200);
});

t.test('a path with a slash at its end, and percent-encoded names', async (t) => {
  await server.post(CONFIG_MAPS, configMap('a.b'));
  t.equal((await server.get(`${CONFIG_MAPS}/a%2Eb`)).json.metadata.name, 'a.b');
});

t.test('HEAD has no body, and its connection goes on', async (t) => {
  for (let round = 0; round < 3; round += 1) {
    const answer = await server.request('HEAD', CONFIG_MAPS);
    t.ok([200, 405].includes(answer.status), `HEAD: ${answer.status}`);
    t.equal(answer.text, '', 'without a body');
    t.equal((await server.get(CONFIG_MAPS)).status, 200);
  }
});

t.test('collections of all namespaces take no POST', async (t) => {
  for (const kind of KINDS.filter((one) => one.namespaced)) {
    const answer = await server.post(collectionPath(kind), minimalObject(kind, 'x'));
    expectFailure(t, answer, { code: 405, reason: 'MethodNotAllowed' });
  }
});

t.end();
