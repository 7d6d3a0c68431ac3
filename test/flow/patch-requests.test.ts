/** PATCH over HTTP: what it may be sent to, with which types, options and bodies. */
import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { expectFailure, expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { refuses } from '../support/bad-requests.ts';
import type { Answer, RequestHeaders } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const PATCH_TYPES = [JSON_PATCH, MERGE, STRATEGIC, APPLY] as const;
const BODY_BYTES_MAX = 3 * 1024 * 1024;
const YAML_BYTES_MAX = 256 * 1024;

const server = await sharedServer();
await server.post(CONFIG_MAPS, configMap('existing'));
const EXISTING = `${CONFIG_MAPS}/existing`;

async function patch(
  path: string,
  contentType: string,
  body: unknown,
  headers: RequestHeaders = {},
): Promise<Answer> {
  return server.request('PATCH', path, body, { 'content-type': contentType, ...headers });
}

/** The data of an object that was made for the test. */
async function made(t: Test, name: string): Promise<Answer> {
  const answer = await server.post(CONFIG_MAPS, configMap(name));
  t.equal(answer.status, 201, answer.text.slice(0, 300));
  return answer;
}

function tooLarge(limit: number): object {
  const message = `Request entity too large: limit is ${limit}`;
  return { code: 413, reason: 'RequestEntityTooLarge', message };
}

const NOT_ALLOWED = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};
const UNKNOWN_TYPE = {
  code: 415,
  reason: 'UnsupportedMediaType',
  message: '415: Unsupported Media Type',
  details: {},
};
const FORCE = {
  code: 422,
  reason: 'Invalid',
  message:
    'PatchOptions.meta.cluster.io "" is invalid: ' +
    'force: Forbidden: may not be specified for non-apply patch',
};

refuses(
  t,
  server,
  [
    ...[undefined, '', 'application/json', 'application/yaml', 'text/plain'].map((type) => ({
      name: `a patch of type ${String(type)}`,
      path: EXISTING,
      headers: { 'content-type': type },
      expected: UNKNOWN_TYPE,
    })),
    { name: 'a patch of a collection', path: CONFIG_MAPS, expected: NOT_ALLOWED },
    {
      name: 'a part that is only written',
      path: '/api/v1/namespaces/default/finalize',
      expected: NOT_ALLOWED,
    },
    {
      name: 'a virtual kind',
      path: '/api/v1/componentstatuses/etcd-0',
      expected: NOT_ALLOWED,
    },
    {
      name: 'a missing subresource',
      path: `${EXISTING}/status`,
      expected: { code: 404, message: 'the server could not find the requested resource' },
    },
    ...[JSON_PATCH, MERGE, STRATEGIC].map((type) => ({
      name: `a missing object, with ${type}`,
      path: `${CONFIG_MAPS}/none`,
      body: type === JSON_PATCH ? '[]' : '{}',
      headers: { 'content-type': type },
      expected: {
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "none" not found',
        details: { name: 'none', kind: 'configmaps' },
      },
    })),
    ...[JSON_PATCH, MERGE, STRATEGIC].flatMap((type) =>
      ['force', 'force=false'].map((force) => ({
        name: `${force}, with ${type}`,
        path: `${EXISTING}?${force}`,
        headers: { 'content-type': type },
        expected: FORCE,
      })),
    ),
    {
      name: 'an apply without a manager',
      path: `${EXISTING}?force`,
      headers: { 'content-type': APPLY },
      expected: {
        code: 422,
        reason: 'Invalid',
        message:
          'PatchOptions.meta.cluster.io "" is invalid: ' +
          'fieldManager: Required value: is required for apply patch',
      },
    },
  ].map((row) => ({ method: 'PATCH', body: '{}', headers: { 'content-type': MERGE }, ...row })),
);

const overLimit = 'x'.repeat(BODY_BYTES_MAX + 1);
const UNKNOWN_LENGTH = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
refuses(t, server, [
  ...PATCH_TYPES.flatMap((type) =>
    [{}, UNKNOWN_LENGTH].map((headers) => ({
      name: `a body over 3 MiB, ${headers === UNKNOWN_LENGTH ? 'in chunks, ' : ''}with ${type}`,
      method: 'PATCH',
      path: `${EXISTING}?fieldManager=me`,
      body: overLimit,
      headers: { 'content-type': type, ...headers },
      expected: { code: 413, ...tooLarge(BODY_BYTES_MAX) },
    })),
  ),
  {
    name: 'YAML that is too long to apply',
    method: 'PATCH',
    path: `${EXISTING}?fieldManager=me`,
    body: `# ${'x'.repeat(YAML_BYTES_MAX)}\n{}`,
    headers: { 'content-type': APPLY },
    expected: { code: 413, ...tooLarge(YAML_BYTES_MAX) },
  },
  {
    name: 'YAML that is too long to apply and begins as JSON does',
    method: 'PATCH',
    path: `${EXISTING}?fieldManager=me`,
    body: `{ data: { filler: ${'x'.repeat(YAML_BYTES_MAX)} } }`,
    headers: { 'content-type': APPLY },
    expected: { code: 413, ...tooLarge(YAML_BYTES_MAX) },
  },
]);

t.test('JSON that is applied may be longer than YAML', async (t) => {
  const filler = 'x'.repeat(2 * YAML_BYTES_MAX);
  const path = `${CONFIG_MAPS}/long?fieldManager=me`;
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'long' } };
  const answer = await patch(path, APPLY, { ...config, data: { filler } });
  t.equal(answer.status, 201, answer.text.slice(0, 300));
  t.equal(answer.json.data.filler.length, filler.length);
});

t.test('each type changes the object in its way', async (t) => {
  const yaml = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  more: '1'\n`;
  const bodies: [type: string, name: string, body: string][] = [
    [JSON_PATCH, 'by-json', '[{"op":"add","path":"/data/more","value":"1"}]'],
    [`${MERGE}; charset=utf-8`, 'by-merge', '{"data":{"more":"1"}}'],
    [STRATEGIC, 'by-strategic', '{"data":{"more":"1"}}'],
    [APPLY, 'by-apply', yaml('by-apply')],
  ];
  for (const [type, name, body] of bodies) {
    const before = await made(t, name);
    const path = `${CONFIG_MAPS}/${name}`;
    const dry = await patch(`${path}?dryRun=All&fieldManager=me`, type, body);
    t.equal(dry.status, 200, `${type}: ${dry.text.slice(0, 300)}`);
    t.same(dry.json.data, { key: 'value', more: '1' }, type);
    t.equal((await server.get(path)).text, before.text, 'a dry run stores nothing');

    const answer = await patch(`${path}?fieldManager=me`, type, body);
    t.equal(answer.status, 200, `${type}: ${answer.text.slice(0, 300)}`);
    t.same(answer.json.data, { key: 'value', more: '1' }, type);
    t.equal((await server.get(path)).text, answer.text);
    const again = await patch(`${path}?fieldManager=me&pretty=true`, type, body);
    t.equal(again.text, JSON.stringify(answer.json, undefined, 2), 'indented, the same version');
  }
  const created = await patch(`${CONFIG_MAPS}/applied?fieldManager=me`, APPLY, yaml('applied'));
  t.equal(created.status, 201, created.text.slice(0, 300));
});

t.test('the manager is that of the query, else of the agent', async (t) => {
  await made(t, 'managed');
  const path = `${CONFIG_MAPS}/managed`;
  const rows: [query: string, agent: string | undefined, manager: string][] = [
    ['?fieldManager=by-query', 'agent/1.23', 'by-query'],
    ['', 'by-agent/1.23 (x)', 'by-agent'],
    ['', Buffer.from('zoë/1').toString('latin1'), 'zoë'],
    ['', undefined, 'unknown'],
  ];
  for (const [index, [query, agent, manager]] of rows.entries()) {
    // As bytes, since a text would be sent in one encoding with the head.
    const body = Buffer.from(`{"data":{"key-${index}":"1"}}`);
    const answer = await patch(`${path}${query}`, MERGE, body, { 'user-agent': agent });
    t.equal(answer.status, 200, answer.text.slice(0, 300));
    const owners = answer.json.metadata.managedFields.filter(({ fieldsV1 }: { fieldsV1: object }) =>
      JSON.stringify(fieldsV1).includes(`"f:key-${index}"`),
    );
    t.match(owners, [{ manager, operation: 'Update', apiVersion: 'v1' }], manager);
  }
});

t.test('a deprecated version warns', async (t) => {
  const path = '/apis/batch/v1beta1/namespaces/default/cronjobs/none';
  const answer = await patch(path, MERGE, '{}');
  expectFailure(t, answer, { code: 404, message: 'cronjobs.batch "none" not found' });
  t.match(answer.headers['warning'], /^299 - "batch\/v1beta1 CronJob is deprecated/);
});

t.test('a client that leaves in the middle of its patch changes nothing', async (t) => {
  const before = await made(t, 'half');
  const body = '{"data":{"key":"other"}}';
  const head =
    `PATCH ${CONFIG_MAPS}/half HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
    `Content-Type: ${MERGE}\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (let sent = 0; sent < body.length; sent += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head + body.slice(0, sent));
    socket.destroy();
  }
  await expectUnharmed(t, server);
  t.equal((await server.get(`${CONFIG_MAPS}/half`)).text, before.text);
});

t.test('a patch in small chunks, and one without a body', async (t) => {
  await made(t, 'chunked');
  const path = `${CONFIG_MAPS}/chunked`;
  const answer = await patch(path, MERGE, '{"data":{"key":"other"}}', UNKNOWN_LENGTH);
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  t.equal(answer.json.data.key, 'other');
  const empty = await patch(path, MERGE, undefined);
  expectFailure(t, empty, { code: 400, reason: 'BadRequest' });
});
