/** SelfSubjectReview: who the caller is, in the releases that tell. */
import t, { type Test } from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const GROUP = '/apis/authentication.cluster.io';
const OF = 'authentication.cluster.io';

const tokens = join(temporaryFolder(), 'tokens.csv');
writeFileSync(tokens, 'token-of-jane,jane,uid-1,"dev,ops"\n');
const asJane = { authorization: 'Bearer token-of-jane' };

function startedWith(test: Test, ...args: readonly string[]) {
  return startServer({ test, args: ['--token-auth-file', tokens, ...args] });
}

t.test('a caller is told who it is, whatever it sends', async (t) => {
  const server = await startedWith(t, '--release=1.37');
  const body = { metadata: { name: 'x' }, status: { userInfo: { username: 'root' } } };
  const { status, json } = await server.post(`${GROUP}/v1/selfsubjectreviews`, body, asJane);
  t.equal(status, 201);
  const { creationTimestamp, ...metadata } = json.metadata;
  t.match(creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  t.same(metadata, {}, 'nothing of what was sent');
  t.same([json.kind, json.apiVersion], ['SelfSubjectReview', `${OF}/v1`]);
  const groups = ['dev', 'ops', 'system:authenticated'];
  t.same(json.status, { userInfo: { username: 'jane', uid: 'uid-1', groups } });
  const other = await server.post(
    `${GROUP}/v1/selfsubjectreviews`,
    {},
    {
      'impersonate-user': 'joe',
      'impersonate-group': 'guests',
      'impersonate-extra-reason': 'a test',
    },
  );
  const { username, groups: ofJoe, extra } = other.json.status.userInfo;
  t.same([username, ofJoe], ['joe', ['guests', 'system:authenticated']], 'as whom it acts');
  t.same(extra, { reason: ['a test'] });
  for (const version of ['v1beta1', 'v1alpha1']) {
    const { status: none } = await server.post(
      `${GROUP}/${version}/selfsubjectreviews`,
      {},
      asJane,
    );
    t.equal(none, 404, version);
  }
});

t.test('older versions are served where they are switched on, with a warning', async (t) => {
  const server = await startedWith(t, '--release=1.31', `--runtime-config=${OF}/v1beta1`);
  const path = `${GROUP}/v1beta1/selfsubjectreviews`;
  const { status, json, headers } = await server.post(path, {}, asJane);
  t.same([status, json.apiVersion], [201, `${OF}/v1beta1`]);
  t.equal(
    headers['warning'],
    `299 - "${OF}/v1beta1 SelfSubjectReview is deprecated in v1.30+, unavailable in v1.33+"`,
  );
  const { json: found } = await server.get(GROUP);
  t.same(
    found.versions.map(({ version }: { version: string }) => version),
    ['v1', 'v1beta1'],
  );
});

t.test('a version whose feature is off is not served', async (t) => {
  const on = `--runtime-config=${OF}/v1alpha1`;
  const off = await startedWith(t, '--release=1.26', on);
  const path = `${GROUP}/v1alpha1/selfsubjectreviews`;
  t.equal((await off.post(path, {})).status, 404);
  const server = await startedWith(
    t,
    '--release=1.26',
    on,
    '--feature-gates=APISelfSubjectReview=true',
  );
  t.equal((await server.post(path, {}, asJane)).status, 201);
});

t.test('what a token is to confirm is checked', async (t) => {
  const server = await startedWith(t, '--release=1.37');
  const namespace = '/api/v1/namespaces/default/serviceaccounts';
  await server.post(namespace, { metadata: { name: 'robot' } });
  const asked = async (spec: object) => {
    return (await server.post(`${namespace}/robot/token`, { spec })).json.message as string;
  };
  const attestations = { admissionReviewAPIGroups: ['apps'] };
  const boundObjectRef = {
    kind: 'MutatingWebhookConfiguration',
    apiVersion: 'admissionregistration.cluster.io/v1',
    name: 'm',
  };
  t.match(
    await asked({ attestations }),
    'attestations may only be specified with a webhook bound object reference',
  );
  const audiences = ['https://m.example.com'];
  for (const [of, why] of [
    [undefined, 'webhook bound requests require exactly one admissionReviewAPIGroups attestation'],
    [{ other: ['a'] }, 'Unsupported value: "other"'],
    [{ admissionReviewAPIGroups: ['a', 'b'] }, 'must specify a single value'],
    [{ admissionReviewAPIGroups: [''] }, 'may not be an empty string'],
    [{ admissionReviewAPIGroups: ['A'] }, 'must specify a valid API Group: a lowercase RFC 1123'],
    [
      attestations,
      'cannot bind token to object of type admissionregistration.cluster.io/v1, ' +
        'Kind=MutatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is disabled)',
    ],
  ] as const) {
    t.match(await asked({ audiences, boundObjectRef, attestations: of }), why);
  }
  t.match(
    await asked({ boundObjectRef, attestations }),
    'must be length 1 when bound to a webhook config',
  );
});
