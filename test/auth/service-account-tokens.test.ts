/** Tokens that the server signs, and what makes them worthless. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  newTokenKey,
  ServiceAccountTokens,
  tokenProblem,
} from '../../src/auth/service-account-tokens.ts';
import { signedToken } from '../support/signed-token.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const NOW = NOW_MS / 1000;
const ACCOUNT = { namespace: 'ns', serviceaccount: { name: 'robot', uid: 'u-1' } };
const tokens = new ServiceAccountTokens(newTokenKey());
const OPTIONS = {
  account: ACCOUNT,
  audiences: tokens.apiAudiences,
  nowMs: NOW_MS,
  expirationSeconds: 600,
};

function part(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

t.test('a token says whose it is, for whom and how long', async (t) => {
  const token = tokens.issue(OPTIONS);
  const header = part(token, 0);
  t.equal(header['alg'], 'ES256');
  t.match(header['kid'], /^[\w-]{43}$/);
  const claims = {
    aud: tokens.apiAudiences,
    exp: NOW + 600,
    iat: NOW,
    iss: tokens.issuer,
    'cluster.io': ACCOUNT,
    nbf: NOW,
    sub: 'system:serviceaccount:ns:robot',
  };
  t.same(part(token, 1), claims);
  const { 'cluster.io': account, ...others } = claims;
  t.same(tokens.read(token), { ...others, account });
});

t.test('a token of the other dialect is read with the names of this one', async (t) => {
  const pem = newTokenKey();
  const own = new ServiceAccountTokens(pem);
  t.equal(own.issuer, 'https://cluster.default.svc');
  const [header = ''] = own.issue(OPTIONS).split('.');
  const issuer = 'https://kubernetes.default.svc';
  const read = own.read(
    signedToken(pem, header, {
      aud: ['x', issuer],
      exp: NOW + 600,
      iat: NOW,
      iss: issuer,
      nbf: NOW,
      'kubernetes.io': { ...ACCOUNT, namespace: 'kube-system' },
      sub: 'system:serviceaccount:kube-system:robot',
    }),
  );
  t.equal(read?.iss, own.issuer, 'its own');
  t.same(read?.aud, ['x', own.issuer], 'for its own API');
  t.same(read?.account, { ...ACCOUNT, namespace: 'cluster-system' });
  t.equal(read?.sub, 'system:serviceaccount:cluster-system:robot');
});

t.test('others can check a token with the public key', async (t) => {
  const [header = '', payload = '', signature = ''] = tokens.issue(OPTIONS).split('.');
  const { use, kid, alg, ...jwk } = tokens.publicKey();
  t.same({ use, kid, alg }, { use: 'sig', ...part(`${header}.`, 0) });
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  t.ok(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes));
});

t.test('what this server has not signed is nothing', async (t) => {
  const token = tokens.issue(OPTIONS);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const forged = encoded({ ...part(token, 1), sub: 'system:serviceaccount:ns:root' });
  const none = encoded({ alg: 'none' });
  const rows: Record<string, string> = {
    'another payload': `${header}.${forged}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'no algorithm': `${none}.${payload}.`,
    'a cut signature': token.slice(0, -4),
    'another spelling': `${token} `,
    'a fourth part': `${token}.x`,
    'two parts': `${header}.${payload}`,
    'no token': 'abc',
    empty: '',
    'that of another key': new ServiceAccountTokens(newTokenKey()).issue(OPTIONS),
  };
  for (const [what, text] of Object.entries(rows)) t.equal(tokens.read(text), undefined, what);
});

t.test('when and for whom it counts', async (t) => {
  const late = 'Token has expired.';
  const early = 'Token could not be validated.';
  const rows: [string, number, readonly string[], string][] = [
    ['now', 0, tokens.apiAudiences, ''],
    ['at its end', 600, tokens.apiAudiences, ''],
    ['within the leeway', 660, tokens.apiAudiences, ''],
    ['after it', 661, tokens.apiAudiences, late],
    ['before it, within the leeway', -60, tokens.apiAudiences, ''],
    ['before that', -61, tokens.apiAudiences, early],
    ['for one of several', 0, ['x', ...tokens.apiAudiences], ''],
    [
      'for others',
      0,
      ['x', 'y'],
      `token audiences ["${tokens.issuer}"] is invalid for the target audiences ["x" "y"]`,
    ],
  ];
  const claims = tokens.read(tokens.issue(OPTIONS));
  if (claims === undefined) throw new Error('it is its own token');
  for (const [what, seconds, audiences, problem] of rows) {
    t.equal(tokenProblem(claims, audiences, NOW_MS + seconds * 1000), problem, what);
  }
});

t.test('the key is made once, and is private', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'service-account.key');
  const token = ServiceAccountTokens.load(folder).issue(OPTIONS);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.ok(ServiceAccountTokens.load(folder).read(token), 'the next start knows the tokens');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const text of [
    '',
    'no key',
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ]) {
    writeFileSync(file, text);
    t.throws(() => ServiceAccountTokens.load(folder), { name: 'TokenKeyError', message: file });
  }
});
