/** A server with the names of `k8s.io` describes itself, and has these paths. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { made } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import { launchServer, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';

const ARGS = ['--api-domain', 'k8s.io'];
/** Words of the other dialect. */
const NEUTRAL_WORDS = /cluster\.io|vnd\.cluster\.|io\.cluster\.|cluster-system/;

interface OpenApiSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
}

const tokens = join(temporaryFolder(), 'tokens.csv');
writeFileSync(tokens, 'robot-token,system:serviceaccount:kube-system:robot,uid-1\n');
const server = await startServer({ test: t, args: [...ARGS, '--token-auth-file', tokens] });

t.test('no document has a word of the other dialect', async (t) => {
  const { json: index } = await server.get('/openapi/v3');
  const documents = Object.values(index.paths as Record<string, { serverRelativeURL: string }>);
  const as = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const { json: root } = await server.get('/');
  const discovery = root.paths.filter((path: string) => path.startsWith('/api'));
  t.ok(documents.length > 40 && discovery.length > 40);
  const rows: [string, string][] = [
    ['/', ''],
    ['/openapi/v2', ''],
    ['/openapi/v3', ''],
    ['/version', ''],
    ['/metrics', ''],
    ['/api', `application/json;${as}`],
    ['/apis', `application/json;${as}`],
    ...discovery.map((path: string) => [path, '']),
    ...documents.map(({ serverRelativeURL }) => [serverRelativeURL, '']),
  ];
  for (const [path, accept] of rows) {
    const { status, text } = await server.get(path, accept === '' ? {} : { accept });
    t.equal(status, 200, path);
    t.equal(NEUTRAL_WORDS.exec(text)?.[0], undefined, `${path} ${accept}`);
  }
});

/** Places without a description in definitions and their members, whatever these are in. */
function undescribed(schema: OpenApiSchema, place: string): string[] {
  const { description, properties = {}, items, additionalProperties: more } = schema;
  const inner = [items, more].filter((one) => typeof one === 'object');
  return [
    ...(description === undefined ? [place] : []),
    ...Object.entries(properties).flatMap(([name, one]) => undescribed(one, `${place}.${name}`)),
    // Items of lists and values of maps are described with them.
    ...inner.flatMap((one) => undescribed({ description: '', ...one }, `${place}[]`)),
  ];
}

t.test('every definition and every member has a description', async (t) => {
  const { json: index } = await server.get('/openapi/v3');
  const addresses = Object.values(index.paths as Record<string, { serverRelativeURL: string }>);
  const paths = ['/openapi/v2', ...addresses.map((one) => one.serverRelativeURL)];
  let definitions = 0;
  for (const path of paths) {
    const { json } = await server.get(path);
    const schemas = Object.entries<OpenApiSchema>(json.definitions ?? json.components.schemas);
    definitions += schemas.length;
    const found = schemas.flatMap(([name, schema]) => undescribed(schema, name));
    t.same(found, [], path);
  }
  t.ok(paths.length > 40 && definitions > 1_000, `${definitions} definitions`);
});

t.test('names of groups, definitions and media types', async (t) => {
  const { json: groups } = await server.get('/apis');
  const names = groups.groups.map(({ name }: { name: string }) => name);
  for (const name of ['apps', 'storage.k8s.io', 'rbac.authorization.k8s.io', 'node.k8s.io']) {
    t.ok(names.includes(name), name);
  }
  const { json: accounts } = await server.get('/api/v1');
  const token = accounts.resources.find(
    ({ name }: { name: string }) => name === 'serviceaccounts/token',
  );
  t.match(token, { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' });
  const { json: openApi } = await server.get('/openapi/v2');
  t.match(openApi.definitions['io.k8s.api.storage.v1.StorageClass'], {
    'x-kubernetes-group-version-kind': [{ group: 'storage.k8s.io', version: 'v1' }],
  });
  t.ok(openApi.definitions['io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService']);
  const get = openApi.paths['/apis/storage.k8s.io/v1/storageclasses'].get;
  t.ok(get.produces.includes('application/vnd.kubernetes.protobuf;stream=watch'));
  const plain = await server.get('/apis', {
    accept: 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList',
  });
  t.equal(plain.status, 406, 'a group that is not known here');
});

t.test('paths and what they name', async (t) => {
  for (const path of [
    '/api/v1/namespaces/kube-system',
    '/api/v1/namespaces/kube-system/configmaps',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
  ]) {
    t.equal((await server.get(path)).status, 200, path);
  }
  t.equal((await server.get('/apis/storage.cluster.io/v1')).status, 404);
  t.equal((await server.get('/apis/storage.cluster.io/v1/storageclasses')).status, 404);
  const none = await server.get('/api/v1/namespaces/cluster-system');
  expectFailure(t, none, { code: 404, message: 'namespaces "cluster-system" not found' });
  const old = await server.get('/apis/discovery.k8s.io/v1beta1/endpointslices');
  t.match(
    old.headers['warning'],
    'discovery.k8s.io/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; ' +
      'use discovery.k8s.io/v1 EndpointSlice',
  );
});

t.test('reviews and tokens speak of the names that clients know', async (t) => {
  const namespace = '/api/v1/namespaces/kube-system';
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await made(server, `${namespace}/serviceaccounts`, { metadata: { name: 'robot' } });
  await made(server, `${rbac}/namespaces/kube-system/roles`, {
    metadata: { name: 'reader' },
    rules: [{ verbs: ['get'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }],
  });
  await made(server, `${rbac}/namespaces/kube-system/rolebindings`, {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'kube-system' }],
  });
  const user = 'system:serviceaccount:kube-system:robot';
  const attributes = { verb: 'get', resource: 'leases', namespace: 'kube-system' };
  const review = await server.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { user, resourceAttributes: { ...attributes, group: 'coordination.k8s.io' } },
  });
  t.equal(review.status, 201);
  t.equal(review.json.apiVersion, 'authorization.k8s.io/v1');
  t.match(review.json.spec, { user, resourceAttributes: attributes });
  t.same(review.json.status, {
    allowed: true,
    reason:
      'RBAC: allowed by RoleBinding "readers/kube-system" of Role "reader" to ' +
      'ServiceAccount "robot/kube-system"',
  });
  const { json: issued } = await server.post(`${namespace}/serviceaccounts/robot/token`, {});
  const { token } = issued.status;
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  t.match(claims, { sub: user, 'kubernetes.io': { namespace: 'kube-system' } });
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system'];
  for (const [sent, expected] of [
    [token, { username: user, groups: [...groups, 'system:authenticated'] }],
    ['robot-token', { username: user, uid: 'uid-1' }],
  ] as const) {
    const reviewed = await server.post('/apis/authentication.k8s.io/v1/tokenreviews', {
      spec: { token: sent },
    });
    t.match(reviewed.json, { apiVersion: 'authentication.k8s.io/v1' });
    t.match(reviewed.json.status.user, expected);
  }
});

t.test('a folder may be served in either dialect, and its tokens with it', async (t) => {
  const { dataDirectory } = server;
  t.match(server.process.stdout, /^curl -H .*\/api\/v1\/namespaces$/m, 'no HTTPS: no kubectl');
  await server.stop();
  const secure = await launchServer({
    args: [...ARGS, '--secure-port', String(server.port), '--port', '0'],
    dataDirectory,
  });
  t.match(secure.stdout, /^kubectl get namespaces$/m);
  await secure.dispose();
  const neutral = await startServer({ test: t, dataDirectory });
  t.equal((await neutral.get('/api/v1/namespaces/cluster-system')).status, 200);
});

t.end();
