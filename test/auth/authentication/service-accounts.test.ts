/** Whose a token of a service account is, and what ends that. */
import t from 'tap';
import { newTokenKey } from '../../../src/auth/authentication/service-accounts/token-keys.ts';
import { ServiceAccounts } from '../../../src/auth/authentication/service-accounts/service-accounts.ts';
import { BearerTokens } from '../../../src/auth/authentication/token-way.ts';
import { ServiceAccountTokens } from '../../../src/auth/service-account-tokens.ts';
import type { FeatureGate } from '../../../src/release/feature-gates.ts';
import type { TokenOptions } from '../../../src/auth/service-account-tokens.ts';
import { FakeAccountFacts } from '../../support/account-facts.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const ROBOT = { name: 'robot', uid: 'u-1' };
const USER = {
  name: 'system:serviceaccount:ns:robot',
  uid: 'u-1',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
};
const tokens = new ServiceAccountTokens({ signingKey: newTokenKey() });
const API = tokens.apiAudiences;

function scene({ looksUpLegacy = true, gates = [] as readonly FeatureGate[] } = {}) {
  const facts = new FakeAccountFacts();
  const clock = { nowMs: NOW_MS };
  const way = new ServiceAccounts({
    tokens: new ServiceAccountTokens({ ...tokens.settings, gates }),
    facts,
    looksUpLegacy,
    nowMs: () => clock.nowMs,
    logError: (text) => t.fail(text),
  });
  const bearer = new BearerTokens([way]);
  facts.accounts.set('ns/robot', { uid: 'u-1' });
  /** The user's name, or what is wrong. */
  const outcome = async (token: string, audiences = API): Promise<string> => {
    try {
      return (await bearer.authenticate(token, audiences)).user.name;
    } catch (error) {
      return (error as Error).message.replace('[invalid bearer token, ', '').replace(/\]$/, '');
    }
  };
  return { facts, clock, bearer, outcome };
}

function issue(options: Partial<TokenOptions> = {}): string {
  return tokens.issue({
    account: { namespace: 'ns', serviceaccount: ROBOT },
    audiences: API,
    nowMs: NOW_MS,
    expirationSeconds: 600,
    ...options,
  });
}

t.test('its user, at once', async (t) => {
  const { bearer } = scene();
  const token = issue();
  t.same(bearer.authenticate(token, API), { user: USER, audiences: API });
  t.same(bearer.authenticate(token, API), { user: USER, audiences: API }, 'again');
});

t.test('for how long it counts, though it was seen before', async (t) => {
  const { clock, outcome } = scene();
  const token = issue();
  for (const [seconds, expected] of [
    [0, USER.name],
    [660, USER.name],
    [661, 'service account token has expired'],
    [-60, USER.name],
    [-61, 'service account token is not valid yet'],
  ] as const) {
    clock.nowMs = NOW_MS + seconds * 1000;
    t.equal(await outcome(token), expected, `after ${seconds} s`);
  }
});

t.test('for whom it is', async (t) => {
  const { bearer, outcome } = scene();
  const token = issue({ audiences: ['a', 'b'] });
  t.match(await bearer.authenticate(token, ['b', 'c']), { audiences: ['b'] });
  const expected = (asked: string) =>
    `token audiences ["a" "b"] is invalid for the target audiences [${asked}]`;
  t.equal(await outcome(token), expected(`"${API[0]}"`));
  t.equal(await outcome(token, ['x', 'y']), expected('"x" "y"'));
});

t.test('an account that goes takes its tokens with it, at once', async (t) => {
  const { facts, outcome } = scene();
  const token = issue();
  t.equal(await outcome(token), USER.name);
  facts.accounts.set('ns/robot', { uid: 'u-1', deletedMs: NOW_MS - 60_000 });
  t.equal(await outcome(token), USER.name, 'terminating for as long as clocks may differ');
  facts.accounts.set('ns/robot', { uid: 'u-1', deletedMs: NOW_MS - 60_001 });
  t.equal(await outcome(token), 'service account ns/robot has been deleted');
  facts.accounts.delete('ns/robot');
  t.equal(await outcome(token), 'serviceaccounts "robot" not found');
  facts.accounts.set('ns/robot', { uid: 'u-2' });
  t.equal(await outcome(token), 'service account UID (u-2) does not match claim (u-1)');
});

t.test('so does the pod or Secret that it is bound to', async (t) => {
  const { facts, bearer, outcome } = scene();
  const account = { namespace: 'ns', serviceaccount: ROBOT };
  const ofPod = issue({ account: { ...account, pod: { name: 'p', uid: 'p-1' } } });
  const ofSecret = issue({ account: { ...account, secret: { name: 's', uid: 's-1' } } });
  const gone = 'service account token has been invalidated';
  t.equal(await outcome(ofPod), gone);
  t.equal(await outcome(ofSecret), gone);
  facts.pods.set('ns/p', { uid: 'p-1' });
  facts.putSecret('ns/s', 'Opaque', {});
  t.same(await bearer.authenticate(ofPod, API), {
    user: {
      ...USER,
      extra: {
        'authentication.cluster.io/pod-name': ['p'],
        'authentication.cluster.io/pod-uid': ['p-1'],
      },
    },
    audiences: API,
  });
  t.equal(await outcome(ofSecret), USER.name);
  facts.pods.set('ns/p', { uid: 'p-1', deletedMs: NOW_MS - 61_000 });
  t.equal(await outcome(ofPod), gone);
  facts.pods.set('ns/p', { uid: 'p-2' });
  t.equal(await outcome(ofPod), 'pod UID (p-2) does not match service account pod ref claim (p-1)');
  facts.secrets.set('ns/s', { uid: 's-2', type: 'Opaque', data: {} });
  t.equal(
    await outcome(ofSecret),
    'secret UID (s-2) does not match service account secret ref claim (s-1)',
  );
});

t.test('a legacy token counts while it stands in its Secret', async (t) => {
  const { facts, outcome } = scene();
  const token = tokens.issueLegacy('ns', ROBOT, 's');
  const type = 'cluster.io/service-account-token';
  t.equal(await outcome(token), 'Token has been invalidated');
  facts.putSecret('ns/s', type, { token });
  t.equal(await outcome(token), USER.name);
  t.equal(
    await outcome(token, ['x']),
    `token audiences ["${API[0]}"] is invalid for the target audiences ["x"]`,
  );
  facts.putSecret('ns/s', type, { token: `${token}x` });
  t.equal(await outcome(token), "Token does not match server's copy");
  facts.putSecret('ns/s', type, {});
  t.equal(await outcome(token), "Token does not match server's copy");
  facts.putSecret('ns/s', type, { token }, NOW_MS);
  t.equal(await outcome(token), 'Token has been invalidated', 'the Secret is terminating');
  facts.putSecret('ns/s', type, { token });
  facts.accounts.set('ns/robot', { uid: 'u-1', deletedMs: NOW_MS });
  t.equal(await outcome(token), 'ServiceAccount ns/robot has been deleted');
  facts.accounts.set('ns/robot', { uid: 'u-2' });
  t.equal(await outcome(token), 'ServiceAccount UID (u-2) does not match claim (u-1)');
  facts.accounts.delete('ns/robot');
  t.equal(await outcome(token), 'serviceaccounts "robot" not found');
});

t.test('unless nobody is to look', async (t) => {
  const { facts, outcome } = scene({ looksUpLegacy: false });
  facts.accounts.clear();
  t.equal(await outcome(tokens.issueLegacy('ns', ROBOT, 's')), USER.name);
  t.equal(await outcome(issue()), 'serviceaccounts "robot" not found', 'others are looked up');
});

t.test('many tokens, of which some are forgotten and known again', async (t) => {
  const { bearer } = scene();
  const many = Array.from({ length: 20 }, (_, index) => issue({ audiences: [`${index}`, ...API] }));
  for (const token of [...many, ...many]) t.match(bearer.authenticate(token, API), { user: USER });
});

t.test('its name, and where it is used, where these are features', async (t) => {
  const gates = ['ServiceAccountTokenJTI', 'ServiceAccountTokenPodNodeInfo'] as const;
  const { facts, bearer } = scene({ gates });
  const issuer = new ServiceAccountTokens({ ...tokens.settings, gates });
  const account = { namespace: 'ns', serviceaccount: ROBOT };
  const issued = (claims: object) =>
    issuer.issue({
      account: { ...account, ...claims },
      audiences: API,
      nowMs: NOW_MS,
      expirationSeconds: 600,
    });
  const extraOf = async (token: string, known = bearer) =>
    (await known.authenticate(token, API)).user.extra;
  facts.pods.set('ns/p', { uid: 'p-1' });
  const plain = issued({});
  const { jti } = JSON.parse(Buffer.from(plain.split('.')[1] ?? '', 'base64url').toString());
  t.match(jti, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  t.same(await extraOf(plain), { 'authentication.cluster.io/credential-id': [`JTI=${jti}`] });
  const pod = { name: 'p', uid: 'p-1' };
  const ofPod = issued({ node: { name: 'n', uid: 'n-1' }, pod });
  t.match(await extraOf(ofPod), {
    'authentication.cluster.io/node-name': ['n'],
    'authentication.cluster.io/node-uid': ['n-1'],
    'authentication.cluster.io/pod-name': ['p'],
    'authentication.cluster.io/pod-uid': ['p-1'],
  });
  const lost = await extraOf(issued({ node: { name: 'n' }, pod }));
  t.match(lost, { 'authentication.cluster.io/node-name': ['n'] });
  t.notOk('authentication.cluster.io/node-uid' in (lost ?? {}), 'the node is gone');
  const before = scene();
  before.facts.pods.set('ns/p', { uid: 'p-1' });
  t.same(Object.keys((await extraOf(ofPod, before.bearer)) ?? {}), [
    'authentication.cluster.io/pod-name',
    'authentication.cluster.io/pod-uid',
  ]);
});

t.test('a node that it is bound to', async (t) => {
  const gate = 'ServiceAccountTokenNodeBindingValidation';
  const { facts, bearer, outcome } = scene({ gates: [gate] });
  const node = { name: 'n', uid: 'n-1' };
  const token = issue({ account: { namespace: 'ns', serviceaccount: ROBOT, node } });
  t.equal(await outcome(token), 'service account token has been invalidated');
  facts.nodes.set('n', { uid: 'n-2' });
  t.equal(
    await outcome(token),
    'node UID (n-2) does not match service account node ref claim (n-1)',
  );
  facts.nodes.set('n', { uid: 'n-1' });
  t.same((await bearer.authenticate(token, API)).user.extra, {
    'authentication.cluster.io/node-name': ['n'],
    'authentication.cluster.io/node-uid': ['n-1'],
  });
  t.equal(
    await scene().outcome(token),
    `token is bound to a Node object but the ${gate} feature gate is disabled`,
  );
});

t.test('the use of a legacy token is noted, and warned of, where that is a feature', async (t) => {
  const { facts, clock, bearer } = scene({ gates: ['LegacyServiceAccountTokenTracking'] });
  const token = tokens.issueLegacy('ns', ROBOT, 's');
  const put = (more: object): void => {
    facts.putSecret('ns/s', 'cluster.io/service-account-token', { token });
    facts.secrets.set('ns/s', { ...facts.secrets.get('ns/s')!, ...more });
  };
  put({});
  t.notOk((await bearer.authenticate(token, API)).warnings, 'made by somebody');
  t.same(facts.used, ['ns/s 2024-01-01']);
  facts.accounts.set('ns/robot', { uid: 'u-1', secrets: ['s'] });
  for (const lastUsed of ['2024-01-01', '2024-01-02']) {
    put({ lastUsed });
    t.match((await bearer.authenticate(token, API)).warnings, [
      /^Use tokens from the TokenRequest API or manually created/,
    ]);
  }
  t.equal(facts.used.length, 1, 'once a day, wherever its clock is');
  clock.nowMs += 3 * 24 * 3_600_000;
  await bearer.authenticate(token, API);
  t.equal(facts.used.at(-1), 'ns/s 2024-01-04');
  const before = scene();
  before.facts.putSecret('ns/s', 'cluster.io/service-account-token', { token });
  await before.bearer.authenticate(token, API);
  t.same(before.facts.used, []);
});
