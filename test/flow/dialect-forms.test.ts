/** Objects, lists, watches and errors in every form, with the names of `k8s.io`. */
import t from 'tap';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { expectFailure } from '../support/expect-status.ts';
import { requestBytes } from '../support/representations.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({
  test: t,
  args: ['--api-domain', 'k8s.io', '--watch-history', '1s'],
});
const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TRANSFORMED = 'g=meta.k8s.io;v=v1';
const METADATA = `as=PartialObjectMetadata;${TRANSFORMED}`;
const TABLE = `application/json;as=Table;${TRANSFORMED}`;

const secret = (name: string) => ({
  metadata: { name, labels: { 'kubernetes.io/os': 'linux' }, annotations: { see: 'cluster.io/x' } },
  type: 'kubernetes.io/basic-auth',
  stringData: { username: 'cluster-system' },
});

await server.post(SECRETS, secret('a'));

t.test('an object is the same in all forms', async (t) => {
  const { json } = await server.get(`${SECRETS}/a`);
  t.match(json, { ...secret('a'), stringData: undefined, metadata: { namespace: 'kube-system' } });
  const binary = await requestBytes(server, 'GET', `${SECRETS}/a`, { accept: PROTOBUF });
  t.equal(binary.headers['content-type'], PROTOBUF);
  const raw = Buffer.from(unwrapProtobuf(binary.bytes).raw).toString('latin1');
  for (const name of ['kube-system', 'kubernetes.io/os', 'kubernetes.io/basic-auth']) {
    t.ok(raw.includes(name), name);
  }
  t.ok(raw.includes('cluster.io/x'), 'a text is a text');
  const again = await requestBytes(
    server,
    'PUT',
    `${SECRETS}/a`,
    {
      'content-type': PROTOBUF,
      accept: 'application/json',
    },
    binary.bytes,
  );
  t.same(JSON.parse(again.bytes.toString()), json, 'sent back as it is, it changes nothing');
});

t.test('a row shows the names of the dialect', async (t) => {
  const { json } = await server.get(SECRETS, { accept: TABLE });
  t.match(json, { kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
  t.same(json.rows[0].cells.slice(0, 3), ['a', 'kubernetes.io/basic-auth', 1]);
  t.match(json.rows[0].object, {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { namespace: 'kube-system', labels: { 'kubernetes.io/os': 'linux' } },
  });
  const { json: namespaces } = await server.get('/api/v1/namespaces', { accept: TABLE });
  const names = namespaces.rows.map(({ cells }: { cells: string[] }) => cells[0]);
  t.ok(names.includes('kube-system') && !names.includes('cluster-system'));
});

t.test('streaming lists end with the annotation that clients wait for', async (t) => {
  const query =
    '?watch=true&sendInitialEvents=true&allowWatchBookmarks=true' +
    '&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  for (const accept of ['application/json', `application/json;${METADATA}`, TABLE]) {
    const { text } = await server.get(SECRETS + query, { accept });
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.equal(events[0].type, 'ADDED', accept);
    const { type, object } = events[1];
    const { metadata } = object.kind === 'Table' ? object.rows[0].object : object;
    t.equal(type, 'BOOKMARK');
    t.match(metadata.annotations, annotations);
  }
  for (const accept of [PROTOBUF, `${PROTOBUF};${METADATA}`]) {
    const { bytes } = await requestBytes(server, 'GET', SECRETS + query, { accept });
    t.ok(bytes.toString('latin1').includes('k8s.io/initial-events-end'), accept);
  }
});

t.test('errors name what this server takes', async (t) => {
  const types = `application/json, application/yaml, ${PROTOBUF}`;
  const media = { 'content-type': 'text/plain' };
  const sent = await server.post(SECRETS, 'text', media);
  expectFailure(t, sent, { code: 415, reason: 'UnsupportedMediaType' });
  t.ok(sent.json.message.endsWith(types), sent.json.message);
  const refused = await server.get(SECRETS, { accept: `${PROTOBUF};as=Table;${TRANSFORMED}` });
  t.ok(refused.json.message.endsWith(types), refused.json.message);
  const missing = await server.get('/apis/storage.k8s.io/v1/storageclasses/none');
  t.match(missing.json, {
    message: 'storageclasses.storage.k8s.io "none" not found',
    details: { group: 'storage.k8s.io', kind: 'storageclasses', name: 'none' },
  });
});

t.test('conflicts name the object by its key in the store of the reference', async (t) => {
  const lease = { metadata: { name: 'l' } };
  const spec = { group: 'example.org', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  const service = { metadata: { name: 'v1.example.org' }, spec };
  for (const [path, object, key] of [
    ['coordination.k8s.io/v1/namespaces/kube-node-lease/leases', lease, 'leases/kube-node-lease/l'],
    [
      'apiregistration.k8s.io/v1/apiservices',
      service,
      'apiregistration.k8s.io/apiservices/v1.example.org',
    ],
  ] as const) {
    const made = await server.post(`/apis/${path}`, object);
    t.equal(made.status, 201, made.text);
    const { name } = object.metadata;
    const other = { ...made.json, metadata: { name, uid: 'another' } };
    const stale = await server.put(`/apis/${path}/${name}`, other);
    expectFailure(t, stale, { code: 409, reason: 'Conflict' });
    t.match(stale.json.message, `, Key: /registry/${key},`);
  }
});

t.test('names of the other dialect are names of nobody', async (t) => {
  const labels = { 'cluster.io/os': 'a', 'kubernetes.io/os': 'b' };
  const { json } = await server.post(SECRETS, {
    metadata: { name: 'n', labels },
    type: 'cluster.io/tls',
  });
  t.same(json.metadata.labels, labels);
  t.equal(json.type, 'cluster.io/tls', 'a type without rules');
  t.same(Object.keys(json.metadata.managedFields[0].fieldsV1['f:metadata']['f:labels']), [
    '.',
    'f:cluster.io/os',
    'f:kubernetes.io/os',
  ]);
  await server.delete(`${SECRETS}/n`);
});

t.test('an expired watch is a stream with an ERROR event', async (t) => {
  const first = (await server.get(SECRETS)).json.metadata.resourceVersion;
  await server.post(SECRETS, secret('b'));
  await server.delete(`${SECRETS}/b`);
  const path = `${SECRETS}?watch=true&timeoutSeconds=1&resourceVersion=${first}`;
  let answer = await server.get(path);
  for (let tries = 0; tries < 30 && !answer.text.includes('"ERROR"'); tries++) {
    answer = await server.get(path);
  }
  t.equal(answer.status, 200);
  t.match(JSON.parse(answer.text), {
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired' },
  });
});
