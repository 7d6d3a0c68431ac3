/** Access reviews: what callers and others may do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LazyOperationCodecs } from '../../src/operation-codecs.ts';
import { model } from '../codec/proto-model.ts';
import { made } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import type { Members } from '../support/kinds.ts';
import { requestBytes } from '../support/representations.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const REVIEWS = '/apis/authorization.cluster.io/v1';
const SUBJECT = `${REVIEWS}/subjectaccessreviews`;
const SELF = `${REVIEWS}/selfsubjectaccessreviews`;
const RULES = `${REVIEWS}/selfsubjectrulesreviews`;
const LOCAL = `${REVIEWS}/namespaces/default/localsubjectaccessreviews`;
const RBAC = '/apis/rbac.authorization.cluster.io/v1';

const tokens = join(temporaryFolder(), 'tokens.csv');
writeFileSync(tokens, 'token-of-jane,jane,uid-1,"dev"\n');
const server = await startServer({ test: t, args: ['--token-auth-file', tokens] });
const jane = { authorization: 'Bearer token-of-jane' };

const GET_PODS = { namespace: 'default', verb: 'get', resource: 'pods' };

async function statusOf(path: string, spec: Members) {
  const { status, text, json } = await server.post(path, { spec });
  if (status !== 201) throw new Error(text);
  return json.status;
}

t.test('the administrator may do everything, and is told so', async (t) => {
  const { status, text } = await server.post(SELF, { spec: { resourceAttributes: GET_PODS } });
  t.equal(status, 201);
  t.equal(
    text.replace(/"manager":"[^"]*"/, '"manager":"M"').replace(/"time":"[^"]*"/, '"time":"T"'),
    '{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.cluster.io/v1",' +
      '"metadata":{"creationTimestamp":null,"managedFields":[{"manager":"M",' +
      '"operation":"Update","apiVersion":"authorization.cluster.io/v1","time":"T",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:resourceAttributes":' +
      '{".":{},"f:namespace":{},"f:resource":{},"f:verb":{}}}}}]},"spec":{"resourceAttributes":' +
      '{"namespace":"default","verb":"get","resource":"pods"}},"status":{"allowed":true}}\n',
  );
  const rules = await server.post(RULES, { spec: { namespace: 'default' } });
  t.equal(rules.status, 201);
  t.same(rules.json.spec, {});
  const { resourceRules, nonResourceRules, incomplete } = rules.json.status;
  t.same(resourceRules[0], { verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
  t.same(nonResourceRules[0], { verbs: ['*'], nonResourceURLs: ['*'] });
  t.equal(incomplete, false);
});

t.test('a caller may do what roles say, from when they are written', async (t) => {
  const home = '/api/v1/namespaces';
  await made(server, home, { metadata: { name: 'of-jane' } });
  const review = async (): Promise<Members> => {
    const attributes = { ...GET_PODS, namespace: 'of-jane' };
    return (await server.post(SELF, { spec: { resourceAttributes: attributes } }, jane)).json
      .status;
  };
  t.same(await review(), { allowed: false });
  await made(server, `${RBAC}/namespaces/of-jane/roles`, {
    metadata: { name: 'reader' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }],
  });
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  await made(server, `${RBAC}/clusterroles`, { metadata: { name: 'reader' }, rules: [rule] });
  const subjects = [{ kind: 'User', name: 'jane' }];
  for (const kind of ['Role', 'ClusterRole']) {
    await made(server, `${RBAC}/namespaces/of-jane/rolebindings`, {
      metadata: { name: kind.toLowerCase() },
      subjects,
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind, name: 'reader' },
    });
  }
  t.same(await review(), {
    allowed: true,
    reason:
      'RBAC: allowed by RoleBinding "clusterrole/of-jane" of ClusterRole "reader" to User "jane"',
  });
  const { json } = await server.post(RULES, { spec: { namespace: 'of-jane' } }, jane);
  // Everybody who is known may ask what they may.
  const [basic, ...given] = json.status.resourceRules;
  t.match(basic, { apiGroups: ['authorization.cluster.io'], verbs: ['create'] });
  t.has(given, [rule, { ...rule, resourceNames: ['a'] }]);
  await server.delete(`${RBAC}/namespaces/of-jane/rolebindings/clusterrole`);
  t.same(await review(), { allowed: false });
});

t.test('others may do what roles say, when they are asked about', async (t) => {
  const spec = { user: 'joe', groups: ['ops'], resourceAttributes: GET_PODS };
  t.same(await statusOf(SUBJECT, spec), { allowed: false });
  t.same(await statusOf(SUBJECT, { ...spec, groups: ['system:masters'] }), { allowed: true });

  await made(server, `${RBAC}/namespaces/default/roles`, {
    metadata: { name: 'reader' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  });
  await made(server, `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'readers' },
    subjects: [{ kind: 'Group', name: 'ops', apiGroup: 'rbac.authorization.cluster.io' }],
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'reader' },
  });
  const allowed = {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "readers/default" of Role "reader" to Group "ops"',
  };
  t.same(await statusOf(SUBJECT, spec), allowed);
  const metadata = { namespace: 'default' };
  t.same((await server.post(LOCAL, { metadata, spec })).json.status, allowed);
  const elsewhere = { ...GET_PODS, namespace: 'other' };
  t.same(await statusOf(SUBJECT, { ...spec, resourceAttributes: elsewhere }), { allowed: false });
  t.same(await statusOf(SUBJECT, { ...spec, groups: ['dev'] }), { allowed: false });

  await made(server, `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'probes' },
    subjects: [{ kind: 'User', name: 'joe', apiGroup: 'rbac.authorization.cluster.io' }],
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'prober' },
  });
  const probe = { user: 'joe', nonResourceAttributes: { path: '/metrics/slis', verb: 'get' } };
  t.same(await statusOf(SUBJECT, probe), {
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.cluster.io "prober" not found',
  });
  await made(server, `${RBAC}/clusterroles`, {
    metadata: { name: 'prober' },
    rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics/*'] }],
  });
  t.same(await statusOf(SUBJECT, probe), {
    allowed: true,
    reason: 'RBAC: allowed by ClusterRoleBinding "probes" of ClusterRole "prober" to User "joe"',
  });
});

t.test('nobody gives others more than they have, in whatever way they write', async (t) => {
  const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const secrets = { ...pods, resources: ['secrets'] };
  const roles = `${RBAC}/clusterroles`;
  const grants = ['clusterroles', 'clusterrolebindings'];
  const writer = { verbs: ['*'], apiGroups: ['rbac.authorization.cluster.io'], resources: grants };
  const roleRef = (name: string) => {
    return { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name };
  };
  const limited = { ...writer, verbs: ['create', 'get', 'update', 'patch', 'delete'] };
  await made(server, roles, { metadata: { name: 'writer' }, rules: [limited, pods] });
  await made(server, roles, { metadata: { name: 'secrets' }, rules: [secrets] });
  await made(server, `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'writer' },
    subjects: [{ kind: 'User', name: 'jane' }],
    roleRef: roleRef('writer'),
  });
  const mine = { metadata: { name: 'mine' }, rules: [pods] };
  const more = { metadata: { name: 'mine' }, rules: [pods, secrets] };
  const merge = { ...jane, 'content-type': 'application/merge-patch+json' };
  const binding = { metadata: { name: 'more' }, roleRef: roleRef('secrets') };
  const message =
    /attempting to grant RBAC permissions not currently held:\n\{APIGroups:\[""\], Resources:\["secrets"\], Verbs:\["get"\]\}$/;
  const refused = { code: 403, message };
  expectFailure(t, await server.post(roles, more, jane), refused);
  expectFailure(t, await server.post(`${roles}?dryRun=All`, more, jane), refused);
  t.equal((await server.post(roles, mine, jane)).status, 201);
  expectFailure(t, await server.put(`${roles}/mine`, more, jane), refused);
  expectFailure(
    t,
    await server.request('PATCH', `${roles}/mine`, { rules: [secrets] }, merge),
    refused,
  );
  expectFailure(t, await server.post(`${RBAC}/clusterrolebindings`, binding, jane), refused);
  t.equal((await server.request('PATCH', `${roles}/mine`, { rules: [] }, merge)).status, 200);
  // The answer counts for the next request.
  await made(server, `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'secrets' },
    subjects: [{ kind: 'Group', name: 'dev' }],
    roleRef: roleRef('secrets'),
  });
  t.equal(
    (await server.request('PATCH', `${roles}/mine`, { rules: [secrets] }, merge)).status,
    200,
  );
  t.equal((await server.post(`${RBAC}/clusterrolebindings`, binding, jane)).status, 201);
  await server.delete(`${RBAC}/clusterrolebindings/secrets`);
  await server.delete(`${RBAC}/clusterrolebindings/more`);
  expectFailure(
    t,
    await server.request('PATCH', `${roles}/mine`, { rules: [secrets, pods] }, merge),
    refused,
  );
});

t.test('a node may see what its pods refer to', async (t) => {
  const resourceAttributes = { ...GET_PODS, resource: 'secrets', name: 'of-pod' };
  const spec = { user: 'system:node:n', groups: ['system:nodes'], resourceAttributes };
  t.same(await statusOf(SUBJECT, spec), {
    allowed: false,
    reason: "no relationship found between node 'n' and this object",
  });
  await made(server, '/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', secret: { secretName: 'of-pod' } }],
    },
  });
  t.same(await statusOf(SUBJECT, spec), { allowed: true });
  const volume = { verb: 'get', group: 'storage.cluster.io', resource: 'volumeattachments' };
  const attached = { ...spec, resourceAttributes: { ...volume, name: 'a' } };
  t.match(await statusOf(SUBJECT, attached), { allowed: false, reason: /^no relationship/ });
});

t.test('reviews that are refused', async (t) => {
  const attributes = { resourceAttributes: GET_PODS };
  const inX = { ...GET_PODS, namespace: 'x' };
  const path = { nonResourceAttributes: { path: '/', verb: 'get' } };
  const spec = { user: 'joe', ...attributes };
  const start = '.authorization.cluster.io "" is invalid: ';
  const one =
    'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const rows: [string, string, Members, number, string | RegExp][] = [
    [
      'nobody',
      SUBJECT,
      { spec: attributes },
      422,
      `${start}spec.user: Invalid value: "": at least one of user or group must be specified`,
    ],
    ['nothing', SUBJECT, { spec: { user: 'joe' } }, 422, start + one],
    ['nothing, of oneself', SELF, { spec: {} }, 422, start + one],
    [
      'both',
      SUBJECT,
      { spec: { ...spec, ...path } },
      422,
      /spec.nonResourceAttributes: Invalid value: .*: cannot be specified in combination with resourceAttributes/,
    ],
    [
      'a name',
      SUBJECT,
      { metadata: { name: 'x' }, spec },
      422,
      /metadata: Invalid value: .*: must be empty$/,
    ],
    [
      'a name, of oneself',
      SELF,
      { metadata: { name: 'x' }, spec: attributes },
      422,
      /: must be empty$/,
    ],
    [
      'a name, locally',
      LOCAL,
      { metadata: { name: 'x', namespace: 'default' }, spec },
      422,
      /: must be empty except for namespace$/,
    ],
    ['a namespace', SUBJECT, { metadata: { namespace: 'x' }, spec }, 422, /: must be empty$/],
    [
      'another namespace',
      LOCAL,
      { metadata: { namespace: 'x' }, spec: { user: 'joe', resourceAttributes: inX } },
      400,
      'spec.resourceAttributes.namespace must match namespace: default',
    ],
    [
      'about another namespace',
      LOCAL,
      { metadata: { namespace: 'default' }, spec: { user: 'joe', resourceAttributes: inX } },
      422,
      `${start}spec.resourceAttributes.namespace: Invalid value: "x": must match metadata.namespace`,
    ],
    [
      'no namespace, locally',
      LOCAL,
      { spec },
      422,
      `${start}spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace`,
    ],
    [
      'a path, locally',
      LOCAL,
      { spec: { user: 'joe', ...path } },
      422,
      /spec.nonResourceAttributes: Invalid value: .*: disallowed on this kind of request/,
    ],
    ['rules of no namespace', RULES, { spec: {} }, 400, 'no namespace on request'],
    [
      'another kind',
      SUBJECT,
      { kind: 'Pod', spec },
      400,
      /cannot be handled as a SubjectAccessReview/,
    ],
    [
      'what is no list',
      SUBJECT,
      { spec: { ...spec, groups: 'x' } },
      400,
      /cannot be handled as a SubjectAccessReview: json: cannot unmarshal/,
    ],
  ];
  for (const [what, where, body, code, message] of rows) {
    await t.test(what, async (t) => {
      expectFailure(t, await server.post(where, body), { code, message });
    });
  }
  const named = await server.post(SUBJECT, { kind: 'SubjectAccessReview', spec: attributes });
  t.equal(named.json.message.indexOf(start), 0, 'no kind is named');
  t.notOk('kind' in named.json.details);
  for (const where of [SUBJECT, SELF, RULES]) {
    expectFailure(t, await server.get(where), { code: 405, reason: 'MethodNotAllowed' });
  }
});

t.test('a dry run is like any other', async (t) => {
  const body = { spec: { resourceAttributes: GET_PODS } };
  t.equal((await server.post(`${SELF}?dryRun=All`, body)).status, 201);
  expectFailure(t, await server.post(`${SELF}?dryRun=Some`, body), { code: 422 });
});

t.test('bodies and answers in other encodings', async (t) => {
  const codecs = new LazyOperationCodecs(() => model);
  const kind = {
    group: 'authorization.cluster.io',
    version: 'v1',
    kind: 'SubjectAccessReview',
    message: 'authorization.v1.SubjectAccessReview',
  };
  const spec = { user: 'joe', groups: ['system:masters'], resourceAttributes: GET_PODS };
  const types = {
    json: 'application/json',
    yaml: 'application/yaml',
    protobuf: 'application/vnd.cluster.protobuf',
  } as const;
  const encodings = ['json', 'yaml', 'protobuf'] as const;
  for (const sent of encodings) {
    for (const wanted of encodings) {
      const body = Buffer.from(codecs.encode(kind, { metadata: {}, spec }, { encoding: sent }));
      const headers = { 'content-type': types[sent], accept: types[wanted] };
      const answer = await requestBytes(server, 'POST', SUBJECT, headers, body);
      t.same([answer.status, answer.headers['content-type']], [201, types[wanted]]);
      const how = { format: wanted, fieldValidation: 'Ignore' } as const;
      const { object } = codecs.decode(kind, answer.bytes, how);
      t.match(object, { spec, status: { allowed: true } }, `${sent} in, ${wanted} out`);
    }
  }
  const none = await server.post(SUBJECT, 'x', { 'content-type': types.protobuf });
  expectFailure(t, none, { code: 400, message: /does not appear to be a protobuf message/ });
});

t.end();
