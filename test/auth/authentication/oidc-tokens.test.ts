/** Tokens of an OpenID Connect issuer: what they are worth, while its keys and claims change. */
import { createPublicKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { OidcTokens } from '../../../src/auth/authentication/oidc/oidc-tokens.ts';
import type { JwtDocument } from '../../../src/auth/authentication/oidc/jwt-form.ts';
import { BearerTokens } from '../../../src/auth/authentication/token-way.ts';
import { rsaKey, startOidcIssuer, tokenOf } from '../../support/oidc-issuer.ts';
import type { OidcIssuer } from '../../support/oidc-issuer.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { macToken } from '../../support/signed-token.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const NOW = NOW_MS / 1000;
const API = ['api'];
const KEY = rsaKey('first');

function known(issuer: OidcIssuer, settings: Partial<JwtDocument> = {}) {
  const logged: string[] = [];
  const clock = { nowMs: NOW_MS };
  const way = new OidcTokens({
    jwt: {
      issuer: { url: issuer.url, audiences: ['me'], certificateAuthority: issuer.authority },
      claimMappings: {
        username: { claim: 'sub', prefix: 'oidc:' },
        groups: { claim: 'groups', prefix: 'g:' },
      },
      ...settings,
    },
    algorithms: ['RS256'],
    apiAudiences: API,
    nowMs: () => clock.nowMs,
    logError: (text) => logged.push(text),
  });
  const bearer = new BearerTokens([way]);
  /** The user's name and groups, or what is wrong. */
  const outcome = async (token: string, audiences = API): Promise<string> => {
    try {
      const { user } = await bearer.authenticate(token, audiences);
      return [user.name, ...user.groups].join(' ');
    } catch (error) {
      return (error as Error).message.replace('[invalid bearer token, ', '').replace(/\]$/, '');
    }
  };
  const claims = (more: object = {}) => ({
    iss: issuer.url,
    aud: 'me',
    sub: 'jane',
    exp: NOW + 60,
    ...more,
  });
  return { clock, logged, outcome, claims };
}

async function started(t: Test): Promise<OidcIssuer> {
  const issuer = await startOidcIssuer(t);
  issuer.keys = [KEY];
  return issuer;
}

const JANE = 'oidc:jane system:authenticated';
const INVALID = 'invalid bearer token';
const UNSIGNED =
  'oidc: verify token: failed to verify signature: failed to verify id token signature';

t.test('a token says who it is', async (t) => {
  const issuer = await started(t);
  const { outcome, claims } = known(issuer);
  t.equal(await outcome(tokenOf(KEY, claims())), JANE);
  t.equal(await outcome(tokenOf(KEY, claims({ aud: ['x', 'me'] }))), JANE);
  const groups = 'oidc:jane g:a g:b system:authenticated';
  t.equal(await outcome(tokenOf(KEY, claims({ groups: ['a', 'b'] }))), groups);
  t.equal(
    await outcome(tokenOf(KEY, claims({ groups: 'a' }))),
    'oidc:jane g:a system:authenticated',
  );
  t.equal(await outcome(tokenOf(KEY, claims()), ['other']), INVALID, 'it is for this API');
});

t.test('what is wrong with claims', async (t) => {
  const issuer = await started(t);
  const { outcome, claims } = known(issuer, {
    claimValidationRules: [{ claim: 'team', requiredValue: 'x' }],
  });
  const team = { team: 'x' };
  const verify = 'oidc: verify token: oidc:';
  const rows: [claims: object, expected: string][] = [
    [{ ...team, aud: 'you' }, `${verify} expected audience "me" got ["you"]`],
    [{ ...team, aud: undefined }, `${verify} expected audience "me" got []`],
    [
      { ...team, exp: NOW - 1 },
      `${verify} token is expired (Token Expiry: 2023-12-31 23:59:59 +0000 UTC)`,
    ],
    [
      { ...team, exp: undefined },
      `${verify} token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)`,
    ],
    [
      { ...team, nbf: NOW + 61 },
      `${verify} current time 2024-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2024-01-01 00:01:01 +0000 UTC`,
    ],
    [{ ...team, nbf: NOW + 60 }, JANE],
    [{ ...team, sub: undefined }, 'oidc: parse username claims "sub": claim not present'],
    [
      { ...team, sub: 7 },
      'oidc: verify token: oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.sub of type string',
    ],
    [
      { ...team, groups: [7] },
      'oidc: parse groups claim "groups": json: cannot unmarshal array into Go value of type string',
    ],
    [{}, 'oidc: required claim team not present in ID token'],
    [{ team: 'y' }, 'oidc: required claim team value does not match. Got = y, want = x'],
    [
      { team: ['x'] },
      'oidc: parse claim team: json: cannot unmarshal array into Go value of type string',
    ],
    [{ ...team, iss: 'https://other.example' }, INVALID],
  ];
  for (const [more, expected] of rows) {
    t.equal(await outcome(tokenOf(KEY, claims(more))), expected, JSON.stringify(more));
  }
});

t.test('groups that are claimed to be in another place', async (t) => {
  const issuer = await started(t);
  const { outcome, claims } = known(issuer);
  const elsewhere = (endpoint: string) =>
    tokenOf(KEY, claims({ _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint } } }));
  issuer.pages.set('/groups', tokenOf(KEY, claims({ groups: ['far'] })));
  issuer.pages.set('/none', tokenOf(KEY, claims()));
  const start = 'oidc: could not expand distributed claims:';
  const rows: [path: string, expected: string][] = [
    ['/groups', 'oidc:jane g:far system:authenticated'],
    [
      '/none',
      `${start} jwt returned by distributed claim endpoint "${issuer.url}/none" did not contain ` +
        'claim: groups',
    ],
    [
      '/no',
      `${start} while getting distributed claim "groups": ` +
        'error while getting distributed claim JWT: 404 Not Found',
    ],
  ];
  for (const [path, expected] of rows) {
    t.equal(await outcome(elsewhere(`${issuer.url}${path}`)), expected, path);
  }
  const lost = claims({ _claim_names: { groups: 's' } });
  t.equal(await outcome(tokenOf(KEY, lost)), 'oidc: verify token: oidc: source does not exist');
});

t.test('an address counts if it is verified', async (t) => {
  const issuer = await started(t);
  const { outcome, claims } = known(issuer, {
    claimMappings: { username: { claim: 'email', prefix: '' } },
  });
  const email = 'jane@example.org';
  t.equal(await outcome(tokenOf(KEY, claims({ email }))), `${email} system:authenticated`);
  const unverified = claims({ email, email_verified: false });
  t.equal(await outcome(tokenOf(KEY, unverified)), 'oidc: email not verified');
});

t.test('tokens that are signed by others, or by nobody', async (t) => {
  const issuer = await started(t);
  const { outcome, claims } = known(issuer);
  const stranger = rsaKey('first');
  const algorithms = (sent: string) =>
    `oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["RS256"] got "${sent}"`;
  const publicPem = createPublicKey(KEY.privateKey).export({ type: 'spki', format: 'pem' });
  t.equal(await outcome(tokenOf(stranger, claims())), UNSIGNED);
  t.equal(await outcome(tokenOf(KEY, claims(), { alg: 'none' })), algorithms('none'));
  t.equal(await outcome(tokenOf(KEY, claims(), { alg: 'ES256' })), algorithms('ES256'));
  t.equal(
    await outcome(macToken(publicPem.toString(), { kid: 'first' }, claims())),
    algorithms('HS256'),
  );
  const own = tokenOf(stranger, claims(), {
    jwk: createPublicKey(stranger.privateKey).export({ format: 'jwk' }),
  });
  t.equal(await outcome(own), UNSIGNED, 'a key that the token brings along');
  t.equal(await outcome(`${tokenOf(KEY, claims())}x`), INVALID);
});

t.test('keys that change', async (t) => {
  const issuer = await started(t);
  const { outcome, claims, clock } = known(issuer);
  const token = tokenOf(KEY, claims({ exp: NOW + 1_000 }));
  t.equal(await outcome(token), JANE);
  const second = rsaKey('second');
  issuer.keys = [KEY, second];
  const endMs = Date.now() + PATIENCE_MS;
  // It is asked for new keys once in a while.
  while ((await outcome(tokenOf(second, claims()))) !== JANE && Date.now() < endMs) await sleep(50);
  t.equal(await outcome(tokenOf(second, claims())), JANE);
  const asked = issuer.keysAsked();
  for (let count = 0; count < 20; count++) {
    t.equal(await outcome(tokenOf(rsaKey1024, claims({ count }))), UNSIGNED);
  }
  t.ok(issuer.keysAsked() < asked + 20, 'unknown keys do not make many requests');
  t.equal(await outcome(tokenOf(KEY, claims(), { kid: undefined })), JANE, 'any of them');
  clock.nowMs += 10_001;
  t.equal(await outcome(token), JANE, 'verified again');
  clock.nowMs = NOW_MS + 1_000_001;
  t.match(await outcome(token), 'token is expired');
});

const rsaKey1024 = rsaKey('unknown');

t.test('an issuer that is down costs its own tokens', async (t) => {
  const issuer = await started(t);
  await issuer.close();
  const { outcome, claims, logged } = known(issuer);
  t.equal(await outcome(tokenOf(KEY, claims())), 'oidc: authenticator not initialized');
  t.equal(await outcome('something else'), INVALID);
  t.match(logged, [/^oidc: connect ECONNREFUSED/]);
});

t.test('an issuer that is not the one', async (t) => {
  const issuer = await started(t);
  issuer.named = 'https://other.example';
  const { outcome, claims, logged } = known(issuer);
  t.equal(await outcome(tokenOf(KEY, claims())), 'oidc: authenticator not initialized');
  t.match(logged, [/names another issuer than https:\/\/127/]);
  const distrusted = known(issuer, { issuer: { url: issuer.url, audiences: ['me'] } });
  t.equal(await distrusted.outcome(tokenOf(KEY, claims())), 'oidc: authenticator not initialized');
  t.match(distrusted.logged, [/^oidc: .*self-signed certificate/]);
});
