/** Requests of a group version that another server answers for: they go there as they came. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import {
  answer,
  APISERVICES,
  availableAs,
  register,
  startAggregated,
  type AggregatedRequest,
} from '../support/aggregated-server.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';

// Who is told to trust it is told by a server of HTTPS.
const server = await startServer({
  test: t,
  args: ['--secure-port', String(await freePort()), '--controllers=*'],
});
const GROUP = 'requests.aggregated.example';
const ROOT = `/apis/${GROUP}/v1`;
const FLOWERS = `${ROOT}/namespaces/default/flowers`;
const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources: [
    { name: 'flowers', singularName: 'flower', namespaced: true, kind: 'Flower', verbs: ['get'] },
  ],
};
/** The answers of the flowers, by their names. */
const flowers = new Map<string, (response: ServerResponse, incoming: IncomingMessage) => void>();

const other = await startAggregated(t, {
  name: 'requests',
  onRequest: ({ path }, response, incoming) => {
    const [, name = ''] = /\/flowers\/([^?/]+)/.exec(path) ?? [];
    const own = flowers.get(name);
    if (path === ROOT) answer(response, RESOURCES);
    else if (own !== undefined) own(response, incoming);
    else answer(response, { kind: 'Status', message: 'none', code: 404 }, 404);
  },
  onUpgrade: (_, connection) => {
    connection.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: garden\r\n\r\n',
    );
    connection.pipe(connection);
  },
});
const apiService = await register(server, other, { group: GROUP, name: 'requests' });
await availableAs(server, apiService, 'Passed');
await until(async () => (await server.get(ROOT)).status === 200);

/** The last request for a flower. */
function asked(name: string): AggregatedRequest {
  const found = other.requests.findLast(({ path }) => path.includes(`/flowers/${name}`));
  if (found === undefined) throw new Error(`nobody has asked for ${name}`);
  return found;
}

t.test('who asks is told in headers, beside a certificate of this server', async (t) => {
  flowers.set('who', (response) => answer(response, { kind: 'Flower' }));
  const { status, json, headers } = await server.get(`${FLOWERS}/who?pretty=1&b=%2F%20`, {
    'impersonate-user': 'jane',
    'impersonate-group': 'gardeners',
    'impersonate-extra-Scopes%2fof': 'all',
    'x-remote-user': 'somebody',
    'x-remote-extra-a': 'b',
    'audit-id': 'as-the-client-says',
    'accept-language': 'eo',
  });
  t.equal(status, 403, 'a user without rights is stopped here');
  const binding = {
    metadata: { name: 'aggregated-jane' },
    roleRef: {
      apiGroup: 'rbac.authorization.cluster.io',
      kind: 'ClusterRole',
      name: 'cluster-admin',
    },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.cluster.io', name: 'jane' }],
  };
  const bindings = '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings';
  t.equal((await server.post(bindings, binding)).status, 201);
  t.teardown(() => server.delete(`${bindings}/aggregated-jane`));
  t.match(json, { kind: 'Status', reason: 'Forbidden' });
  t.ok(headers['audit-id']);
  const passed = await server.get(`${FLOWERS}/who?pretty=1&b=%2F%20`, {
    'impersonate-user': 'jane',
    'impersonate-group': 'gardeners',
    'impersonate-extra-Scopes%2fof': 'all',
    'x-remote-user': 'somebody',
    'x-remote-extra-a': 'b',
    'audit-id': 'as-the-client-says',
    'accept-language': 'eo',
  });
  t.equal(passed.status, 200);
  t.same(passed.json, { kind: 'Flower' });
  const { path, headers: got, certificate } = asked('who');
  t.equal(path, `${FLOWERS}/who?pretty=1&b=%2F%20`);
  t.same(got.get('x-remote-user'), ['jane']);
  t.same(got.get('x-remote-group'), ['gardeners', 'system:authenticated']);
  t.same(got.get('x-remote-extra-scopes%2fof'), ['all']);
  t.same(got.get('x-remote-extra-a'), undefined);
  t.same(got.get('authorization'), undefined);
  t.same(got.get('impersonate-user'), undefined);
  t.same(got.get('audit-id'), ['as-the-client-says']);
  t.same(got.get('accept-language'), ['eo']);
  t.same(got.get('host'), [`localhost:${other.port}`]);
  t.same(got.get('x-forwarded-uri'), [`${FLOWERS}/who`]);
  t.ok(got.get('x-forwarded-for')?.[0]);
  const published = await server.get(
    '/api/v1/namespaces/cluster-system/configmaps/extension-apiserver-authentication',
  );
  const { data } = published.json;
  const shown = new X509Certificate(certificate);
  t.ok(shown.verify(new X509Certificate(data['requestheader-client-ca-file']).publicKey));
  t.match(shown.subject, /CN=front-proxy-client$/);
  t.same(JSON.parse(data['requestheader-allowed-names']), ['front-proxy-client']);
});

t.test('bodies go both ways, whatever their length and form', async (t) => {
  const sent = JSON.stringify({ kind: 'Flower', text: 'x'.repeat(5_000_000) });
  flowers.set('large', (response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'x-garden': 'north' });
    response.end(sent);
  });
  const { status, text, headers } = await server.request('PUT', `${FLOWERS}/large`, sent);
  t.equal(status, 201);
  t.equal(text, sent);
  t.equal(headers['x-garden'], 'north');
  t.equal(asked('large').body, sent, 'more than this server takes itself');
  const packed = gzipSync('{"kind":"Flower"}');
  flowers.set('packed', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(packed);
  });
  const answered = await server.get(`${FLOWERS}/packed`, { 'accept-encoding': 'gzip' });
  t.equal(answered.headers['content-encoding'], 'gzip');
  t.equal(asked('packed').headers.get('accept-encoding')?.[0], 'gzip');
});

t.test('a body in chunks, and an error of the server', async (t) => {
  flowers.set('chunks', (response) => answer(response, { kind: 'Status', code: 422 }, 422));
  const request = httpRequest({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: `${FLOWERS}/chunks`,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
  });
  request.write('{"kind":');
  request.end('"Flower"}');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  t.equal(response.statusCode, 422);
  response.resume();
  t.equal(asked('chunks').body, '{"kind":"Flower"}');
  t.same(asked('chunks').headers.get('transfer-encoding'), ['chunked']);
});

t.test('a watch is told each event at once, and ends on both sides', async (t) => {
  let told: ServerResponse | undefined;
  let hasEnded: Promise<unknown> | undefined;
  flowers.set('watched', (response, incoming) => {
    told = response;
    hasEnded = once(incoming.socket, 'close');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
  });
  const watch = await server.watch(`${FLOWERS}/watched?watch=true`);
  t.equal(watch.status, 200, 'the head comes before any event');
  for (const name of ['a', 'b']) {
    told?.write(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`);
    t.equal((await watch.next())?.object.metadata.name, name);
  }
  watch.close();
  await hasEnded;
  const again = await server.watch(`${FLOWERS}/watched?watch=true`);
  told?.end();
  await until(async () => again.ended);
});

t.test('frames of a watch come as they are', async () => {
  let told: ServerResponse | undefined;
  flowers.set('framed', (response) => {
    told = response;
    response.writeHead(200, { 'content-type': 'application/x.protobuf;stream=watch' });
    response.flushHeaders();
  });
  const request = httpRequest({
    host: '127.0.0.1',
    port: server.port,
    path: `${FLOWERS}/framed?watch=true`,
    headers: { authorization: `Bearer ${server.token}` },
  }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let got = '';
  response.setEncoding('latin1').on('data', (text: string) => (got += text));
  for (const frame of ['\0\0\0\u0005hello', '\0\0\0\u0002ab']) {
    const before = got.replace(/^\0$/, '');
    // The length comes before the rest.
    told?.write(frame.slice(0, 4), 'latin1');
    told?.write(frame.slice(4), 'latin1');
    await until(async () => got === before + frame);
  }
  told?.end();
  await once(response, 'end');
});

t.test('an answer that breaks off does not look complete', async (t) => {
  flowers.set('broken', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"kind":');
    setImmediate(() => response.destroy());
  });
  await t.rejects(server.get(`${FLOWERS}/broken`));
});

t.test('redirects are told to nobody', async (t) => {
  flowers.set('moved', (response) => {
    response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
  });
  const { status, text, headers } = await server.get(`${FLOWERS}/moved`);
  t.equal(status, 502);
  t.equal(text, 'the backend attempted to redirect this request, which is not permitted');
  t.equal(headers.location, undefined);
});

t.test('a server that goes away, and comes back', async (t) => {
  flowers.set('there', (response) => answer(response, { kind: 'Flower' }));
  await other.close();
  const { status, text, headers } = await server.get(`${FLOWERS}/there`);
  t.equal(status, 503);
  const at = `dial tcp 127.0.0.1:${other.port}`;
  t.match(text, /^error trying to reach service: .*connection refused\n$/, at);
  t.equal(headers['content-type'], 'text/plain; charset=utf-8');
  // A change of the object has it looked at.
  await server.request('PATCH', apiService, '{"metadata":{"labels":{"a":"b"}}}', {
    'content-type': 'application/merge-patch+json',
  });
  const failed = await availableAs(server, apiService, 'FailedDiscoveryCheck');
  t.equal(failed.status, 'False');
  const url = `https://localhost:${other.port}${ROOT}`;
  t.match(failed.message, `failing or missing response from ${url}: Get "${url}": dial tcp`);
  await until(async () => (await server.get(`${FLOWERS}/there`)).text === 'service unavailable\n');
  t.equal((await server.get(ROOT)).status, 503);
  await other.open();
  t.equal((await availableAs(server, apiService, 'Passed')).message, 'all checks passed');
  await until(async () => (await server.get(`${FLOWERS}/there`)).status === 200);
});

t.test('another one that is not whom the APIService names', async (t) => {
  const unknown = { group: 'unknown.aggregated.example', name: 'other-name' };
  const path = await register(server, other, unknown);
  const { message } = await availableAs(server, path, 'FailedDiscoveryCheck');
  const names = 'certificate is valid for requests.default.svc, not other-name.default.svc';
  t.match(message, `tls: failed to verify certificate: x509: ${names}`);
  t.equal((await server.delete(path)).status, 200);
  const unverified = {
    group: 'unknown.aggregated.example',
    name: 'other-name',
    spec: { caBundle: undefined, insecureSkipTLSVerify: true },
  };
  await register(server, other, unverified);
  const refused = await availableAs(server, path, 'FailedDiscoveryCheck');
  t.match(refused.message, /: bad status from https:.*: 404$/);
  await server.delete(path);
});

t.test('who has gone is not served any more', async (t) => {
  t.equal((await server.delete(apiService)).status, 200);
  await until(async () => (await server.get(ROOT)).status === 404);
  t.equal((await server.get(`${APISERVICES}/v1.${GROUP}`)).status, 404);
});

t.end();
