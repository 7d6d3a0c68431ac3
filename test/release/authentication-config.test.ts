/** A file that says whose tokens count, in the newest release: its rules, and changes of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Members } from '../support/kinds.ts';
import { rsaKey, startOidcIssuer, tokenOf } from '../support/oidc-issuer.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const KEY = rsaKey('first');
const first = await startOidcIssuer(t);
const second = await startOidcIssuer(t);
for (const issuer of [first, second]) issuer.keys = [KEY];

const file = join(temporaryFolder(), 'authentication.yaml');
const ANONYMOUS = { enabled: true, conditions: [{ path: '/version' }] };

function write(jwt: readonly Members[], anonymous: Members = ANONYMOUS): void {
  const apiVersion = 'apiserver.config.cluster.io/v1';
  const kind = 'AuthenticationConfiguration';
  writeFileSync(file, JSON.stringify({ apiVersion, kind, jwt, anonymous }));
}

function entry({ url, authority }: typeof first, more: Members): Members {
  return { issuer: { url, certificateAuthority: authority, audiences: ['me'] }, ...more };
}

const FIRST = entry(first, {
  claimValidationRules: [{ expression: 'claims.level > 1', message: 'too low' }],
  claimMappings: {
    username: { expression: "'first:' + claims.sub" },
    groups: { expression: 'claims.?roles.orValue([])' },
    uid: { claim: 'sub' },
    extra: [{ key: 'example.org/number', valueExpression: 'string(claims.level)' }],
  },
  userValidationRules: [
    { expression: "user.groups.all(one, !one.startsWith('system:'))", message: 'taken' },
  ],
});
const SECOND = entry(second, { claimMappings: { username: { claim: 'sub', prefix: 'second:' } } });

write([FIRST]);
const args = ['--release=1.37', '--authentication-config', file, '--authorization-mode=RBAC'];
const server = await startServer({ test: t, args });

function token({ url: iss }: typeof first, more: Members = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  return tokenOf(KEY, { iss, aud: 'me', exp, sub: 'jane', level: 2.5, ...more });
}

/** The user of a token, or what is wrong with it. */
async function review(shown: string): Promise<unknown> {
  const path = '/apis/authentication.cluster.io/v1/tokenreviews';
  const kind = 'TokenReview';
  const body = { apiVersion: 'authentication.cluster.io/v1', kind, spec: { token: shown } };
  const { json } = await server.post(path, body);
  const { status } = json as unknown as { status: { user?: Members; error?: string } };
  return status.error ?? status.user;
}

async function metric(start: string): Promise<number> {
  const { text } = await server.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(start)) ?? ' 0';
  return Number(line.split(' ').at(-1));
}

t.test('rules and mappings of claims', async (t) => {
  t.match(await review(token(first, { roles: ['a', ''], jti: 'x' })), {
    username: 'first:jane',
    uid: 'jane',
    groups: ['a', 'system:authenticated'],
    extra: {
      'example.org/number': ['2.5'],
      'authentication.cluster.io/credential-id': ['JTI=x'],
    },
  });
  const rows: [Members, string][] = [
    [
      { level: 1 },
      'oidc: error evaluating claim validation expression: validation expression ' +
        "'claims.level > 1' failed: too low",
    ],
    [
      { roles: 'system:masters' },
      'oidc: error evaluating user info validation rule: validation expression ' +
        "'user.groups.all(one, !one.startsWith('system:'))' failed: taken",
    ],
    [
      { sub: null },
      "oidc: error evaluating username claim expression: expression ''first:' + claims.sub' " +
        'resulted in error: no such overload',
    ],
    [
      { roles: [7] },
      'oidc: error evaluating group claim expression: expression must return a string or a ' +
        'list of strings',
    ],
  ];
  for (const [more, why] of rows) {
    t.equal(await review(token(first, more)), `[invalid bearer token, ${why}]`, why);
  }
  t.equal(await review(token(second)), 'invalid bearer token');
});

t.test('paths that are open to those who show nothing', async (t) => {
  const stranger = { authorization: '' };
  t.equal((await server.get('/version', stranger)).status, 200);
  t.equal((await server.get('/readyz', stranger)).status, 401);
});

t.test('a changed file counts, and one that is wrong does not', async (t) => {
  const controller = 'apiserver_authentication_config_controller_';
  const { text } = await server.get('/metrics');
  const [, hash = ''] =
    /authentication_config_controller_last_config_info\{apiserver_id_hash="([^"]*)"/.exec(text) ??
    [];
  const counted = (status: string) =>
    metric(`${controller}automatic_reloads_total{apiserver_id_hash="${hash}",status="${status}"`);
  write([FIRST, SECOND]);
  const known = { username: 'second:jane' };
  await until(async () => typeof (await review(token(second))) === 'object');
  t.match(await review(token(second)), known);
  t.match(await review(token(first)), { username: 'first:jane' });
  await until(async () => (await counted('success')) === 1);
  write([]);
  write([SECOND], { enabled: false });
  await until(async () => (await counted('failure')) === 1);
  t.match(await review(token(first)), { username: 'first:jane' });
  write([SECOND]);
  await until(async () => (await review(token(first))) === 'invalid bearer token');
  t.match(await review(token(second)), known);
  const latency = 'apiserver_authentication_jwt_authenticator_latency_seconds_count';
  await until(async () => (await metric(latency)) > 0);
});
