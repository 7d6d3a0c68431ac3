/** Who sends a request: the order of the ways, and what becomes of bad credentials. */
import t from 'tap';
import type { ClientCertificate } from '../../../src/auth/authenticator.ts';
import { authenticationOf } from '../../../src/auth/authentication/request-authenticator.ts';
import type { AuthenticationSettings } from '../../../src/auth/authentication/authenticators.ts';
import { ANONYMOUS } from '../../../src/auth/authentication/users.ts';
import { newTokenKey } from '../../../src/auth/authentication/service-accounts/token-keys.ts';
import { tokenDigest } from '../../../src/auth/authentication/token-way.ts';
import { ServiceAccountTokens } from '../../../src/auth/service-account-tokens.ts';
import { FakeAccountFacts } from '../../support/account-facts.ts';

const KNOWN = 'system:authenticated';
const tokens = new ServiceAccountTokens({ signingKey: newTokenKey() });
const FRONT_PROXY = {
  allowedNames: ['proxy'],
  userHeaders: ['x-remote-user', 'x-user'],
  groupHeaders: ['x-remote-group', 'x-group'],
  extraPrefixes: ['x-remote-extra-'],
};
const NO_SIGNER = { clients: false, frontProxy: false };

function authenticator(settings: Partial<AuthenticationSettings> = {}) {
  const jane = { name: 'jane', uid: '7', groups: ['dev'] };
  return authenticationOf(
    {
      staticTokens: [[tokenDigest('secret'), jane]],
      serviceAccounts: { tokens: tokens.settings, looksUpLegacy: true },
      anonymous: { user: ANONYMOUS, paths: [] },
      clientCertificates: true,
      frontProxy: FRONT_PROXY,
      ...settings,
    },
    { tokens, facts: new FakeAccountFacts(), nowMs: Date.now, logError: () => undefined },
  );
}

interface Shown {
  readonly token?: string;
  readonly certificate?: Partial<ClientCertificate>;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
}

async function userOf(shown: Shown, settings: Partial<AuthenticationSettings> = {}) {
  const { token = '', certificate, headers = {} } = shown;
  const given = {
    commonName: 'jo',
    organizations: ['ops', 'dev'],
    fingerprint: 'f',
    endMs: 0,
    signedBy: NO_SIGNER,
    ...certificate,
  };
  try {
    const known = await authenticator(settings);
    const found = await known.authenticate({
      token,
      ...(certificate && { certificate: given }),
      headers: (name) => headers[name] ?? [],
      headerNames: () => Object.keys(headers),
      path: '/',
    });
    return found?.user;
  } catch (error) {
    return (error as Error).name;
  }
}

const ofClients = { signedBy: { clients: true, frontProxy: false } };
const ofProxy = { commonName: 'proxy', signedBy: { clients: false, frontProxy: true } };
const REFUSED = 'AuthenticationError';
const NOBODY = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] };
const JO = { name: 'jo', uid: '', groups: ['ops', 'dev', KNOWN] };
const JANE = { name: 'jane', uid: '7', groups: ['dev', KNOWN] };

t.test('without credentials', async (t) => {
  t.same(await userOf({}), NOBODY);
  t.equal(await userOf({}, { anonymous: undefined }), undefined);
  const headers = { 'x-remote-user': ['root'], 'x-remote-group': ['system:masters'] };
  t.same(await userOf({ headers }), NOBODY, 'headers alone say nothing');
});

t.test('bad credentials make nobody anonymous', async (t) => {
  t.equal(await userOf({ token: 'x' }), REFUSED);
  t.equal(await userOf({ certificate: {} }), REFUSED);
  t.equal(await userOf({ certificate: {}, token: 'x' }), REFUSED);
});

t.test('a certificate is a name and groups, if its authority is trusted', async (t) => {
  t.same(await userOf({ certificate: ofClients }), JO);
  t.same(await userOf({ certificate: ofClients, token: 'x' }), JO, 'the token is not looked at');
  t.same(await userOf({ certificate: ofClients, token: 'secret' }), JO);
  t.same(await userOf({ certificate: {}, token: 'secret' }), JANE, 'another way may know the user');
  t.equal(await userOf({ certificate: ofProxy }), REFUSED);
  t.equal(await userOf({ certificate: { ...ofClients, commonName: '' } }), REFUSED);
  const alone = { clientCertificates: undefined };
  t.equal(await userOf({ certificate: ofClients }, alone), REFUSED, 'it is no proxy either');
});

t.test('a proxy that is trusted names its user in headers', async (t) => {
  const headers = {
    'x-remote-user': ['', 'ignored'],
    'x-user': ['ann'],
    'x-remote-group': ['a', '', 'b'],
    'x-group': ['c'],
    'x-remote-extra-acme.org%2fteam': ['1', '2'],
    'x-remote-extra-%zz': ['3'],
    'x-other': ['4'],
  };
  t.same(await userOf({ certificate: ofProxy, headers, token: 'x' }), {
    name: 'ann',
    uid: '',
    groups: ['a', 'b', 'c', KNOWN],
    extra: { 'acme.org/team': ['1', '2'], '%zz': ['3'] },
  });
  const named = { 'x-remote-user': ['ann'] };
  t.equal(await userOf({ certificate: { ...ofProxy, commonName: 'x' }, headers: named }), REFUSED);
  t.match(
    await userOf(
      { certificate: { ...ofProxy, commonName: 'x' }, headers: named },
      { frontProxy: { ...FRONT_PROXY, allowedNames: [] } },
    ),
    { name: 'ann' },
    'without names any certificate of the authority will do',
  );
  t.same(await userOf({ certificate: ofClients, headers }), JO, 'a client is no proxy');
  const both = { commonName: 'proxy', signedBy: { clients: true, frontProxy: true } };
  t.match(await userOf({ certificate: both, headers: named }), { name: 'ann' });
  t.match(await userOf({ certificate: both }), { name: 'proxy' }, 'the proxy speaks for itself');
});

t.test('groups that are said are believed', async (t) => {
  const headers = { 'x-remote-user': ['ann'], 'x-remote-group': ['system:unauthenticated'] };
  t.match(await userOf({ certificate: ofProxy, headers }), { groups: ['system:unauthenticated'] });
  const anonymous = { 'x-remote-user': ['system:anonymous'] };
  t.match(await userOf({ certificate: ofProxy, headers: anonymous }), { groups: [] });
});

t.test('a token that somebody else was shown', async (t) => {
  const known = await authenticator();
  t.match(await known.authenticateToken('secret', tokens.apiAudiences), { user: JANE });
  await t.rejects(async () => known.authenticateToken('secret', ['x']), {
    message: 'invalid bearer token',
  });
});
