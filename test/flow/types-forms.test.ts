/** Representations are the same for built-in and custom types, but for the binary form. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { yamlText } from '../../src/codec/yaml/yaml-text.ts';
import { expectFailure } from '../support/expect-status.ts';
import {
  PROTOBUF,
  readBinaryList,
  readYaml,
  requestBytes,
  YAML,
} from '../support/representations.ts';
import { sharedServer } from '../support/shared-server.ts';
import { forEachType, type TypeUnderTest } from '../support/type-under-test.ts';
import { listPath } from '../support/whole-list.ts';

const server = await sharedServer();
const META = 'g=meta.cluster.io;v=v1';

function asked(type: TypeUnderTest, name: string, accept: string) {
  const labels = type.selector;
  const path = name === '' ? listPath(type.path, { labels }) : type.at(name);
  return requestBytes(server, 'GET', path, { accept });
}

await forEachType(t, server, 'tables', async (t, type) => {
  await type.create('a');
  const accept = { accept: `application/json;as=Table;${META}` };
  for (const path of [listPath(type.path, { labels: type.selector }), type.at('a')]) {
    const { json } = await server.get(path, accept);
    t.match(json, { kind: 'Table', apiVersion: 'meta.cluster.io/v1' });
    t.match(json.columnDefinitions[0], { name: 'Name', type: 'string', format: 'name' });
    const [row] = json.rows;
    t.equal(row.cells[0], 'a');
    t.match(row.object, { kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    const whole = await server.get(
      `${path}${path.includes('?') ? '&' : '?'}includeObject=Object`,
      accept,
    );
    const { kind, apiVersion } = type.facts;
    t.match(whole.json.rows[0].object, { kind, apiVersion });
    t.equal(type.textOf(whole.json.rows[0].object), 'one');
  }
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'metadata alone', async (t, type) => {
  const { metadata } = (await type.create('a')).json;
  const partial = `as=PartialObjectMetadata;${META}`;
  const json = await asked(type, 'a', `application/json;${partial}`);
  const kind = 'PartialObjectMetadata';
  const apiVersion = 'meta.cluster.io/v1';
  t.same(JSON.parse(json.bytes.toString()), { kind, apiVersion, metadata });
  const list = await asked(type, '', `application/json;as=PartialObjectMetadataList;${META}`);
  t.same(JSON.parse(list.bytes.toString()).items[0].metadata, metadata);

  const binary = await asked(type, 'a', `${PROTOBUF};${partial}`);
  t.equal(binary.status, 200);
  const { kind: inBinary, raw } = unwrapProtobuf(binary.bytes);
  t.equal(inBinary, kind);
  t.ok(Buffer.from(raw).includes(metadata.uid));
  const binaryList = await asked(type, '', `${PROTOBUF};as=PartialObjectMetadataList;${META}`);
  t.equal(readBinaryList(binaryList.bytes).items.length, 1);
  const mismatch = await server.get(type.path, { accept: `application/json;${partial}` });
  expectFailure(t, mismatch, { code: 406, message: /but the requested object is a list/ });
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'YAML', async (t, type) => {
  const body = Buffer.from(yamlText(JSON.stringify(type.object('a'))));
  const headers = { 'content-type': YAML, accept: YAML };
  const created = await requestBytes(server, 'POST', type.path, headers, body);
  t.equal(created.status, 201, created.bytes.toString());
  const { json } = await type.get('a');
  t.same(readYaml(created.bytes), json);
  t.same(readYaml((await asked(type, 'a', YAML)).bytes), json);
  const list = readYaml((await asked(type, '', YAML)).bytes);
  t.equal(type.textOf(list.items[0]), 'one');
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'the binary form', async (t, type) => {
  await type.create('a');
  const { isCustom } = type.facts;
  for (const name of ['a', '']) {
    const answer = await asked(type, name, PROTOBUF);
    t.equal(answer.status, isCustom ? 406 : 200);
    const either = await asked(type, name, `${PROTOBUF},application/json`);
    t.equal(either.status, 200);
    const expected = isCustom ? 'application/json' : PROTOBUF;
    t.equal(either.headers['content-type'], expected, 'the next that will do');
  }
  if (isCustom) {
    const headers = { 'content-type': PROTOBUF };
    const sent = await server.request('POST', type.path, Buffer.from('k8s\0'), headers);
    expectFailure(t, sent, { code: 415, reason: 'UnsupportedMediaType' });
    const watched = await server.get(`${type.path}?watch=true`, { accept: PROTOBUF });
    t.equal(watched.status, 406);
  }
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'compression', async (t, type) => {
  const text = 'x'.repeat(250);
  const annotations = { long: 'y'.repeat(150_000) };
  await type.create('a', text, { annotations });
  const plain = await type.get('a');
  for (const name of ['a', '']) {
    const path = name === '' ? listPath(type.path, { labels: type.selector }) : type.at(name);
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await requestBytes(server, 'GET', path, headers);
    t.equal(answer.headers['content-encoding'], 'gzip');
    const unpacked = gunzipSync(answer.bytes).toString();
    t.ok(unpacked.includes(plain.json.metadata.uid));
    if (name !== '') t.equal(unpacked, plain.text);
  }
  await server.delete(type.at('a'));
});
