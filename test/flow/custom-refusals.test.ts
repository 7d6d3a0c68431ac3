/** Requests for custom objects are refused in the words of the reference. */
import t from 'tap';
import { customDefinition, definedVersion, established } from '../support/custom-types.ts';
import { refuses } from '../support/bad-requests.ts';
import type { BadRequest } from '../support/bad-requests.ts';
import { expectFailure } from '../support/expect-status.ts';
import type { Members } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const GROUP = 'refusals.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const NOT_FOUND = '404 page not found\n';

await established(
  server,
  customDefinition(GROUP, 'Widget', [
    definedVersion('v1', { subresources: { status: {} } }),
    definedVersion('v2', { served: false }),
    definedVersion('v1beta1', { deprecated: true }),
    definedVersion('v1alpha1', { deprecated: true, deprecationWarning: 'use "v1"' }),
  ]),
);
await established(
  server,
  customDefinition(GROUP, 'Gizmo', [definedVersion('v1')], { scope: 'Cluster' }),
);

function widget(name: string, members: Members = {}): Members {
  return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name }, ...members };
}

t.equal((await server.post(WIDGETS, widget('a'))).status, 201);

function badWidget(name: string, body: unknown, message: string): BadRequest {
  const why = `Widget in version "v1" cannot be handled as a Widget: ${message}`;
  return { name, path: WIDGETS, body, expected: { code: 400, reason: 'BadRequest', message: why } };
}

function badMetadata(name: string, metadata: unknown, message: string): BadRequest {
  return badWidget(name, widget('x', { metadata }), `json: cannot unmarshal ${message}`);
}

function otherType(
  name: string,
  method: string,
  sent: Members,
  [group, kind]: readonly [string, string],
  field: string,
  message: string,
): BadRequest {
  const isPost = method === 'POST';
  const causes = [{ field, message, reason: 'FieldValueInvalid' }];
  return {
    name: `${method} of ${name}`,
    method,
    path: isPost ? WIDGETS : `${WIDGETS}/a`,
    body: method === 'PATCH' ? JSON.stringify(sent) : widget('a', sent),
    ...(method === 'PATCH' && { headers: MERGE }),
    expected: {
      code: 422,
      reason: 'Invalid',
      message: `${kind}.${group} "a" is invalid: ${field}: ${message}`,
      details: { name: 'a', group, kind, causes },
    },
  };
}

const OTHER_KIND = 'Invalid value: "Other": must be Widget';

refuses(t, server, [
  badWidget('no kind', '{"metadata":{}}', `Object 'Kind' is missing in '{"metadata":{}}'`),
  badWidget('null', 'null', "Object 'Kind' is missing in 'null'"),
  {
    name: 'no version',
    path: WIDGETS,
    body: { kind: 'Widget' },
    expected: {
      code: 400,
      message: "Object 'apiVersion' is missing in 'object has no apiVersion field'",
    },
  },
  ...['POST', 'PUT', 'PATCH'].map((method) =>
    otherType('another kind', method, { kind: 'Other' }, [GROUP, 'Other'], 'kind', OTHER_KIND),
  ),
  otherType(
    'another version',
    'PATCH',
    { apiVersion: 'other/v3' },
    ['other', 'Widget'],
    'apiVersion',
    `Invalid value: "other/v3": must be ${GROUP}/v1`,
  ),
  {
    name: 'another version',
    path: WIDGETS,
    body: widget('x', { apiVersion: `${GROUP}/v1beta1` }),
    expected: {
      code: 400,
      message:
        `the API version in the data (${GROUP}/v1beta1) does not match ` +
        `the expected API version (${GROUP}/v1)`,
    },
  },
  badMetadata('metadata that is text', 'x', 'string into Go value of type v1.ObjectMeta'),
  badMetadata('a name', { name: 1 }, 'number into Go struct field ObjectMeta.name of type string'),
  badMetadata(
    'a label',
    { labels: { a: 1 } },
    'number into Go struct field ObjectMeta.labels of type string',
  ),
  badMetadata(
    'an owner',
    { ownerReferences: [{ controller: 'yes' }] },
    'string into Go struct field OwnerReference.ownerReferences.controller of type bool',
  ),
  {
    name: 'a patch without a kind',
    method: 'PATCH',
    path: `${WIDGETS}/a`,
    body: '[{"op":"replace","path":"","value":{}}]',
    headers: { 'content-type': 'application/json-patch+json' },
    expected: {
      code: 422,
      message: ` "" is invalid: patch: Invalid value: "{}": Object 'Kind' is missing in '{}'`,
    },
  },
]);

t.test('paths at which nothing is served', async (t) => {
  const all = `/apis/${GROUP}/v1/widgets`;
  for (const [method, path] of [
    ['POST', all],
    ['DELETE', all],
    ['PATCH', all],
    ['GET', `${all}/a`],
    ['GET', `/apis/${GROUP}/v1/namespaces//widgets/a`],
    ['POST', `/apis/${GROUP}/v1/namespaces//widgets`],
    ['GET', `/apis/${GROUP}/v1/namespaces/default/gizmos`],
    ['GET', `/apis/${GROUP}/v2/namespaces/default/widgets`],
    ['GET', `/apis/${GROUP}/v1/nothing`],
  ] as const) {
    const answer = await server.request(method, path, method === 'GET' ? undefined : '{}', MERGE);
    t.same([answer.status, answer.text], [404, NOT_FOUND], `${method} ${path}`);
  }
  t.equal((await server.get(all)).status, 200, 'lists are of all namespaces');
});

t.test('what is not served there', async (t) => {
  const gizmos = `/apis/${GROUP}/v1/gizmos`;
  for (const [method, path, verb] of [
    ['POST', `${WIDGETS}/a`, 'create'],
    ['POST', `${WIDGETS}/a/status`, 'create'],
    ['DELETE', `${WIDGETS}/a/status`, 'delete'],
    ['OPTIONS', WIDGETS, ''],
  ] as const) {
    expectFailure(t, await server.request(method, path), {
      code: 405,
      message: `${verb} is not supported on resources of kind "widgets.${GROUP}"`,
      details: { group: GROUP, kind: 'widgets' },
    });
  }
  const whole = await server.put(WIDGETS, widget('a'));
  expectFailure(t, whole, { code: 400, message: 'name must be provided' });
  const status = await server.get(`${gizmos}/a/status`);
  expectFailure(t, status, { code: 404, message: `gizmos.${GROUP} "a" not found` });
});

t.test('versions that are deprecated', async (t) => {
  const warningOf = async (version: string) => {
    const { headers } = await server.get(`/apis/${GROUP}/${version}/widgets`);
    return headers['warning'];
  };
  const usual = `${GROUP}/v1beta1 Widget is deprecated; use ${GROUP}/v1 Widget`;
  t.equal(await warningOf('v1beta1'), `299 - "${usual}"`);
  t.equal(await warningOf('v1alpha1'), '299 - "use \\"v1\\""');
  t.equal(await warningOf('v1'), undefined);
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  const path = `${WIDGETS.replace('/v1/', '/v1beta1/')}/a`;
  const unknown = await server.request('PATCH', path, '{}', strategic);
  t.same([unknown.status, unknown.headers['warning']], [415, `299 - "${usual}"`]);
  const refused = await server.get(`${WIDGETS.replace('/v1/', '/v1beta1/')}/a/status`);
  t.equal(refused.status, 404);
  t.equal(refused.headers['warning'], `299 - "${usual}"`, 'also who is refused');
});

t.test('representations that custom objects do not have', async (t) => {
  const asked = (path: string, accept: string) =>
    server.get(path, { accept: `application/json;g=meta.cluster.io;v=v1;as=${accept}` });
  expectFailure(t, await asked(WIDGETS, 'PartialObjectMetadata'), {
    code: 406,
    message:
      'you requested PartialObjectMetadata, but the requested object is a list ' +
      '(*unstructured.UnstructuredList)',
  });
  const table = await asked(`${WIDGETS}/a/status`, 'Table');
  t.equal(table.json.kind, 'Table', 'a status is the whole object, which a Table shows');
});

t.test('fields that objects cannot be selected by', async (t) => {
  const gizmos = `/apis/${GROUP}/v1/gizmos`;
  for (const [path, field] of [
    [WIDGETS, 'spec.size'],
    [gizmos, 'metadata.namespace'],
  ] as const) {
    const answer = await server.get(`${path}?fieldSelector=${field}%3Dx`);
    expectFailure(t, answer, { code: 400, message: `field label not supported: ${field}` });
  }
  const found = await server.get(`${WIDGETS}?fieldSelector=metadata.namespace%3Ddefault`);
  t.equal(found.json.items.length, 1);
});
