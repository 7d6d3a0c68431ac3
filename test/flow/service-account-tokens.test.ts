/** Tokens of service accounts: asked for, looked at, invalidated. */
import { createPublicKey, verify } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { made, PODS, podWith } from '../support/cluster-objects.ts';
import { expectFailure } from '../support/expect-status.ts';
import type { Members } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';
import { sharedServer } from '../support/shared-server.ts';
import { freePort, runToExit } from '../support/server-process.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const SECRETS = '/api/v1/namespaces/default/secrets';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
// Tokens are signed as they are, so that no name in them is translated on the way.
const { apiService, tokenClaims } = SERVER_DIALECT;
const API_AUDIENCE = `https://${apiService}.default.svc`;

const server = await sharedServer();
const robot = await made(server, ACCOUNTS, { metadata: { name: 'robot' } });

async function request(spec: Members = {}, account = 'robot', metadata: Members = {}) {
  return server.post(`${ACCOUNTS}/${account}/token`, { metadata, spec });
}

async function tokenFor(spec: Members = {}, account = 'robot'): Promise<string> {
  const { status, text, json } = await request(spec, account);
  if (status !== 201) throw new Error(text);
  return json.status.token;
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** The status of a review. */
async function review(token: string, audiences?: readonly string[]) {
  const { status, text, json } = await server.post(REVIEWS, { spec: { token, audiences } });
  if (status !== 201) throw new Error(text);
  return json.status;
}

t.test('others check tokens with the public documents', async (t) => {
  const configuration = await server.get('/.well-known/openid-configuration');
  t.equal(configuration.status, 200);
  t.equal(configuration.headers['content-type'], 'application/json');
  t.equal(configuration.headers['cache-control'], 'public, max-age=3600');
  t.same(configuration.json, {
    issuer: API_AUDIENCE,
    jwks_uri: `http://127.0.0.1:${server.port}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const { headers, json } = await server.get(new URL(configuration.json.jwks_uri).pathname);
  t.equal(headers['content-type'], 'application/jwk-set+json');
  t.equal(headers['cache-control'], 'public, max-age=3600');
  const [header = '', payload = '', signature = ''] = (await tokenFor()).split('.');
  const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
  t.match(json, { keys: [{ use: 'sig', kty: 'EC', kid, crv: 'P-256', alg }] });
  const key = createPublicKey({ key: json.keys[0], format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  const signed = Buffer.from(`${header}.${payload}`);
  t.ok(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes));
});

t.test('who may see them, and how', async (t) => {
  for (const path of ['/.well-known/openid-configuration', '/openid/v1/jwks']) {
    const own = path.endsWith('jwks') ? 'application/jwk-set+json' : 'application/json';
    const stranger = await server.get(path, { authorization: undefined });
    const message = `forbidden: User "system:anonymous" cannot get path "${path}"`;
    expectFailure(t, stranger, { code: 403, reason: 'Forbidden', message });
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await server.request(method, path);
      expectFailure(t, refused, { code: 405, reason: 'MethodNotAllowed' });
    }
    t.equal((await server.request('HEAD', path)).status, 405);
    for (const accept of ['', '*/*', own, `${own};q=0.1`, `text/html, ${own}`]) {
      t.equal((await server.get(path, { accept })).status, 200, `${path} ${accept}`);
    }
    for (const accept of ['application/*', 'application/yaml', 'text/html']) {
      t.equal((await server.get(path, { accept })).status, 406, `${path} ${accept}`);
    }
    t.equal((await server.get(`${path}/`)).status, 200);
    t.ok((await server.get('/')).json.paths.includes(path));
  }
  t.equal((await server.get('/openid/v1')).status, 404);
});

t.test('a request is answered with a token', async (t) => {
  const beforeMs = Date.now();
  const { status, text, json } = await request({ expirationSeconds: 700 });
  t.equal(status, 201);
  t.ok(
    text.startsWith('{"kind":"TokenRequest","apiVersion":"authentication.cluster.io/v1",'),
    text,
  );
  const { managedFields, ...metadata } = json.metadata;
  t.same(metadata, { creationTimestamp: null }, 'as it was sent');
  t.match(managedFields, [
    {
      operation: 'Update',
      apiVersion: 'authentication.cluster.io/v1',
      fieldsV1: { 'f:spec': { 'f:expirationSeconds': {} } },
      subresource: 'token',
    },
  ]);
  t.same(json.spec, { audiences: [API_AUDIENCE], expirationSeconds: 700, boundObjectRef: null });
  const endMs = Date.parse(json.status.expirationTimestamp);
  t.ok(endMs >= beforeMs + 699_000, 'the time that was asked for');
  const claims = claimsOf(json.status.token);
  t.equal(claims.exp - claims.iat, 700);
  t.equal(claims.sub, 'system:serviceaccount:default:robot');
  t.same(claims.aud, [API_AUDIENCE]);
  t.same(claims[tokenClaims], {
    namespace: 'default',
    serviceaccount: { name: 'robot', uid: robot.metadata.uid },
  });
  t.equal((await request({ audiences: [] })).json.spec.expirationSeconds, 3600, 'the default');
  t.same((await request({ audiences: ['a', 'b'] })).json.spec.audiences, ['a', 'b']);
});

t.test('requests that are refused', async (t) => {
  const invalid =
    'TokenRequest.authentication.cluster.io "" is invalid: spec.expirationSeconds: Invalid value: ';
  const rows: [string, Members, number, string | RegExp][] = [
    [
      'too short',
      { expirationSeconds: 599 },
      422,
      `${invalid}599: may not specify a duration less than 10 minutes`,
    ],
    [
      'too long',
      { expirationSeconds: 2 ** 32 + 1 },
      422,
      `${invalid}4294967297: may not specify a duration larger than 2^32 seconds`,
    ],
    [
      'bound to a node',
      { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n' } },
      400,
      'cannot bind token to object of type /v1, Kind=Node',
    ],
    [
      'bound to a pod of another group',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'x/v1', name: 'n' } },
      400,
      'cannot bind token to object of type x/v1, Kind=Pod',
    ],
    [
      'bound to a missing pod',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } },
      404,
      'pods "none" not found',
    ],
    [
      'bound to a missing secret',
      { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } },
      404,
      'secrets "none" not found',
    ],
    ['no number', { expirationSeconds: 'x' }, 400, /cannot be handled as a TokenRequest/],
  ];
  for (const [what, spec, code, message] of rows) {
    await t.test(what, async (t) => expectFailure(t, await request(spec), { code, message }));
  }
  expectFailure(t, await request({}, 'none'), {
    code: 404,
    message: 'serviceaccounts "none" not found',
  });
  const short = await request({ expirationSeconds: 599 }, 'none');
  t.equal(short.status, 422, 'what is wrong in the request is told first');
  const other = { name: 'other', namespace: 'other' };
  const { status, json } = await request({}, 'robot', other);
  t.equal(status, 201, 'the path says whose token it is');
  t.match(json.metadata, other);
  t.equal(claimsOf(json.status.token).sub, 'system:serviceaccount:default:robot');
  expectFailure(t, await server.get(`${ACCOUNTS}/robot/token`), { code: 405 });
});

t.test('what a token is bound to', async (t) => {
  await made(server, ACCOUNTS, { metadata: { name: 'other' } });
  const pod = await podWith(server, 'mine', { spec: { serviceAccountName: 'robot' } });
  const { uid } = pod.metadata;
  const ref = { kind: 'Pod', apiVersion: 'v1', name: 'mine' };
  expectFailure(t, await request({ boundObjectRef: ref }, 'other'), {
    code: 400,
    message:
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
  });
  expectFailure(t, await request({ boundObjectRef: { ...ref, uid: 'x' } }), {
    code: 409,
    message:
      'Operation cannot be fulfilled on Pod "mine": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
  });
  const token = await tokenFor({ boundObjectRef: { ...ref, uid } });
  t.same((await review(token)).user.extra, {
    'authentication.cluster.io/pod-name': ['mine'],
    'authentication.cluster.io/pod-uid': [uid],
  });
  const year = 365 * 24 * 3600;
  for (const [spec, lifetime, warns] of [
    [{ boundObjectRef: ref, expirationSeconds: 3607 }, year, true],
    [{ boundObjectRef: ref, expirationSeconds: 3608 }, 3608, false],
    [{ boundObjectRef: ref, expirationSeconds: 3607, audiences: ['a'] }, 3607, false],
    [{ expirationSeconds: 3607 }, 3607, false],
  ] as const) {
    const answer = (await request(spec)).json;
    const { exp, iat, [tokenClaims]: account } = claimsOf(answer.status.token);
    t.equal(exp - iat, lifetime);
    t.equal(account.warnafter, warns ? iat + 3607 : undefined);
    const shownMs = Date.parse(answer.status.expirationTimestamp);
    t.equal(Math.round(shownMs / 1000) - iat, spec.expirationSeconds, 'the answer says nothing');
  }
  await server.delete(`${PODS}/mine`, { gracePeriodSeconds: 0 });
  // For a moment it may still count: pods change too often to be looked at each time.
  const endMs = Date.now() + PATIENCE_MS;
  while ((await review(token)).authenticated && Date.now() < endMs) await sleep(50);
  t.same(await review(token), {
    error: '[invalid bearer token, service account token has been invalidated]',
    user: {},
  });

  const secret = { metadata: { name: 'bound' } };
  await made(server, SECRETS, secret);
  const ofSecret = { kind: 'Secret', apiVersion: 'v1', name: 'bound' };
  const second = await tokenFor({ boundObjectRef: ofSecret });
  t.equal((await review(second)).authenticated, true);
  await server.delete(`${SECRETS}/bound`);
  const again = await made(server, SECRETS, secret);
  const { error } = await review(second);
  t.match(
    error,
    `[invalid bearer token, secret UID (${again.metadata.uid}) does not match service account secret ref claim (`,
  );
});

t.test('a review says whose token it is', async (t) => {
  const token = await tokenFor();
  const answer = await server.post(REVIEWS, { metadata: {}, spec: { token } });
  t.equal(answer.status, 201);
  const { kind, apiVersion, spec, status } = answer.json;
  t.same([kind, apiVersion], ['TokenReview', 'authentication.cluster.io/v1']);
  t.same(spec, { token });
  t.same(status, {
    authenticated: true,
    user: {
      username: 'system:serviceaccount:default:robot',
      uid: robot.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    },
    audiences: [API_AUDIENCE],
  });
  t.same(await review(server.token), {
    authenticated: true,
    user: { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] },
    audiences: [API_AUDIENCE],
  });
});

t.test('audiences', async (t) => {
  const token = await tokenFor({ audiences: ['a', 'b'] });
  t.same((await review(token, ['b', 'c'])).audiences, ['b']);
  t.same(await review(token), {
    error: `[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["${API_AUDIENCE}"]]`,
    user: {},
  });
  t.same(await review(server.token, ['a']), { user: {}, error: 'invalid bearer token' });
  t.equal((await review(server.token, ['a', API_AUDIENCE])).authenticated, true);
});

t.test('tokens that are worth nothing', async (t) => {
  const nothing = { user: {}, error: 'invalid bearer token' };
  const token = await tokenFor();
  for (const text of ['x', 'a.b.c', token.slice(0, -5), `${token}!`]) {
    t.same(await review(text), nothing, text.slice(-10));
  }
  expectFailure(t, await server.post(REVIEWS, { spec: {} }), {
    code: 400,
    message: 'token is required for TokenReview in authentication',
  });
  expectFailure(t, await server.get(REVIEWS), { code: 405 });

  const fleeting = await made(server, ACCOUNTS, { metadata: { name: 'fleeting' } });
  const orphan = await tokenFor({}, 'fleeting');
  t.equal((await review(orphan)).authenticated, true);
  await server.delete(`${ACCOUNTS}/fleeting`);
  t.same(await review(orphan), {
    user: {},
    error: '[invalid bearer token, serviceaccounts "fleeting" not found]',
  });
  const next = await made(server, ACCOUNTS, { metadata: { name: 'fleeting' } });
  const { error } = await review(orphan);
  t.equal(
    error,
    `[invalid bearer token, service account UID (${next.metadata.uid}) does not match claim (${fleeting.metadata.uid})]`,
  );
});

t.test('a key that is none stops the start', async (t) => {
  const folder = t.testdir({ 'service-account.key': 'no key' });
  const port = String(await freePort());
  const flags = ['--data-dir', folder, '--port', port, '--secure-port', '0'];
  const { code, stderr } = await runToExit(flags);
  t.equal(code, 1);
  t.match(stderr, /^shardplane: .*service-account\.key is no private key/m);
});

t.test('tokens outlive a restart', async (t) => {
  const own = await startServer({ test: t });
  await made(own, ACCOUNTS, { metadata: { name: 'robot' } });
  const { json } = await own.post(`${ACCOUNTS}/robot/token`, {});
  const file = join(own.dataDirectory, 'service-account.key');
  t.equal(statSync(file).mode & 0o777, 0o600);
  await own.stop();
  await own.restart();
  const reviewed = await own.post(REVIEWS, { spec: { token: json.status.token } });
  t.equal(reviewed.json.status.authenticated, true);
});

t.test('requests with tokens of accounts', async (t) => {
  await made(server, ACCOUNTS, { metadata: { name: 'asker' } });
  const bearer = async (token: string, path = '/version') =>
    server.get(path, { authorization: `Bearer ${token}` });
  const token = await tokenFor({}, 'asker');
  const forbidden = await bearer(token, SECRETS);
  expectFailure(t, forbidden, {
    code: 403,
    message:
      'secrets is forbidden: User "system:serviceaccount:default:asker" cannot list resource "secrets" in API group "" in the namespace "default"',
  });
  t.equal((await bearer(token)).status, 200);
  t.equal((await bearer(await tokenFor({ audiences: ['x'] }, 'asker'))).status, 401);
  await server.delete(`${ACCOUNTS}/asker`);
  expectFailure(t, await bearer(token), { code: 401, message: 'Unauthorized' });
  await made(server, ACCOUNTS, { metadata: { name: 'asker' } });
  expectFailure(t, await bearer(token), { code: 401, message: 'Unauthorized' });
  t.equal((await bearer(await tokenFor({}, 'asker'))).status, 200, 'the new one is another');
});
