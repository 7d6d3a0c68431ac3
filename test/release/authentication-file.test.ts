/** Files of `--authentication-config`: what they say, and what is wrong with them. */
import '../support/newest-release.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readAuthenticationFile } from '../../src/auth/authentication/authentication-file.ts';
import { readCommand } from '../../src/config/config.ts';
import type { Members } from '../support/kinds.ts';
import { temporaryFolder } from '../support/server-process.ts';

const file = join(temporaryFolder(), 'authentication.yaml');
const VERSION = 'apiserver.config.cluster.io/v1';
const HEAD = `apiVersion: ${VERSION}\nkind: AuthenticationConfiguration\n`;
const ISSUER = { url: 'https://a', audiences: ['me'] };
const USERNAME = { claim: 'sub', prefix: '' };
const OWN = 'https://own';

function fileOf(...jwt: readonly Members[]): string {
  return `${HEAD}jwt: ${JSON.stringify(jwt)}\n`;
}

function one(more: Members): string {
  return fileOf({ issuer: ISSUER, claimMappings: { username: USERNAME }, ...more });
}

const issuer = (more: Members) => one({ issuer: { ...ISSUER, ...more } });
const mapping = (more: Members) => one({ claimMappings: { username: USERNAME, ...more } });
const named = (expression: string) => mapping({ username: { expression } });

async function read(text: string, ...args: readonly string[]) {
  writeFileSync(file, text);
  const options = ['--authentication-config', file, '--service-account-issuer', OWN, ...args];
  const command = readCommand(['--release=1.37', ...options]);
  if (command.run !== 'serve') throw new Error(`asked to ${command.run}`);
  const { authentication, featureGates } = command.config;
  return readAuthenticationFile(authentication, featureGates);
}

t.test('what a file says', async (t) => {
  const anonymous = 'anonymous: {enabled: true, conditions: [{path: /livez}]}\n';
  const { config } = await read(`${one({})}${anonymous}`);
  t.match(config.oidc.issuers, [{ issuer: ISSUER }]);
  t.same(config.anonymous, { isAllowed: true, isGiven: false, paths: ['/livez'] });
  const { config: plain } = await read(HEAD, '--anonymous-auth=false');
  t.match(plain, { oidc: { issuers: [] }, anonymous: { isAllowed: false } });
  await t.rejects(read(`${HEAD}${anonymous}`, '--anonymous-auth=true'), {
    message: /^anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field/,
  });
});

t.test('documents that are none', async (t) => {
  const rows: [string, string][] = [
    ['', 'empty config data'],
    [
      HEAD.replace('Authentication', 'Authorization'),
      'expected AuthenticationConfiguration, got *apiserver.AuthorizationConfiguration',
    ],
    [
      `${HEAD}foo: 1\njwt: [{bar: 2}]\n`,
      'strict decoding error: unknown field "foo", unknown field "jwt[0].bar"',
    ],
    [
      `${HEAD}jwt: []\njwt: []\n`,
      'strict decoding error: yaml: unmarshal errors: line 4: key "jwt" already set in map',
    ],
    [
      issuer({ audiences: 'me' }),
      'json: cannot unmarshal string into Go struct field Issuer.jwt.issuer.audiences ' +
        'of type []string',
    ],
  ];
  for (const [text, why] of rows) {
    const start = `failed to load authentication configuration from file "${file}"`;
    await t.rejects(read(text), { name: 'ConfigError', message: `${start}: ${why}` }, why);
  }
});

t.test('issuers that cannot be', async (t) => {
  const url = 'jwt[0].issuer.url: Invalid value:';
  const rule = 'jwt[0].claimValidationRules[0]';
  const extra = 'jwt[0].claimMappings.extra[0]';
  const username = 'jwt[0].claimMappings.username';
  const rules = (...claimValidationRules: readonly Members[]) => one({ claimValidationRules });
  const extraOf = (key: string) => mapping({ extra: [{ key, valueExpression: "'x'" }] });
  const rows: [string, string][] = [
    [fileOf({ issuer: ISSUER }), `${username}: Required value: claim or expression is required`],
    [issuer({ url: '' }), 'jwt[0].issuer.url: Required value'],
    [issuer({ url: 'http://a' }), `${url} "http://a": URL scheme must be https`],
    [
      issuer({ url: 'https://a/%zz' }),
      `${url} "https://a/%zz": parse "https://a/%zz": invalid URL escape "%zz"`,
    ],
    [
      issuer({ discoveryURL: 'https://a/' }),
      'jwt[0].issuer.discoveryURL: Invalid value: "https://a/": ' +
        'discoveryURL must be different from URL',
    ],
    [
      issuer({ audiences: ['a', 'b'] }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": ' +
        'audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      issuer({ certificateAuthority: 'x' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": ' +
        'data does not contain any valid RSA or ECDSA certificates',
    ],
    [rules({}), `${rule}: Required value: claim or expression is required`],
    [
      rules({ expression: 'claims.foo' }),
      `${rule}.expression: Invalid value: "claims.foo": must evaluate to bool`,
    ],
    [
      rules({ expression: 'user.x == 1' }),
      `${rule}.expression: Invalid value: "user.x == 1": compilation failed: ERROR: ` +
        "<input>:1:1: undeclared reference to 'user' (in container '')",
    ],
    [
      one({ userValidationRules: [{ expression: 'user.foo == 1' }] }),
      'jwt[0].userValidationRules[0].expression: Invalid value: "user.foo == 1": ' +
        "compilation failed: ERROR: <input>:1:5: undefined field 'foo'",
    ],
    [
      mapping({ username: { claim: 'sub' } }),
      `${username}.prefix: Required value: prefix is required when claim is set. It can be set ` +
        'to an empty string to disable prefixing',
    ],
    [
      mapping({ uid: { claim: 'a', expression: 'b' } }),
      'jwt[0].claimMappings.uid: Invalid value: "": ' + "claim and expression can't both be set",
    ],
    [
      extraOf('A.b/c').replace('A.b', 'a.b/B'),
      `${extra}.key: Invalid value: "a.b/B/c": must be lowercase`,
    ],
    [
      extraOf('x.k8s.io/y'),
      `${extra}.key: Invalid value: "x.k8s.io/y": k8s.io, kubernetes.io and their subdomains ` +
        'are reserved for Kubernetes use',
    ],
    [
      named('claims.email'),
      `${username}.expression: Invalid value: "claims.email": claims.email_verified must be ` +
        'used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or ' +
        'claimValidationRules[*].expression when claims.email is used in ' +
        'claimMappings.username.expression',
    ],
    [
      `${HEAD}anonymous: {conditions: [{path: /x}]}\n`,
      'anonymous.conditions: Invalid value: [{"Path":"/x"}]: enabled should be set to true when ' +
        'conditions are defined',
    ],
  ];
  for (const [text, why] of rows) {
    const message = `invalid authentication configuration: ${why}`;
    await t.rejects(read(text), { name: 'ConfigError', message }, why);
  }
  await t.rejects(read(issuer({ url: OWN })), {
    message: `issuer.url: Invalid value: "${OWN}": URL must not overlap with disallowed issuers: [${OWN}]`,
  });
  await t.rejects(read(issuer({ egressSelectorType: 'cluster' })), {
    message: 'oidc: egress lookup required with egress selector type "cluster"',
  });
  await t.resolves(read(named("claims['email']")));
});

t.test('options beside it', async (t) => {
  await t.rejects(read(HEAD, '--oidc-username-claim=sub'), {
    message: 'authentication-config file and oidc-* flags are mutually exclusive',
  });
});
