/**
 * Writes whose bodies and answers are in each form, and errors in them.
 */
import t, { type Test } from 'tap';
import { yamlText } from '../../src/codec/yaml/yaml-text.ts';
import type { TestObject } from '../support/kinds.ts';
import { PATCH_TYPES } from '../support/send-patch.ts';
import {
  checkBinary,
  envelopeOf,
  JSON_TYPE,
  messageBytes,
  PROTOBUF,
  readYaml,
  requestBytes,
  versionsOf,
  YAML,
  type BytesAnswer,
  type VersionFacts,
} from '../support/representations.ts';
import { eachServedKind, type ServedKind } from '../support/served-kind.ts';
import { sharedServer } from '../support/shared-server.ts';
import { eventOf } from '../support/watch-events.ts';

const server = await sharedServer();
const PATH = '/api/v1/namespaces/default/configmaps';
const META = 'g=meta.cluster.io;v=v1';
const PARTIAL = `as=PartialObjectMetadata;${META}`;
const CONFIG_MAP: VersionFacts = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  message: 'core.v1.ConfigMap',
};
const PARTIAL_FACTS: VersionFacts = {
  apiVersion: 'meta.cluster.io/v1',
  kind: 'PartialObjectMetadata',
  message: 'meta.v1.PartialObjectMetadata',
};
const STATUS: VersionFacts = { apiVersion: 'v1', kind: 'Status', message: 'meta.v1.Status' };

type BodyType = typeof JSON_TYPE | typeof YAML | typeof PROTOBUF;

/** A document as bodies are written. */
function bodyOf(type: BodyType, facts: VersionFacts, document: object): Uint8Array {
  const json = JSON.stringify(document);
  if (type === JSON_TYPE) return Buffer.from(json);
  if (type === YAML) return Buffer.from(yamlText(json));
  return envelopeOf(facts, messageBytes(facts.message, document));
}

function send(
  method: string,
  path: string,
  type: string,
  body: Uint8Array | string,
  accept = JSON_TYPE,
): Promise<BytesAnswer> {
  return requestBytes(server, method, path, { 'content-type': type, accept }, body);
}

const jsonOf = ({ bytes }: BytesAnswer): TestObject => JSON.parse(bytes.toString()) as TestObject;

/** Gives those characters of binary answers that can be read. */
function shown({ headers, bytes }: BytesAnswer): string {
  const text = bytes.toString('latin1').replaceAll(/[^ -~]+/g, ' ');
  return `${headers['content-type']} ${text.slice(0, 100)}`;
}

async function stored(path: string): Promise<TestObject> {
  return (await server.get(path)).json as TestObject;
}

/** Created, updated and read with bodies and answers of this type. */
async function checkKind(
  t: Test,
  kind: ServedKind,
  facts: VersionFacts,
  type: typeof YAML | typeof PROTOBUF,
): Promise<void> {
  const document = kind.document(`written-${type === YAML ? 'a' : 'b'}`, kind.cases.full);
  const { resourceVersion } = (await server.get(kind.path)).json.metadata;
  const watch = await server.watch(`${kind.path}?watch=true&resourceVersion=${resourceVersion}`);
  const created = await send('POST', kind.path, type, bodyOf(type, facts, document), type);
  t.equal(created.status, 201, `create: ${shown(created)}`);
  const path = kind.pathOf(document);
  const { object: first } = await eventOf(watch, document.metadata.name);
  watch.close();
  checkAnswer(t, created, type, facts, first);
  const object = (await kind.settled(await kind.read(first))).json;

  const changed = structuredClone(object);
  changed.metadata['annotations'] = { 'example.com/note': 'one\ntwo' };
  const updated = await send('PUT', path, type, bodyOf(type, facts, changed), type);
  t.equal(updated.status, 200, `update: ${shown(updated)}`);
  const read = await stored(path);
  checkAnswer(t, updated, type, facts, read);
  t.match(read.metadata['annotations'], changed.metadata['annotations']);
  t.strictSame(withoutMetadata(read), withoutMetadata(object), 'nothing else has changed');
  await kind.remove(read);
}

function withoutMetadata({ metadata: _metadata, ...members }: TestObject): object {
  return members;
}

function checkAnswer(
  t: Test,
  { bytes, headers }: BytesAnswer,
  type: string,
  facts: VersionFacts,
  object: TestObject,
): void {
  t.equal(headers['content-type'], type);
  if (type === YAML) t.strictSame(readYaml(bytes), object, 'YAML');
  else checkBinary(t, bytes, facts, object, 'protobuf');
}

t.test('every kind is written in YAML and in protobuf', async (t) => {
  for (const [name, kind] of await eachServedKind(server)) {
    await t.test(name, async (t) => {
      const { apiVersion } = kind.cases;
      const facts = versionsOf(apiVersion, kind.cases.kind).find(
        (version) => version.apiVersion === apiVersion,
      );
      for (const type of [YAML, PROTOBUF] as const) await checkKind(t, kind, facts!, type);
    });
  }
});

t.test('answers to writes are transformed as those to reads are', async (t) => {
  const path = `${PATH}/transformed`;
  const body = (data: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'transformed' },
      data: { data },
    });
  const merge = PATCH_TYPES.merge;
  const writes: [method: string, path: string, type: string, body: string][] = [
    ['POST', PATH, JSON_TYPE, body('made')],
    ['PUT', path, JSON_TYPE, body('updated')],
    ['PATCH', path, merge, '{"data":{"data":"patched"}}'],
    ['PATCH', `${path}?fieldManager=a&force=true`, PATCH_TYPES.apply, body('applied')],
  ];
  const forms: [accept: string, check: (answer: BytesAnswer, object: TestObject) => void][] = [
    [YAML, (answer, object) => checkAnswer(t, answer, YAML, CONFIG_MAP, object)],
    [PROTOBUF, (answer, object) => checkAnswer(t, answer, PROTOBUF, CONFIG_MAP, object)],
    [
      `${JSON_TYPE};${PARTIAL}`,
      (answer, { metadata }) => {
        const { apiVersion, kind } = PARTIAL_FACTS;
        t.strictSame(jsonOf(answer), { kind, apiVersion, metadata });
      },
    ],
    [
      `${PROTOBUF};${PARTIAL}`,
      (answer, { metadata }) =>
        checkBinary(t, answer.bytes, PARTIAL_FACTS, { metadata }, 'metadata in protobuf'),
    ],
    [
      `${JSON_TYPE};as=Table;${META}`,
      (answer, { metadata }) => {
        const { kind, metadata: told, rows } = jsonOf(answer) as unknown as TestTable;
        t.strictSame([kind, told], ['Table', { resourceVersion: metadata.resourceVersion }]);
        t.strictSame(
          rows.map(({ cells, object }) => [cells[0], object.metadata]),
          [['transformed', metadata]],
        );
      },
    ],
  ];
  for (const [accept, check] of forms) {
    await server.delete(path);
    for (const [method, target, type, text] of writes) {
      const answer = await send(method, target, type, text, accept);
      t.equal(answer.status, method === 'POST' ? 201 : 200, `${method} ${shown(answer)}`);
      check(answer, await stored(path));
    }
  }
});

interface TestTable extends TestObject {
  readonly rows: { readonly cells: unknown[]; readonly object: TestObject }[];
}

t.test('metadata alone has no annotations in which an old version shows the spec', async (t) => {
  const path = (version: string): string =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const { json } = await server.post(path('v2'), {
    metadata: { name: 'scaled' },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      maxReplicas: 3,
      behavior: { scaleUp: { stabilizationWindowSeconds: 5 } },
    },
  });
  const at = `${path('v1')}/scaled`;
  t.match((await server.get(at)).json.metadata.annotations, {
    'autoscaling.alpha.cluster.io/behavior': String,
  });
  const { apiVersion, kind } = PARTIAL_FACTS;
  const alone = await send('GET', at, JSON_TYPE, '', `${JSON_TYPE};${PARTIAL}`);
  t.strictSame(jsonOf(alone), { kind, apiVersion, metadata: json.metadata });
});

t.test('a deletion reads its options, and its Status is never transformed', async (t) => {
  const options = { preconditions: { uid: 'another' } };
  const facts = { apiVersion: 'v1', kind: 'DeleteOptions', message: 'meta.v1.DeleteOptions' };
  for (const type of [JSON_TYPE, YAML, PROTOBUF] as const) {
    const { json } = await server.post(PATH, { metadata: { name: 'gone' } });
    const refused = await send('DELETE', `${PATH}/gone`, type, bodyOf(type, facts, options));
    t.equal(refused.status, 409, shown(refused));
    const own = { preconditions: { uid: json.metadata.uid } };
    const accept = `${JSON_TYPE};as=Table;${META}`;
    const deleted = await send('DELETE', `${PATH}/gone`, type, bodyOf(type, facts, own), accept);
    t.match(jsonOf(deleted), { kind: 'Status', apiVersion: 'v1', status: 'Success' }, type);
  }
  const { json } = await server.post(PATH, { metadata: { name: 'gone' } });
  const deleted = await requestBytes(server, 'DELETE', `${PATH}/gone`, { accept: PROTOBUF });
  const details = { name: 'gone', kind: 'configmaps', uid: json.metadata.uid };
  const status = { metadata: {}, status: 'Success', details };
  checkBinary(t, deleted.bytes, STATUS, status, 'the Status in protobuf');
});

t.test('errors are in the form that was asked for', async (t) => {
  const path = `${PATH}/missing`;
  const { json } = await server.get(path);
  t.equal(json.code, 404);
  const yaml = await requestBytes(server, 'GET', path, { accept: YAML });
  t.equal(yaml.status, 404);
  checkAnswer(t, yaml, YAML, STATUS, json);
  const binary = await requestBytes(server, 'GET', path, { accept: PROTOBUF });
  t.equal(binary.status, 404);
  checkAnswer(t, binary, PROTOBUF, STATUS, json);
  for (const accept of [`${JSON_TYPE};as=Table;${META}`, `${JSON_TYPE};${PARTIAL}`]) {
    t.strictSame(jsonOf(await requestBytes(server, 'GET', path, { accept })), json, accept);
  }

  const invalid = JSON.stringify({ metadata: { name: 'A b' }, data: { 'x/': '' } });
  const refused = await send('POST', PATH, JSON_TYPE, invalid);
  t.equal(refused.status, 422);
  const refusedBinary = await send('POST', PATH, JSON_TYPE, invalid, PROTOBUF);
  checkAnswer(t, refusedBinary, PROTOBUF, STATUS, jsonOf(refused));
});

t.test('bodies that are not what they say', async (t) => {
  const name = { metadata: { name: 'a' } };
  const bare = messageBytes('core.v1.ConfigMap', name);
  const cases: [what: string, body: Uint8Array, code: number, message: RegExp][] = [
    ['no envelope', bare, 400, /expected prefix \[107 56 115 0\]/],
    ['nothing', Buffer.of(), 400, /./],
    ['an end too early', envelopeOf(CONFIG_MAP, bare.subarray(0, 5)), 400, /./],
    [
      'another kind',
      envelopeOf({ apiVersion: 'v1', kind: 'Secret' }, messageBytes('core.v1.Secret', name)),
      400,
      /Secret in version "v1" cannot be handled as a ConfigMap/,
    ],
    ['another version', envelopeOf({ apiVersion: 'v2', kind: 'ConfigMap' }, bare), 400, /v2/],
  ];
  for (const [what, body, code, message] of cases) {
    const answer = await send('POST', PATH, PROTOBUF, body);
    t.equal(answer.status, code, what);
    t.match(jsonOf(answer)['message'], message, what);
  }
});
