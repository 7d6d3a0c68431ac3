/** Which form an answer is in, and when there is none. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { expectFailure } from '../support/expect-status.ts';
import { configMap } from '../support/kinds.ts';
import {
  JSON_TYPE,
  PROTOBUF,
  readYaml,
  requestBytes,
  watchBinary,
  YAML,
} from '../support/representations.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const PATH = '/api/v1/namespaces/default/configmaps';
const NAMED = `${PATH}/shown`;
const META = 'g=meta.cluster.io;v=v1';
const TABLE = `as=Table;${META}`;
const PARTIAL = `as=PartialObjectMetadata;${META}`;
const PARTIALS = `as=PartialObjectMetadataList;${META}`;
await server.post(PATH, configMap('shown', { key: 'value' }));

/** `<media type> <kind>` of what is answered. */
async function formOf(path: string, accept: string | undefined): Promise<string> {
  const { headers, bytes } = await requestBytes(server, 'GET', path, {
    ...(accept !== undefined && { accept }),
  });
  const type = headers['content-type'] ?? '';
  const { kind, apiVersion } = type === PROTOBUF ? unwrapProtobuf(bytes) : readYaml(bytes);
  return `${type} ${apiVersion} ${kind}`;
}

t.test('the first clause that can be served, by weight', async (t) => {
  const json = `${JSON_TYPE} v1 ConfigMap`;
  const yaml = `${YAML} v1 ConfigMap`;
  const protobuf = `${PROTOBUF} v1 ConfigMap`;
  const table = `${JSON_TYPE} meta.cluster.io/v1 Table`;
  const cases: [accept: string | undefined, form: string][] = [
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['text/html, */*;q=0.1', json],
    [YAML, yaml],
    [PROTOBUF, protobuf],
    [`${JSON_TYPE};q=0.5, ${YAML}`, yaml],
    [`${JSON_TYPE};q=0.5, ${YAML};q=0.4, ${PROTOBUF};q=0.6`, protobuf],
    [`${PROTOBUF}, ${JSON_TYPE}`, protobuf],
    [`${JSON_TYPE};q=0, ${YAML};q=0.1`, yaml],
    [`${JSON_TYPE};charset=utf-8`, json],
    [`${JSON_TYPE};sv=v1, ${YAML}`, yaml],
    [`${JSON_TYPE};${TABLE}`, table],
    [`${YAML};${TABLE}`, `${YAML} meta.cluster.io/v1 Table`],
    [`${JSON_TYPE};as=Table;v=v1beta1;g=meta.cluster.io`, table.replace('v1', 'v1beta1')],
    [
      `${JSON_TYPE};${TABLE}, ${JSON_TYPE};as=Table;v=v1beta1;g=meta.cluster.io, ${JSON_TYPE}`,
      table,
    ],
    [`${PROTOBUF};${TABLE}, ${JSON_TYPE}`, json],
    [`${JSON_TYPE};as=Chart;${META}, ${YAML}`, yaml],
    [`${JSON_TYPE};as=Table;g=example.com;v=v1, ${YAML}`, yaml],
    [`${JSON_TYPE};as=Table;g=meta.cluster.io;v=v2, ${YAML}`, yaml],
    [`${PROTOBUF};${PARTIAL}`, `${PROTOBUF} meta.cluster.io/v1 PartialObjectMetadata`],
  ];
  for (const [accept, form] of cases) {
    t.equal(await formOf(NAMED, accept), form, accept ?? 'no header');
  }
  t.equal(
    await formOf(PATH, `${JSON_TYPE};${PARTIALS}`),
    `${JSON_TYPE} meta.cluster.io/v1 PartialObjectMetadataList`,
  );
});

t.test('406 when no clause can be served', async (t) => {
  const served = `only the following media types are accepted: ${JSON_TYPE}, ${YAML}, ${PROTOBUF}`;
  const cases: [path: string, accept: string, message: string][] = [
    [NAMED, 'text/html', '406: Not Acceptable'],
    [NAMED, `${JSON_TYPE};q=0`, '406: Not Acceptable'],
    [NAMED, `${PROTOBUF};${TABLE}`, served],
    [NAMED, `${JSON_TYPE};as=Chart;${META}`, served],
    [
      `${PATH}?watch=true`,
      YAML,
      `only the following media types are accepted: ${JSON_TYPE};stream=watch, ${PROTOBUF};stream=watch`,
    ],
    [
      PATH,
      `${JSON_TYPE};${PARTIAL}`,
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    ],
    [
      NAMED,
      `${JSON_TYPE};${PARTIALS}`,
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    ],
  ];
  for (const [path, accept, message] of cases) {
    const answer = await server.get(path, { accept });
    t.equal(answer.status, 406, accept);
    // The refusal itself is in YAML where that is what is taken.
    const status = readYaml(Buffer.from(answer.text));
    t.match(status, { kind: 'Status', code: 406, reason: 'NotAcceptable', message }, message);
  }
  const old = await server.get('/apis/batch/v1beta1/cronjobs', { accept: 'text/html' });
  t.match(old.headers['warning'], /CronJob is deprecated/, 'warned of the version all the same');
});

t.test('415 for bodies of another type', async (t) => {
  const types = `${JSON_TYPE}, ${YAML}, ${PROTOBUF}`;
  for (const [method, path] of [
    ['POST', PATH],
    ['PUT', NAMED],
    ['DELETE', NAMED],
  ] as const) {
    const answer = await server.request(method, path, '{}', { 'content-type': 'text/plain' });
    expectFailure(t, answer, {
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `the body of the request was in an unknown format - accepted media types include: ${types}`,
    });
  }
  const patch = await server.request('PATCH', NAMED, '{}', { 'content-type': PROTOBUF });
  t.strictSame([patch.status, patch.json.message], [415, '415: Unsupported Media Type']);
});

t.test('what rows hold is one of three', async (t) => {
  const accept = `${JSON_TYPE};${TABLE}`;
  for (const path of [NAMED, PATH]) {
    expectFailure(t, await server.get(`${path}?includeObject=All`, { accept }), {
      code: 400,
      reason: 'BadRequest',
      message:
        'Unable to convert to Table as requested: includeObject: Invalid value: "All": ' +
        "must be 'Metadata', 'Object', 'None', or empty",
    });
  }
  const ignored = await server.get(`${NAMED}?includeObject=All`);
  t.equal(ignored.json.kind, 'ConfigMap', 'it matters to Tables only');
});

t.test('watches say in what they answer', async (t) => {
  const path = `${PATH}?watch=true`;
  const types = {
    [JSON_TYPE]: JSON_TYPE,
    [`${JSON_TYPE};stream=watch`]: JSON_TYPE,
    [PROTOBUF]: `${PROTOBUF};stream=watch`,
    [`${PROTOBUF};stream=watch`]: `${PROTOBUF};stream=watch`,
    [`${JSON_TYPE};${TABLE}`]: JSON_TYPE,
    [`${YAML}, ${JSON_TYPE};q=0.5`]: 406,
  };
  for (const [accept, type] of Object.entries(types)) {
    const watch = await watchBinary(server, path, accept);
    t.equal(watch.status === 200 ? watch.headers['content-type'] : watch.status, type, accept);
    watch.close();
  }
});

t.test('columns are told with the first event of a watch, whatever it is', async (t) => {
  const { resourceVersion } = (await server.get(PATH)).json.metadata;
  const accept = `${JSON_TYPE};${TABLE}`;
  const from = `${PATH}?watch=true&resourceVersion=${resourceVersion}&allowWatchBookmarks=true`;
  const live = await server.watch(from, { accept });
  const ending = await server.watch(`${from}&timeoutSeconds=1&labelSelector=none`, { accept });
  const columns = (object: { columnDefinitions: unknown[] | null }): number | null =>
    object.columnDefinitions?.length ?? null;
  for (const [at, data] of ['a', 'b'].entries()) {
    await server.put(NAMED, configMap('shown', { key: data, more: data }));
    const event = await live.next();
    t.strictSame([event?.type, columns(event?.object)], ['MODIFIED', at === 0 ? 3 : null]);
    t.strictSame(event?.object.rows[0].cells.slice(0, 2), ['shown', 2]);
  }
  await server.delete(NAMED);
  const deleted = await live.next();
  t.strictSame([deleted?.type, columns(deleted?.object)], ['DELETED', null]);
  live.close();

  const history = await server.watch(from, { accept });
  const past = await history.take(3);
  t.strictSame(
    past.map(({ type, object }) => [type, columns(object)]),
    [
      ['MODIFIED', 3],
      ['MODIFIED', null],
      ['DELETED', null],
    ],
    'in history too',
  );
  history.close();
  const bookmark = await ending.next();
  t.strictSame([bookmark?.type, columns(bookmark?.object)], ['BOOKMARK', 3]);
  ending.close();
});

t.test('long lists are compressed for who takes it, watches never', async (t) => {
  const LONG = '/api/v1/namespaces/long/configmaps';
  await server.post('/api/v1/namespaces', { metadata: { name: 'long' } });
  for (const name of ['a', 'b', 'c']) {
    await server.post(LONG, configMap(name, { text: 'some text '.repeat(6_000) }));
  }
  const gzip = { 'accept-encoding': 'gzip' };
  for (const accept of [JSON_TYPE, YAML, PROTOBUF]) {
    const plain = await requestBytes(server, 'GET', LONG, { accept });
    const packed = await requestBytes(server, 'GET', LONG, { accept, ...gzip });
    t.equal(plain.headers['content-encoding'], undefined, accept);
    t.equal(packed.headers['content-encoding'], 'gzip', accept);
    t.equal(packed.headers['vary'], 'Accept-Encoding');
    t.ok(packed.bytes.length < plain.bytes.length / 10, 'it is shorter');
    t.ok(gunzipSync(packed.bytes).equals(plain.bytes), 'the same');
    const short = await requestBytes(server, 'GET', `${LONG}?limit=1`, { accept, ...gzip });
    t.equal(short.headers['content-encoding'], undefined, 'not what is short');
  }
  const watch = await server.watch(`${LONG}?watch=true`, gzip);
  t.equal(watch.headers['content-encoding'], undefined);
  t.equal((await watch.take(3)).length, 3);
  watch.close();
});
