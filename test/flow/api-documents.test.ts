/** The server describes itself: discovery, OpenAPI and the list of paths. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { parse } from 'yaml';
import { compileProtobufCodec } from '../../src/codec/protobuf/protobuf-codec.ts';
import { unwrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { model } from '../codec/proto-model.ts';
import { expectFailure } from '../support/expect-status.ts';
import { requestBytes, type BytesAnswer } from '../support/representations.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t, args: ['--runtime-config', 'batch/v1beta1=false'] });

const fetched = (path: string, headers: Record<string, string> = {}): Promise<BytesAnswer> =>
  requestBytes(server, 'GET', path, headers);

t.test('discovery names what is served, at every level', async (t) => {
  const { json: api } = await server.get('/api');
  t.match(api, { kind: 'APIVersions', versions: ['v1'] });
  t.equal(api.apiVersion, undefined);
  const { json: groups } = await server.get('/apis');
  t.match(groups, { kind: 'APIGroupList', apiVersion: 'v1' });
  const batch = groups.groups.find(({ name }: { name: string }) => name === 'batch');
  t.same(batch, {
    name: 'batch',
    versions: [{ groupVersion: 'batch/v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'batch/v1', version: 'v1' },
  });
  t.match((await server.get('/apis/batch/')).json, { kind: 'APIGroup', name: 'batch' });
  const { json: core } = await server.get('/api/v1');
  t.match(
    core.resources.find(({ name }: { name: string }) => name === 'configmaps'),
    {
      singularName: '',
      namespaced: true,
      kind: 'ConfigMap',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['cm'],
    },
  );
  t.equal((await server.get('/apis/batch/v1beta1')).status, 404, 'switched off');
  t.equal((await server.get('/apis/none')).status, 404);
  expectFailure(t, await server.post('/api', {}), { code: 405, reason: 'MethodNotAllowed' });
});

t.test('aggregated discovery for who asks for it, plain for others', async (t) => {
  const group = 'g=apidiscovery.cluster.io';
  const as = 'as=APIGroupDiscoveryList';
  const accept = `application/json;${group};v=v2;${as},application/json`;
  const { headers, bytes: body } = await fetched('/apis', { accept });
  t.equal(headers['content-type'], `application/json;${group};v=v2;${as}`);
  const document = JSON.parse(body.toString());
  t.match(document, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.cluster.io/v2' });
  t.ok(document.items.length > 10);
  const etag = String(headers['etag']);
  const again = await fetched('/apis', { accept, 'if-none-match': etag });
  t.same([again.status, again.bytes.length], [304, 0]);
  const unknown = await fetched('/apis', { accept: `application/json;g=x;v=v2;${as},*/*` });
  t.equal(JSON.parse(unknown.bytes.toString()).kind, 'APIGroupList');
  t.equal((await fetched('/apis', { accept: `application/json;g=x;v=v2;${as}` })).status, 406);
  for (const path of ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1']) {
    const { bytes } = await fetched(path, { accept: 'text/html, application/json;as=Table' });
    t.match(
      bytes.toString(),
      'only the following media types are accepted: ',
      `${path}: no form of that`,
    );
  }
  const none = await fetched('/api/v1', { accept: 'text/html' });
  t.match(none.bytes.toString(), '406: Not Acceptable');
});

t.test('discovery in the encodings of objects', async (t) => {
  const protobuf = 'application/vnd.cluster.protobuf';
  for (const path of ['/api', '/apis', '/apis/batch', '/api/v1', '/apis/apps/v1']) {
    const { json } = await server.get(path);
    const yaml = await fetched(path, { accept: 'application/yaml' });
    t.equal(yaml.headers['content-type'], 'application/yaml');
    t.same(parse(yaml.bytes.toString()), json);
    const binary = await fetched(path, { accept: `${protobuf};q=0.9,application/json;q=0.1` });
    t.equal(binary.headers['content-type'], protobuf);
    const { kind, apiVersion, raw } = unwrapProtobuf(binary.bytes);
    t.same([kind, apiVersion], [json.kind, json.apiVersion ?? '']);
    const decoded = compileProtobufCodec(model, `meta.v1.${kind}`).decode(raw);
    const names = (list: { name: string }[] = []): string[] => list.map(({ name }) => name);
    t.same(decoded['versions'], json.versions);
    t.same(names(decoded['resources'] as never), names(json.resources));
    t.same(names(decoded['groups'] as never), names(json.groups));
    const [resource] = (decoded['resources'] ?? []) as { verbs: unknown }[];
    t.same(resource?.verbs, json.resources && { items: json.resources[0].verbs });
  }
});

t.test('OpenAPI version 2, in JSON and in its binary form', async (t) => {
  const { headers, bytes: body } = await fetched('/openapi/v2');
  const document = JSON.parse(body.toString());
  t.equal(document.swagger, '2.0');
  t.ok(document.paths['/api/v1/namespaces/{namespace}/configmaps/{name}'].patch);
  const zipped = await fetched('/openapi/v2', { 'accept-encoding': 'gzip' });
  t.equal(zipped.headers['content-encoding'], 'gzip');
  t.ok(gunzipSync(zipped.bytes).equals(body));
  t.ok(zipped.bytes.length < body.length / 5);
  const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
  for (const accept of [`${asked},application/json;q=0.1`, type]) {
    const binary = await fetched('/openapi/v2', { accept });
    t.equal(binary.headers['content-type'], type, 'one that clients can parse');
    t.equal(binary.bytes[0], 0x0a, 'the first field: swagger');
  }
  const etag = String(headers['etag']);
  t.equal((await fetched('/openapi/v2', { 'if-none-match': `"x", ${etag}` })).status, 304);
  t.equal((await fetched('/openapi/v2', { accept: 'text/html' })).status, 406);
});

t.test('OpenAPI version 3: an index, and documents that stay as long as their hash', async (t) => {
  const { json: index } = await server.get('/openapi/v3');
  const address: string = index.paths['apis/apps/v1'].serverRelativeURL;
  const { status, headers, bytes: body } = await fetched(address);
  t.equal(status, 200);
  t.match(headers['cache-control'], /immutable/);
  const { components } = JSON.parse(body.toString());
  const schemas = Object.keys(components.schemas);
  t.ok(schemas.some((name) => name.endsWith('.api.apps.v1.Deployment')));
  const zipped = await fetched(address, { 'accept-encoding': 'gzip' });
  t.equal(zipped.headers['content-encoding'], 'gzip');
  t.ok(gunzipSync(zipped.bytes).equals(body));
  const old = await fetched(address.replace(/hash=.*/, 'hash=OLD'));
  t.same([old.status, old.headers['location']], [301, address]);
  t.equal((await fetched('/openapi/v3/apis/none/v1')).status, 404);
});

t.test('the paths, for whoever looks around', async (t) => {
  const { text, json } = await server.get('/');
  t.ok(text.startsWith('{\n  "paths": [\n'));
  for (const path of ['/api/v1', '/apis/apps/v1', '/livez', '/openapi/v3', '/readyz/shutdown']) {
    t.ok(json.paths.includes(path), path);
  }
  t.equal((await server.get('/nothing')).status, 404);
  const stranger = await server.request('GET', '/api', undefined, { authorization: '' });
  t.equal(stranger.status, 403);
});

t.test('a page for browsers, which have no token', async (t) => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const stranger = { accept, authorization: '' };
  const page = await server.get('/', stranger);
  t.same(
    [page.status, page.headers['content-type'], page.headers['vary']],
    [200, 'text/html; charset=utf-8', 'Accept'],
  );
  t.match(page.headers['content-security-policy'], "default-src 'none'");
  t.match(page.text, `http://127.0.0.1:${server.port}`);
  t.notMatch(page.text, '/apis/apps', 'nothing that needs rights');
  t.notMatch(page.text, server.token);
  const head = await server.request('HEAD', '/', undefined, stranger);
  t.same([head.status, head.text], [200, '']);
  const known = await server.get('/', { accept });
  t.equal(known.status, 200);
  t.match(known.text, '<a href="/apis/apps/v1">');
  const refused: [string, string, Record<string, string>][] = [
    ['GET', '/', { authorization: '' }],
    ['GET', '/', { accept: 'application/json', authorization: '' }],
    ['GET', '/', { accept: '*/*', authorization: 'Bearer wrong' }],
    ['POST', '/', stranger],
    ['GET', '/api', stranger],
    ['GET', '/apis', stranger],
  ];
  for (const [method, path, headers] of refused) {
    const { status } = await server.request(method, path, undefined, headers);
    const code = headers['authorization'] === '' ? 403 : 401;
    t.equal(status, code, `${method} ${path} ${JSON.stringify(headers)}`);
  }
  const folder = server.dataDirectory;
  for (const host of ['localhost:8080', '127.0.0.1', 'LOCALHOST', '[::1]:8080']) {
    t.match((await server.get('/', { ...stranger, host })).text, folder, `Host ${host}`);
  }
  for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example']) {
    for (const authorization of ['', `Bearer ${server.token}`]) {
      const { status, text } = await server.get('/', { accept, authorization, host });
      t.equal(status, 200);
      t.notMatch(text, folder, `Host ${host}`);
    }
  }
});

t.end();
