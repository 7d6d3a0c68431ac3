/** Tokens that the server signs, and what makes them worthless. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newTokenKey } from '../../src/auth/authentication/service-accounts/token-keys.ts';
import { ownTokenKey, ServiceAccountTokens } from '../../src/auth/service-account-tokens.ts';
import { withDamagedPrivatePart } from '../support/damaged-key.ts';
import { macToken, signedText, signedToken } from '../support/signed-token.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const NOW = NOW_MS / 1000;
const ROBOT = { name: 'robot', uid: 'u-1' };
const ACCOUNT = { namespace: 'ns', serviceaccount: ROBOT };
const pem = newTokenKey();
const tokens = new ServiceAccountTokens({ signingKey: pem });
const OPTIONS = {
  account: ACCOUNT,
  audiences: tokens.apiAudiences,
  nowMs: NOW_MS,
  expirationSeconds: 600,
};

function part(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function encoded(value: unknown): string {
  return base64(JSON.stringify(value));
}

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

t.test('a token says whose it is, for whom and how long', async (t) => {
  const token = tokens.issue(OPTIONS);
  const header = part(token, 0);
  t.equal(header['alg'], 'ES256');
  t.match(header['kid'], /^[\w-]{43}$/);
  t.same(part(token, 1), {
    aud: tokens.apiAudiences,
    exp: NOW + 600,
    iat: NOW,
    iss: tokens.issuer,
    'cluster.io': ACCOUNT,
    nbf: NOW,
    sub: 'system:serviceaccount:ns:robot',
  });
  t.same(tokens.read(token), {
    namespace: 'ns',
    account: ROBOT,
    audiences: tokens.apiAudiences,
    notBeforeSeconds: NOW,
    expirySeconds: NOW + 600,
  });
});

t.test('a legacy token names the Secret that it stands in', async (t) => {
  const token = tokens.issueLegacy('ns', ROBOT, 'robot-token-x');
  t.same(part(token, 1), {
    iss: 'cluster/serviceaccount',
    'cluster.io/serviceaccount/namespace': 'ns',
    'cluster.io/serviceaccount/secret.name': 'robot-token-x',
    'cluster.io/serviceaccount/service-account.name': 'robot',
    'cluster.io/serviceaccount/service-account.uid': 'u-1',
    sub: 'system:serviceaccount:ns:robot',
  });
  t.match(tokens.read(token), { namespace: 'ns', account: ROBOT, legacySecret: 'robot-token-x' });
});

t.test('legacy tokens with claims that are missing', async (t) => {
  const [header = ''] = tokens.issue(OPTIONS).split('.');
  const claims = part(tokens.issueLegacy('ns', ROBOT, 's'), 1);
  const prefix = 'cluster.io/serviceaccount';
  for (const [member, message] of [
    ['sub', 'sub claim is missing'],
    [`${prefix}/namespace`, 'namespace claim is missing'],
    [`${prefix}/secret.name`, 'secretName claim is missing'],
    [`${prefix}/service-account.name`, 'serviceAccountName claim is missing'],
    [`${prefix}/service-account.uid`, 'serviceAccountUID claim is missing'],
  ] as const) {
    const token = signedToken(pem, header, { ...claims, [member]: undefined });
    t.throws(() => tokens.read(token), { name: 'AuthenticationError', message });
  }
  const other = signedToken(pem, header, { ...claims, sub: 'system:serviceaccount:ns:root' });
  t.throws(() => tokens.read(other), { message: 'sub claim is invalid' });
});

t.test('a token of the other dialect is read with the names of this one', async (t) => {
  t.equal(tokens.issuer, 'https://cluster.default.svc');
  const [header = ''] = tokens.issue(OPTIONS).split('.');
  const issuer = 'https://kubernetes.default.svc';
  const bound = {
    aud: ['x', issuer],
    exp: NOW + 600,
    iat: NOW,
    iss: issuer,
    nbf: NOW,
    'kubernetes.io': { ...ACCOUNT, namespace: 'kube-system' },
    sub: 'system:serviceaccount:kube-system:robot',
  };
  const read = tokens.read(signedToken(pem, header, bound));
  t.same(read?.audiences, ['x', tokens.issuer], 'for its own API');
  t.equal(read?.namespace, 'cluster-system');
  const legacy = {
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': 'kube-system',
    'kubernetes.io/serviceaccount/secret.name': 's',
    'kubernetes.io/serviceaccount/service-account.name': 'robot',
    'kubernetes.io/serviceaccount/service-account.uid': 'u-1',
    sub: 'system:serviceaccount:kube-system:robot',
  };
  t.match(tokens.read(signedToken(pem, header, legacy)), {
    namespace: 'cluster-system',
    legacySecret: 's',
  });
});

t.test('others can check a token with the public key', async (t) => {
  const [header = '', payload = '', signature = ''] = tokens.issue(OPTIONS).split('.');
  const [key] = tokens.publicKeys();
  const { use, kid, alg, ...jwk } = key ?? { use: '', kid: '', alg: '' };
  t.same({ use, kid, alg }, { use: 'sig', ...part(`${header}.`, 0) });
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  t.ok(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes));
});

t.test('texts that are no tokens of accounts are nothing', async (t) => {
  const [header = '', payload = '', signature = ''] = tokens.issue(OPTIONS).split('.');
  const repeated = '{"alg":"none","alg":"ES256"}';
  const rows: Record<string, string> = {
    'another spelling': `${header}.${payload}.${signature}=`,
    'a space': `${header}.${payload}.${signature} `,
    'a fourth part': `${header}.${payload}.${signature}.x`,
    'two parts': `${header}.${payload}`,
    'no token': 'abc',
    'dots alone': '..',
    empty: '',
    'another issuer': signedToken(pem, header, { ...part(`.${payload}`, 1), iss: 'x' }),
    'no issuer': signedToken(pem, header, {}),
    'an issuer that is no text': signedToken(pem, header, { iss: [tokens.issuer] }),
    'a list of claims': signedToken(pem, header, [tokens.issuer]),
    'a key that is no text': signedText(pem, `${encoded({ alg: 'ES256', kid: 7 })}.${payload}`),
    'deep nesting': signedText(pem, `${header}.${base64('['.repeat(20_000))}`),
    'two algorithms': signedText(pem, `${base64(repeated)}.${payload}`),
  };
  for (const [what, text] of Object.entries(rows)) t.equal(tokens.read(text), undefined, what);
});

t.test('tokens of the issuer that are not signed by it are refused', async (t) => {
  const token = tokens.issue(OPTIONS);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const forged = encoded({ ...part(token, 1), sub: 'system:serviceaccount:ns:root' });
  const kid = tokens.publicKeys()[0]?.kid ?? '';
  const publicPem = createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();
  const foreign = newTokenKey();
  const rows: Record<string, string> = {
    'another payload': `${header}.${forged}.${signature}`,
    'no algorithm': `${encoded({ alg: 'none', kid })}.${payload}.${signature}`,
    'a MAC with the public key': macToken(publicPem, { kid }, part(token, 1)),
    'no signature': `${header}.${payload}.`,
    'no algorithm, nor signature': `${encoded({ alg: 'none' })}.${payload}.`,
    'an extension': signedText(pem, `${encoded({ alg: 'ES256', crit: ['x'] })}.${payload}`),
    'a cut signature': `${header}.${payload}.${signature.slice(0, 84)}`,
    'that of another key': new ServiceAccountTokens({ signingKey: foreign }).issue(OPTIONS),
    'another key by this name': signedToken(foreign, header, part(token, 1)),
    'another curve': signedText(pem, `${encoded({ alg: 'ES384', kid })}.${payload}`),
    'another kind of key': signedText(pem, `${encoded({ alg: 'RS256', kid })}.${payload}`),
  };
  for (const [what, text] of Object.entries(rows)) {
    const expected = {
      name: 'AuthenticationError',
      message: 'square/go-jose: error in cryptographic primitive',
    };
    t.throws(() => tokens.read(text), expected, what);
  }
});

t.test('the name of the key is a hint, and no more', async (t) => {
  const claims = part(tokens.issue(OPTIONS), 1);
  for (const header of [
    { alg: 'ES256' },
    { alg: 'ES256', kid: 'x' },
    { alg: 'ES256', kid: '../../dev/null' },
    { alg: 'ES256', crit: [] },
    { alg: 'ES256', jwk: { kty: 'oct', k: 'x' }, jku: 'https://example.org/keys' },
  ]) {
    t.ok(tokens.read(signedToken(pem, encoded(header), claims)), JSON.stringify(header));
  }
});

t.test('depth costs nothing', async (t) => {
  const claims = part(tokens.issue(OPTIONS), 1);
  const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`;
  const header = base64(`{"alg":"ES256","x":${deep}}`);
  t.ok(tokens.read(signedToken(pem, header, claims)));
  const payload = base64(JSON.stringify({ ...claims, x: 0 }).replace('"x":0', `"x":${deep}`));
  t.ok(tokens.read(signedText(pem, `${base64('{"alg":"ES256"}')}.${payload}`)));
});

t.test('claims of other types than they should have', async (t) => {
  const [header = ''] = tokens.issue(OPTIONS).split('.');
  const claims = part(tokens.issue(OPTIONS), 1);
  const garbled = 'service account token claims could not be validated';
  const audience = 'square/go-jose/jwt: expected string or array value to unmarshal to Audience';
  const date = 'square/go-jose/jwt: expected number value to unmarshal NumericDate';
  for (const [wrong, message] of [
    [{ aud: 7 }, audience],
    [{ aud: [{}] }, audience],
    [{ exp: '9999999999' }, date],
    [{ nbf: {} }, date],
    [{ 'cluster.io': 'x' }, garbled],
    [{ 'cluster.io': { namespace: 7 } }, garbled],
    [{ 'cluster.io': { ...ACCOUNT, serviceaccount: [] } }, garbled],
    [{ 'cluster.io': { ...ACCOUNT, pod: { name: {} } } }, garbled],
  ] as const) {
    const token = signedToken(pem, header, { ...claims, ...wrong });
    t.throws(() => tokens.read(token), { message }, JSON.stringify(wrong));
  }
  const iss = JSON.stringify(tokens.issuer);
  for (const [text, name] of [
    [`{"iss":${iss},"iss":${iss}}`, 'iss'],
    [`{"iss":${iss},"cluster.io":{"namespace":"a","namespace":"b"}}`, 'namespace'],
    [`{"iss":${iss},"x":{"y":{"\\u0061":1,"a":2}}}`, 'a'],
  ] as const) {
    const token = signedText(pem, `${header}.${base64(text)}`);
    t.throws(() => tokens.read(token), { message: `json: duplicate key '${name}' in object` });
  }
  const bare = tokens.read(signedToken(pem, header, { iss: tokens.issuer }));
  t.match(bare, { namespace: '', account: { name: '', uid: '' }, expirySeconds: 0 });
});

t.test('keys of both kinds and all curves sign, and those of files are believed', async (t) => {
  const curves = ['P-256', 'P-384', 'P-521'].map((namedCurve) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve });
    return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  });
  const others = [rsaKey(), ...curves];
  const believing = new ServiceAccountTokens({
    signingKey: pem,
    // Several in one file; public and private.
    verifyingKeys: [
      `# a comment\n${others.slice(0, 2).join('\n')}`,
      ...others.slice(2).map((key) => {
        return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
      }),
    ],
  });
  const algorithms = believing.publicKeys().map(({ alg }) => alg);
  t.same(algorithms, ['ES256', 'RS256', 'ES256', 'ES384', 'ES512']);
  for (const [index, signingKey] of others.entries()) {
    const token = new ServiceAccountTokens({ signingKey }).issue(OPTIONS);
    t.equal(part(token, 0)['alg'], algorithms[index + 1]);
    t.match(believing.read(token), { account: ROBOT }, `key ${index}`);
    t.throws(() => tokens.read(token), { name: 'AuthenticationError' });
  }
  t.same(Object.keys(believing.publicKeys()[1] ?? {}), ['use', 'kty', 'kid', 'alg', 'n', 'e']);
});

t.test('of several issuers the first issues, and all are believed', async (t) => {
  const several = new ServiceAccountTokens({
    signingKey: pem,
    issuers: ['https://new.example', 'https://old.example'],
  });
  t.same(several.apiAudiences, ['https://new.example', 'https://old.example']);
  const token = several.issue({ ...OPTIONS, audiences: several.apiAudiences });
  t.equal(part(token, 1)['iss'], 'https://new.example');
  const [header = ''] = token.split('.');
  const old = signedToken(pem, header, { ...part(token, 1), iss: 'https://old.example' });
  t.ok(several.read(token));
  t.ok(several.read(old));
  t.equal(several.read(tokens.issue(OPTIONS)), undefined, 'that of the API is not one of them');
  t.equal(tokens.read(token), undefined);
  const named = new ServiceAccountTokens({ signingKey: pem, apiAudiences: ['a', 'b'] });
  t.same(named.apiAudiences, ['a', 'b']);
});

t.test('the key is made once, and is private', async (t) => {
  const folder = t.testdir();
  const { file, pem: made } = ownTokenKey(folder);
  t.equal(file, join(folder, 'service-account.key'));
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(ownTokenKey(folder).pem, made);
});

t.test('keys that are none', async (t) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const edwards = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { privateKey: coin } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const otherCurve = coin.export({ type: 'pkcs8', format: 'pem' }).toString();
  const expected = { name: 'TokenKeyError' };
  for (const key of ['', 'no key', edwards, otherCurve]) {
    t.throws(() => new ServiceAccountTokens({ signingKey: key }), expected);
    t.throws(() => new ServiceAccountTokens({ signingKey: pem, verifyingKeys: [key] }), expected);
  }
  const damaged = withDamagedPrivatePart(pem);
  t.throws(() => new ServiceAccountTokens({ signingKey: damaged }), expected);
});
