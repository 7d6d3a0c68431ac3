/** Bodies made to hurt: deep, self-multiplying, not UTF-8, with keys that JavaScript minds. */
import t from 'tap';
import { YAML_BODY_BYTES_MAX } from '../../src/limits.ts';
import { expectFailure, expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS, kindNamed, objectPath, typePath } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { PROTOBUF, requestBytes } from '../support/representations.ts';
import { sharedServer } from '../support/shared-server.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const REVISIONS = typePath(kindNamed('ControllerRevision'));

const server = await sharedServer();

function nested(levels: number): string {
  return '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
}

t.test('10,000 levels of nesting are refused or dropped, in no time', async (t) => {
  const bodies = {
    'in a field of another type': [
      CONFIG_MAPS,
      `{"metadata":{"name":"deep"},"data":${nested(10_000)}}`,
    ],
    'in raw data': [
      REVISIONS,
      `{"metadata":{"name":"deep"},"revision":1,"data":${nested(10_000)}}`,
    ],
    'in an unknown field': [CONFIG_MAPS, `{"metadata":{"name":"deep"},"x":${nested(10_000)}}`],
    'as arrays': [CONFIG_MAPS, '['.repeat(10_000)],
    'of a million levels': [
      REVISIONS,
      `{"metadata":{"name":"deep"},"data":${'['.repeat(1_000_000)}`,
    ],
    'of as many levels as YAML may have bytes': [REVISIONS, '['.repeat(YAML_BODY_BYTES_MAX)],
  } as const;
  for (const [where, [path, body]] of Object.entries(bodies)) {
    const answer = await server.post(path, body);
    expectFailure(t, answer, { code: 400, reason: 'BadRequest' });
    t.ok(answer.milliseconds < PATIENCE_MS, `${where}: ${Math.round(answer.milliseconds)} ms`);
    const yaml = await server.post(path, body, { 'content-type': 'application/yaml' });
    const tooLarge = body.length > YAML_BODY_BYTES_MAX;
    if (tooLarge) expectFailure(t, yaml, { code: 413, reason: 'RequestEntityTooLarge' });
    else expectFailure(t, yaml, { code: 400, reason: 'BadRequest' });
    t.ok(yaml.milliseconds < PATIENCE_MS, `${where}, YAML: ${Math.round(yaml.milliseconds)} ms`);
    await expectUnharmed(t, server);
  }
});

t.test('YAML that nests without brackets is refused, again and again', async (t) => {
  const reviews = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
  for (const [level, levels] of [
    ['? ', 4_000],
    ['- ', 32_000],
    ['- ? ', 4_000],
  ] as const) {
    for (const path of [reviews, CONFIG_MAPS, reviews, CONFIG_MAPS]) {
      const headers = { 'content-type': 'application/yaml' };
      const answer = await server.post(path, level.repeat(levels), headers);
      expectFailure(t, answer, { code: 400, reason: 'BadRequest' });
      t.match(answer.json.message, /yaml: line 1: exceeded max depth of 500 /);
      await expectUnharmed(t, server);
    }
  }
});

t.test('JSON is applied as deep as it may be created', async (t) => {
  const applied = `{"apiVersion":"v1","kind":"ConfigMap","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const path = `${CONFIG_MAPS}/applied?fieldManager=test`;
  const answer = await server.request('PATCH', path, applied, headers);
  expectFailure(t, answer, { code: 400, reason: 'BadRequest' });
  t.match(answer.json.message, /: yaml: exceeded max depth of 10000$/);
});

t.test('some nesting is fine where anything goes', async (t) => {
  const body = `{"metadata":{"name":"nested"},"revision":1,"data":${nested(100)}}`;
  const answer = await server.post(REVISIONS, body);
  t.equal(answer.status, 201, answer.text.slice(0, 300));
  t.ok(answer.text.includes(nested(100)), 'and comes back');
});

t.test('a schema that nests very deep is listed in protobuf with all others', async (t) => {
  const levels = 3_000;
  const schema = `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  const names = '{"plural":"deeps","kind":"Deep"}';
  const version =
    '{"name":"v1","served":true,"storage":true,' +
    `"schema":{"openAPIV3Schema":{"type":"object","not":${schema}}}}`;
  const created = await server.post(
    DEFINITIONS,
    '{"metadata":{"name":"deeps.example.com"},' +
      `"spec":{"group":"example.com","names":${names},"scope":"Cluster","versions":[${version}]}}`,
  );
  t.equal(created.status, 201, created.text.slice(0, 300));
  for (const path of [DEFINITIONS, `${DEFINITIONS}/deeps.example.com`]) {
    const { status, bytes } = await requestBytes(server, 'GET', path, { accept: PROTOBUF });
    t.equal(status, 200, bytes.toString('latin1', 0, 300));
  }
  await server.delete(`${DEFINITIONS}/deeps.example.com`);
});

t.test('a JSON body that is not UTF-8', async (t) => {
  for (const bytes of [
    [0xff, 0xfe],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    const body = Buffer.concat([
      Buffer.from('{"metadata":{"name":"utf8"},"data":{"a":"'),
      Buffer.from(bytes),
      Buffer.from('"}}'),
    ]);
    const answer = await server.post(CONFIG_MAPS, body);
    expectFailure(t, answer, { code: 400, message: 'the body is not valid UTF-8' });
    await expectUnharmed(t, server);
  }
  await server.post(CONFIG_MAPS, { metadata: { name: 'whole' } });
  const path = `${CONFIG_MAPS}/whole`;
  const typed = '"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"whole"}';
  const secret = '"metadata":{"name":"half"},"stringData"';
  const requests: [method: string, path: string, type: string, body: string][] = [];
  for (const half of ['"a":"@"', '"@":"a"', '"a":"x","unknown":"@"']) {
    requests.push(
      ['POST', CONFIG_MAPS, 'application/json', `{"metadata":{"name":"half"},"data":{${half}}}`],
      ['POST', CONFIG_MAPS, 'application/yaml', `{metadata: {name: half}, "data": {${half}}}`],
      [
        'POST',
        CONFIG_MAPS.replace('configmaps', 'secrets'),
        'application/yaml',
        `{${secret}:{${half}}}`,
      ],
      ['PUT', path, 'application/json', `{"metadata":{"name":"whole"},"data":{${half}}}`],
      ['PATCH', path, 'application/merge-patch+json', `{"data":{${half}}}`],
      ['PATCH', path, 'application/strategic-merge-patch+json', `{"data":{${half}}}`],
      ['PATCH', `${path}?fieldManager=m`, 'application/apply-patch+yaml', `{${typed},${half}}`],
      ['PATCH', `${path}?fieldManager=m`, 'application/apply-patch+yaml', `x: {${half}}`],
      ['DELETE', path, 'application/json', `{${half}}`],
    );
  }
  const add = '[{"op":"add","path":"/data","value":{"a":"@"}}]';
  requests.push(['PATCH', path, 'application/json-patch+json', add]);
  for (const [method, target, type, body] of requests) {
    for (const half of [Buffer.from('\\ud800'), Buffer.of(0xff)]) {
      const [before = '', after = ''] = body.split('@');
      const bytes = Buffer.concat([Buffer.from(before), half, Buffer.from(after)]);
      const answer = await server.request(method, target, bytes, { 'content-type': type });
      expectFailure(t, answer, { code: 400, message: /^the body is not valid (?:UTF-8|Unicode)/ });
    }
  }
  t.same((await server.get(path)).json.data, undefined, 'nothing has changed');
  await expectUnharmed(t, server);
});

t.test('duplicate keys: the last one counts', async (t) => {
  const body = '{"metadata":{"name":"twice","name":"twice-2"},"data":{"a":"1","a":"2"}}';
  const answer = await server.post(CONFIG_MAPS, body);
  t.equal(answer.status, 201, answer.text);
  t.equal(answer.json.metadata.name, 'twice-2');
  t.same(answer.json.data, { a: '2' });
  await expectUnharmed(t, server);
});

t.test('__proto__ and its kin are keys like any other', async (t) => {
  const body =
    '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},' +
    '"metadata":{"name":"proto","__proto__":{"finalizers":["example.com/x"]},' +
    '"labels":{"constructor":"a","toString":"b"}},' +
    '"data":{"__proto__":"1","constructor":"2","hasOwnProperty":"3"}}';
  const answer = await server.post(CONFIG_MAPS, body);
  t.equal(answer.status, 201, answer.text);
  t.match(answer.text, '"data":{"__proto__":"1","constructor":"2","hasOwnProperty":"3"}');
  t.match(answer.text, '"labels":{"constructor":"a","toString":"b"}');
  t.notMatch(answer.text, /polluted/);
  t.notMatch(answer.text, /finalizers/);
  t.equal((await server.get(`${CONFIG_MAPS}/proto`)).text, answer.text);
  const put = await server.put(`${CONFIG_MAPS}/proto`, answer.text);
  t.equal(put.text, answer.text, 'and are seen as unchanged');
  const raw = '{"metadata":{"name":"proto"},"revision":1,"data":{"__proto__":{"a":[]}}}';
  const revision = await server.post(REVISIONS, raw);
  t.match(revision.text, '"data":{"__proto__":{"a":[]}}', 'in raw data too');
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const missing = await server.get(`${CONFIG_MAPS}/${name}`);
    t.equal(missing.status, 404, `no object is named ${name}`);
    t.equal((await server.get(`/api/v1/${name}`)).status, 404, `no type is named ${name}`);
    t.equal((await server.get(`/apis/${name}/v1/x`)).status, 404, `no group is named ${name}`);
    const query = await server.get(`${CONFIG_MAPS}?${name}=1`);
    t.equal(query.status, 200, `a parameter named ${name}`);
  }
  await expectUnharmed(t, server);
});

t.test('a large int64 keeps every digit', async (t) => {
  const revision = '{"metadata":{"name":"big"},"revision":9007199254740993,"data":{}}';
  const answer = await server.post(REVISIONS, revision);
  t.equal(answer.status, 201, answer.text);
  t.match(answer.text, '"revision":9007199254740993');
  const same = await server.get(objectPath(kindNamed('ControllerRevision'), 'big'));
  t.match(same.text, '"revision":9007199254740993');
});

t.test('YAML that explodes, is malformed, or holds several documents', async (t) => {
  const bomb = ['a: &a ["x","x","x","x","x","x","x","x","x"]'];
  for (let level = 1; level < 12; level += 1) {
    const letter = String.fromCharCode(97 + level);
    const previous = String.fromCharCode(96 + level);
    bomb.push(`${letter}: &${letter} [${Array(9).fill(`*${previous}`).join(',')}]`);
  }
  const bodies = {
    bomb: bomb.join('\n'),
    'data bomb': `metadata: {name: bomb}\n${bomb.join('\n')}\ndata: *l`,
    malformed: 'metadata: {name: x\ndata: [',
    tab: 'metadata:\n\tname: x',
    recursive: 'metadata: &m\n  name: x\n  labels: *m\n',
  };
  for (const [what, body] of Object.entries(bodies)) {
    const answer = await server.post(CONFIG_MAPS, body, { 'content-type': 'application/yaml' });
    t.ok(
      [400, 422].includes(answer.status),
      `${what}: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
    t.ok(answer.milliseconds < PATIENCE_MS, `${what}: ${Math.round(answer.milliseconds)} ms`);
    await expectUnharmed(t, server);
  }
  const documents = 'metadata: {name: doc-1}\n---\nmetadata: {name: doc-2}\n';
  const several = await server.post(CONFIG_MAPS, documents, { 'content-type': 'application/yaml' });
  t.ok([201, 400].includes(several.status), `several documents: ${several.status}`);
  t.equal((await server.get(`${CONFIG_MAPS}/doc-2`)).status, 404, 'never the second one');
});
