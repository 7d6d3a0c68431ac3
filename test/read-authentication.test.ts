/** Files that options about authentication name: what is read, and what is wrong with some. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newTokenKey } from '../src/auth/authentication/service-accounts/token-keys.ts';
import { tokenDigest } from '../src/auth/authentication/token-way.ts';
import { readCommand } from '../src/config/config.ts';
import { readAuthentication } from '../src/auth/authentication/authenticators.ts';
import { selfSigned } from './support/self-signed.ts';

function settings(dataDir: string, ...args: string[]) {
  const command = readCommand(args);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  const { authentication } = command.config;
  const sources = { dataDir, adminToken: 'secret', trustsClientCertificates: false };
  return readAuthentication(authentication, sources);
}

const pem = newTokenKey();

t.test('without options', async (t) => {
  const folder = t.testdir();
  const made = settings(folder);
  t.ok(existsSync(join(folder, 'service-account.key')), 'a key is made');
  t.match(made, {
    staticTokens: [[tokenDigest('secret'), { name: 'admin', groups: ['system:masters'] }]],
    serviceAccounts: { tokens: { verifyingKeys: [], issuers: [], apiAudiences: [] } },
    anonymous: { user: { name: 'system:anonymous' } },
    bootstrapTokens: undefined,
    clientCertificates: undefined,
    frontProxy: undefined,
    oidc: undefined,
    webhook: undefined,
  });
  const { signingKey } = made.serviceAccounts.tokens;
  t.equal(settings(folder).serviceAccounts.tokens.signingKey, signingKey, 'once');
  t.notOk(JSON.stringify(made.staticTokens).includes('secret'), 'tokens are not kept');
});

t.test('with files', async (t) => {
  const { cert } = await selfSigned([]);
  const hook = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k' } }],
    clusters: [{ name: 'k', cluster: { server: 'https://hook' } }],
  };
  const folder = t.testdir({
    tokens: 'x,jane,1,dev\n',
    key: pem,
    keys: pem,
    'ca.crt': cert,
    hook: JSON.stringify(hook),
  });
  const file = (name: string): string => join(folder, name);
  const flags = {
    'token-auth-file': file('tokens'),
    'service-account-signing-key-file': file('key'),
    'service-account-key-file': file('keys'),
    'oidc-issuer-url': 'https://o',
    'oidc-client-id': 'me',
    'oidc-ca-file': file('ca.crt'),
    'requestheader-client-ca-file': file('ca.crt'),
    'requestheader-username-headers': 'X-Remote-User',
    'authentication-token-webhook-config-file': file('hook'),
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const given = settings(folder, ...args);
  t.match(given, {
    staticTokens: [[tokenDigest('x'), { name: 'jane' }]],
    serviceAccounts: { tokens: { signingKey: pem, verifyingKeys: [pem] } },
    oidc: { issuers: [{ issuer: { url: 'https://o', certificateAuthority: cert } }] },
    frontProxy: { userHeaders: ['x-remote-user'] },
    webhook: { target: { url: 'https://hook' }, version: 'v1beta1', keptMs: 120_000 },
  });
  t.notOk(existsSync(file('service-account.key')), 'no other key is made');
});

t.test('what is wrong is said in one line', async (t) => {
  const folder = t.testdir({ bad: 'no key', key: pem });
  const bad = join(folder, 'bad');
  const rows: [args: string[], message: RegExp][] = [
    [['--token-auth-file', '/none'], /^cannot read the token file \/none: ENOENT/],
    [['--service-account-key-file', '/none'], /^cannot read the keys of .* \/none: ENOENT/],
    [['--service-account-key-file', bad], /bad holds no keys that .* \(it has no keys\): give one/],
    [['--service-account-signing-key-file', bad], /bad is no private key that tokens can be si/],
    [['--oidc-ca-file', bad], /^--oidc-ca-file is .*bad, which has no certificates in PEM \(/],
    [['--requestheader-client-ca-file', bad], /needs --requestheader-username-headers, such as/],
    [
      ['--authentication-token-webhook-config-file', bad],
      /^--authentication-token-webhook-config-file: .*bad is no kubeconfig$/,
    ],
  ];
  const oidc = ['--oidc-issuer-url', 'https://o', '--oidc-client-id', 'me'];
  for (const [args, message] of rows) {
    const expected = { name: 'ConfigError', message };
    t.throws(() => settings(folder, ...oidc, ...args), expected, args.join(' '));
  }
  const broken = t.testdir({ 'service-account.key': 'no key' });
  t.throws(() => settings(broken), {
    message: /service-account\.key is no private key .*: restore/,
  });
});
