/** Options about who is known: what each means, and what is wrong with some. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { DEFAULT_GATES } from '../src/release/own-gates.ts';
import { readCommand } from '../src/config/config.ts';
import type { Config } from '../src/config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'shardplane-config-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function config(...args: string[]): Config {
  const command = readCommand(args);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  return command.config;
}

let fileCount = 0;

function configFile(text: string): string {
  const file = join(folder, `config-${fileCount++}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** The configuration without options. */
const NOBODY_ELSE: Config['authentication'] = {
  staticTokens: { file: '' },
  anonymous: { isAllowed: true, isGiven: false, paths: [] },
  bootstrapTokens: { isOn: false },
  clientCertificates: undefined,
  serviceAccounts: {
    apiAudiences: [],
    gates: [...DEFAULT_GATES],
    keyFiles: [],
    signingKeyFile: '',
    issuers: [],
    keySetUrl: '',
    expirationSecondsMax: 0,
    looksUpLegacy: true,
    extendsPodTokens: true,
  },
  frontProxy: {
    authorityFile: '',
    allowedNames: [],
    userHeaders: [],
    groupHeaders: [],
    extraPrefixes: [],
  },
  oidc: { issuers: [], algorithms: ['RS256'], authorityFile: '', file: '' },
  webhook: { file: '', version: 'v1beta1', keptMs: 120_000 },
};

t.test('without options', async (t) => t.same(config().authentication, NOBODY_ELSE));

t.test('where everybody may do everything nobody is anonymous', async (t) => {
  const open = config('--authorization-mode', 'AlwaysAllow', '--anonymous-auth=true');
  t.equal(open.authentication.anonymous.isAllowed, false);
});

type Known = Config['authentication'];
const accounts = (given: Partial<Known['serviceAccounts']>) => ({ serviceAccounts: given });
const proxy = (given: Partial<Known['frontProxy']>) => ({ frontProxy: given });
const webhook = (given: Partial<Known['webhook']>) => ({ webhook: given });

t.test('flags about who is known', async (t) => {
  const rows: [flag: string, value: string, expected: object][] = [
    ['token-auth-file', 'tokens.csv', { staticTokens: { file: 'tokens.csv' } }],
    ['anonymous-auth', 'false', { anonymous: { isAllowed: false } }],
    ['enable-bootstrap-token-auth', 'true', { bootstrapTokens: { isOn: true } }],
    ['api-audiences', 'a, b', accounts({ apiAudiences: ['a', 'b'] })],
    ['service-account-key-file', 'a.pub', accounts({ keyFiles: ['a.pub'] })],
    ['service-account-signing-key-file', 'a.key', accounts({ signingKeyFile: 'a.key' })],
    ['service-account-issuer', 'https://a', accounts({ issuers: ['https://a'] })],
    ['service-account-jwks-uri', 'https://a/k', accounts({ keySetUrl: 'https://a/k' })],
    [
      'service-account-max-token-expiration',
      '8760h',
      accounts({ expirationSecondsMax: 31_536_000 }),
    ],
    ['service-account-lookup', 'false', accounts({ looksUpLegacy: false })],
    ['service-account-extend-token-expiration', 'false', accounts({ extendsPodTokens: false })],
    ['requestheader-client-ca-file', 'ca.crt', proxy({ authorityFile: 'ca.crt' })],
    ['requestheader-allowed-names', 'a,B', proxy({ allowedNames: ['a', 'B'] })],
    [
      'requestheader-username-headers',
      'X-Remote-User,X-U',
      proxy({ userHeaders: ['x-remote-user', 'x-u'] }),
    ],
    ['requestheader-group-headers', 'X-Remote-Group', proxy({ groupHeaders: ['x-remote-group'] })],
    ['requestheader-extra-headers-prefix', 'X-Extra-', proxy({ extraPrefixes: ['x-extra-'] })],
    ['oidc-ca-file', 'ca.crt', { oidc: { authorityFile: 'ca.crt' } }],
    ['oidc-signing-algs', 'ES256,PS512', { oidc: { algorithms: ['ES256', 'PS512'] } }],
    ['authentication-token-webhook-config-file', 'hook.yaml', webhook({ file: 'hook.yaml' })],
    ['authentication-token-webhook-version', 'v1', webhook({ version: 'v1' })],
    ['authentication-token-webhook-cache-ttl', '5s', webhook({ keptMs: 5_000 })],
  ];
  for (const [flag, value, expected] of rows) {
    const found = config(`--${flag}=${value}`).authentication;
    t.match(found, expected, `--${flag}=${value}`);
    t.match(config('--config', configFile(`${flag}: "${value}"\n`)).authentication, expected);
  }
  const several = ['--service-account-issuer', 'https://a', '--service-account-issuer', 'b'];
  t.match(config(...several).authentication.serviceAccounts.issuers, ['https://a', 'b']);
});

t.test('options about an issuer are what a file would say', async (t) => {
  const url = 'https://o';
  const issuersOf = (...args: string[]) =>
    config('--oidc-issuer-url', url, '--oidc-client-id', 'me', ...args).authentication.oidc.issuers;
  const issuer = { url, audiences: ['me'] };
  const username = { claim: 'sub', prefix: `${url}#` };
  const claimMappings = { username };
  t.same(issuersOf(), [{ issuer, claimValidationRules: [], claimMappings }]);
  const rows: [args: string[], expected: object][] = [
    [['--oidc-username-claim=email'], { username: { claim: 'email', prefix: '' } }],
    [['--oidc-username-prefix=-'], { username: { claim: 'sub', prefix: '' } }],
    [['--oidc-username-prefix=o:'], { username: { claim: 'sub', prefix: 'o:' } }],
    [['--oidc-groups-claim=roles'], { groups: { claim: 'roles', prefix: '' } }],
    [
      ['--oidc-groups-claim=roles', '--oidc-groups-prefix=o:'],
      { groups: { claim: 'roles', prefix: 'o:' } },
    ],
  ];
  for (const [args, expected] of rows) {
    t.match(issuersOf(...args), [{ claimMappings: expected }], args.join(' '));
  }
  const [required] = issuersOf('--oidc-required-claim', 'a=b=c');
  t.same(required?.claimValidationRules, [{ claim: 'a', requiredValue: 'b=c' }]);
});

t.test('what is wrong is said in one line', async (t) => {
  const rows: [args: string[], message: string | RegExp][] = [
    [['--anonymous-auth=maybe'], '--anonymous-auth is "maybe": give true or false'],
    [['--api-audiences', 'a,,b'], '--api-audiences is "a,,b": a member is empty'],
    [
      ['--service-account-issuer', 'a', '--service-account-issuer', 'a'],
      '--service-account-issuer has "a" twice: give each once',
    ],
    [
      ['--service-account-issuer', ':x'],
      '--service-account-issuer is ":x": give a URL, or a name without colons',
    ],
    [
      ['--service-account-jwks-uri', 'http://a'],
      '--service-account-jwks-uri is "http://a": give an https URL',
    ],
    [
      ['--service-account-max-token-expiration', '59m'],
      '--service-account-max-token-expiration is "59m": give an hour or more, or 0s',
    ],
    [['--service-account-max-token-expiration', '9999999h'], /up to 1193046h$/],
    [['--requestheader-username-headers', ' '], /^--requestheader-username-headers is " ": a/],
    [['--oidc-issuer-url', 'https://a'], /^--oidc-issuer-url and --oidc-client-id need each/],
    [['--oidc-client-id', 'a'], /^--oidc-issuer-url and --oidc-client-id need each/],
    [['--oidc-issuer-url', 'http://a'], '--oidc-issuer-url is "http://a": give an https URL'],
    [['--oidc-username-claim='], '--oidc-username-claim is "": name a claim'],
    [['--oidc-required-claim', 'a'], '--oidc-required-claim is "a": give CLAIM=TEXT'],
    [['--oidc-signing-algs', 'none'], /^--oidc-signing-algs has "none": give some of RS256, RS/],
    [['--oidc-signing-algs', 'RS256,HS256'], /^--oidc-signing-algs has "HS256": give some/],
    [
      ['--authentication-token-webhook-version', 'v2'],
      '--authentication-token-webhook-version is "v2": give v1 or v1beta1',
    ],
  ];
  for (const [args, message] of rows) {
    t.throws(() => readCommand(args), { name: 'ConfigError', message }, args.join(' '));
  }
});
