/** Tokens of all kinds, through a server that is told to know them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { newTokenKey } from '../../src/auth/authentication/service-accounts/token-keys.ts';
import { ServiceAccountTokens } from '../../src/auth/service-account-tokens.ts';
import { made } from '../support/cluster-objects.ts';
import { startHttpsService } from '../support/https-service.ts';
import { rsaKey, startOidcIssuer, tokenOf } from '../support/oidc-issuer.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import type { Server } from '../support/server.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
const ISSUER = 'https://issuer.example';
const OLD_ISSUER = 'https://old.example';
const isNeutral = SERVER_DIALECT.domain === 'cluster.io';

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

async function statusOf(server: Server, token: string): Promise<number> {
  // In WebSockets, watches and all else the token is read by the same code.
  return (await server.get('/version', { authorization: `Bearer ${token}` })).status;
}

async function review(server: Server, token: string) {
  return (await server.post(REVIEWS, { spec: { token } })).json.status;
}

const issuer = await startOidcIssuer(t);
const key = rsaKey('first');
issuer.keys = [key];
const hook = await startHttpsService(t, ({ body }) => {
  const { kind, apiVersion, spec } = JSON.parse(body);
  const authenticated = spec.token === 'known-outside';
  return { kind, apiVersion, status: { authenticated, user: { username: 'ann' } } };
});
const pem = newTokenKey();
const folder = t.testdir();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const config = {
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k' } }],
  clusters: [{ name: 'k', cluster: { server: hook.url, 'certificate-authority': 'hook.crt' } }],
};
file('hook.crt', hook.authority);
const server = await startServer({
  test: t,
  args: flags({
    durability: 'relaxed',
    'anonymous-auth': 'false',
    'enable-bootstrap-token-auth': 'true',
    'service-account-signing-key-file': file('sa.key', pem),
    'service-account-issuer': ISSUER,
    'api-audiences': 'own',
    'service-account-max-token-expiration': '2h',
    'service-account-jwks-uri': 'https://issuer.example/keys',
    'oidc-issuer-url': issuer.url,
    'oidc-client-id': 'me',
    'oidc-username-prefix': '-',
    'oidc-ca-file': file('oidc.crt', issuer.authority),
    'authentication-token-webhook-config-file': file('hook', JSON.stringify(config)),
  }).concat('--service-account-issuer', OLD_ISSUER),
});

t.test('nobody is anonymous', async (t) => {
  t.equal((await server.get('/version', { authorization: undefined })).status, 401);
});

t.test('OpenID Connect', async (t) => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = tokenOf(key, { iss: issuer.url, aud: 'me', sub: 'jane', exp });
  t.same(await review(server, token), {
    authenticated: true,
    user: { username: 'jane', groups: ['system:authenticated'] },
    audiences: ['own'],
  });
  t.equal(await statusOf(server, token), 200);
  t.equal(await statusOf(server, tokenOf(rsaKey('first'), { iss: issuer.url })), 401);
});

t.test('a webhook', async (t) => {
  t.equal(await statusOf(server, 'known-outside'), 200);
  t.match(await review(server, 'known-outside'), { user: { username: 'ann' } });
  t.equal(await statusOf(server, 'unknown'), 401);
  const before = hook.requests.length;
  t.equal(await statusOf(server, server.token), 200);
  t.equal(hook.requests.length, before, 'it is not asked about tokens that are known here');
  await hook.close();
  t.equal(await statusOf(server, 'unknown-too'), 401);
  t.equal(await statusOf(server, server.token), 200);
});

t.test('bootstrap tokens', async (t) => {
  const secret = {
    metadata: { name: 'bootstrap-token-abc123' },
    type: 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': 'abc123',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
    },
  };
  const token = 'abc123.0123456789abcdef';
  t.equal(await statusOf(server, token), 401);
  await made(server, '/api/v1/namespaces/cluster-system/secrets', secret);
  t.match(await review(server, token), {
    user: { username: 'system:bootstrap:abc123', groups: ['system:bootstrappers', /./] },
  });
  t.equal(await statusOf(server, token), 200);
  await server.delete('/api/v1/namespaces/cluster-system/secrets/bootstrap-token-abc123');
  t.equal(await statusOf(server, token), 401, 'at once');
});

t.test('accounts, with an issuer of their own', async (t) => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const { metadata } = await made(server, accounts, { metadata: { name: 'robot' } });
  const asked = await server.post(`${accounts}/robot/token`, {
    spec: { expirationSeconds: 100_000 },
  });
  t.match(asked.json.spec, { audiences: ['own'], expirationSeconds: 7_200 });
  t.equal(await statusOf(server, asked.json.status.token), 200);
  const others = new ServiceAccountTokens({
    signingKey: pem,
    issuers: [OLD_ISSUER],
    apiAudiences: ['own'],
  });
  const claims = { namespace: 'default', serviceaccount: { name: 'robot', uid: metadata.uid } };
  if (isNeutral) {
    const old = others.issue({
      account: claims,
      audiences: ['own'],
      nowMs: Date.now(),
      expirationSeconds: 60,
    });
    t.equal(await statusOf(server, old), 200, 'the issuer of before');
  }
  const documents = await server.get('/.well-known/openid-configuration');
  t.match(documents.json, { issuer: ISSUER, jwks_uri: 'https://issuer.example/keys' });

  const legacy = others.issueLegacy('default', { name: 'robot', uid: metadata.uid }, 'robot-token');
  t.equal(await statusOf(server, legacy), 401, 'it stands in no Secret');
  const secrets = '/api/v1/namespaces/default/secrets';
  const secret = { metadata: { name: 'robot-token' }, stringData: { token: legacy } };
  await made(server, secrets, secret);
  t.equal(await statusOf(server, legacy), 200);
  t.equal(await statusOf(server, `${legacy}x`), 401);
  await server.delete(`${secrets}/robot-token`);
  t.equal(await statusOf(server, legacy), 401, 'at once');
});

t.test('keys of the issuer change while the server runs', async (t) => {
  const next = rsaKey('second');
  issuer.keys = [next];
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = tokenOf(next, { iss: issuer.url, aud: 'me', sub: 'joe', exp });
  const endMs = Date.now() + PATIENCE_MS;
  while ((await statusOf(server, token)) !== 200 && Date.now() < endMs) await sleep(50);
  t.match(await review(server, token), { user: { username: 'joe' } });
});

t.test('no secret is in the log', async (t) => {
  const { stderr } = server.process;
  for (const text of ['known-outside', '0123456789abcdef', server.token, 'PRIVATE KEY']) {
    t.notMatch(String(stderr), text, 'no secret is in the log');
  }
});
