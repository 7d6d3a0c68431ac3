/** Files of `--authorization-config`: what they say, and what is wrong with them. */
import '../support/newest-release.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfiguration } from '../../src/auth/configuration/read-configuration.ts';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import type { Members } from '../support/kinds.ts';
import { temporaryFolder } from '../support/server-process.ts';

const folder = temporaryFolder();
const kubeConfigFile = join(folder, 'hook.kubeconfig');
writeFileSync(kubeConfigFile, '{clusters: [{cluster: {server: "https://127.0.0.1:1"}}]}');

const VERSION = 'apiserver.config.cluster.io/v1';
const HEAD = `apiVersion: ${VERSION}\nkind: AuthorizationConfiguration\n`;
const RBAC = { type: 'RBAC', name: 'rbac' };
const WEBHOOK = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
};

function fileOf(...authorizers: readonly Members[]): string {
  return `${HEAD}authorizers: ${JSON.stringify(authorizers)}\n`;
}

function hook(more: Members = {}): Members {
  return { type: 'Webhook', name: 'w', webhook: { ...WEBHOOK, ...more } };
}

t.test('whom a file names', async (t) => {
  const conditions = { matchConditions: [{ expression: "request.user == 'jane'" }] };
  const times = { authorizedTTL: '1m', cacheUnauthorizedRequests: false };
  const text = fileOf(hook({ ...conditions, ...times, failurePolicy: 'Deny' }), RBAC);
  const [webhook, rbac] = await readConfiguration(text, DEFAULT_GATES);
  t.match(webhook, {
    mode: 'Webhook',
    name: 'w',
    settings: {
      name: 'w',
      timeoutMs: 3_000,
      onFailure: 'deny',
      allowedMs: 60_000,
      refusedMs: 0,
      version: 'v1',
      conditions: ["request.user == 'jane'"],
      target: { url: 'https://127.0.0.1:1' },
    },
  });
  t.match(rbac, { mode: 'RBAC', name: 'rbac' });
  const [plain] = await readConfiguration(fileOf(hook()), DEFAULT_GATES);
  t.match(plain, { settings: { allowedMs: 300_000, refusedMs: 30_000, onFailure: 'noOpinion' } });
});

t.test('documents that are none', async (t) => {
  const rows: [string, string][] = [
    ['{}', "Object 'Kind' is missing in '{}'"],
    [
      HEAD.replace('Authorization', 'Authentication'),
      'expected AuthorizationConfiguration, got *apiserver.AuthenticationConfiguration',
    ],
    [
      HEAD.replace('/v1', '/v9'),
      'no kind "AuthorizationConfiguration" is registered for version ' +
        '"apiserver.config.cluster.io/v9" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      `${HEAD}foo: 1\nauthorizers: [{type: RBAC, name: rbac, bar: 2}]\n`,
      'strict decoding error: unknown field "authorizers[0].bar", unknown field "foo"',
    ],
    [
      `${HEAD}authorizers: []\nauthorizers: []\n`,
      'strict decoding error: yaml: unmarshal errors: line 4: key "authorizers" already set in map',
    ],
    [
      `${HEAD}authorizers: 5\n`,
      'json: cannot unmarshal number into Go struct field ' +
        'AuthorizationConfiguration.authorizers of type []v1.AuthorizerConfiguration',
    ],
    [
      fileOf(hook({ timeout: 5 })),
      'json: cannot unmarshal number into Go struct field ' +
        'WebhookConfiguration.authorizers.webhook.timeout of type string',
    ],
    [fileOf(hook({ timeout: 'abc' })), 'time: invalid duration "abc"'],
  ];
  for (const [text, why] of rows) {
    const message = `failed to load AuthorizationConfiguration from file: ${why}`;
    await t.rejects(readConfiguration(text, DEFAULT_GATES), { name: 'ConfigError', message }, why);
  }
});

t.test('authorizers that cannot be', async (t) => {
  const at = 'authorizers[0]';
  const file = `${at}.connectionInfo.kubeConfigFile`;
  const missing = join(folder, 'missing');
  const connection = (more: Members) => fileOf(hook({ connectionInfo: more }));
  const rows: [string, string][] = [
    ['', 'authorizers: Required value: at least one authorization mode must be defined'],
    [fileOf({}), `${at}.type: Required value`],
    [fileOf(RBAC, RBAC), 'authorizers[1].type: Duplicate value: "RBAC"'],
    [fileOf(hook(), hook()), 'authorizers[1].name: Duplicate value: "w"'],
    [
      fileOf({ type: 'RBAC', name: 'a' }, { type: 'Node', name: 'b' }),
      '[expected name rbac for authorizer RBAC instead of a, ' +
        'expected name node for authorizer Node instead of b]',
    ],
    [
      fileOf({ ...RBAC, webhook: WEBHOOK }),
      `${at}.webhook: Invalid value: "non-null": may only be specified when type=Webhook`,
    ],
    [
      fileOf({ type: 'Webhook', name: 'w' }),
      `${at}.webhook: Required value: required when type=Webhook`,
    ],
    [
      fileOf(hook({ timeout: '31s', authorizedTTL: '-90m' })),
      `[${at}.timeout: Invalid value: "31s": must be > 0s and <= 30s, ` +
        `${at}.authorizedTTL: Invalid value: "-1h30m0s": must be > 0s]`,
    ],
    [
      fileOf(hook({ failurePolicy: 'Fail', subjectAccessReviewVersion: '' })),
      `[${at}.subjectAccessReviewVersion: Required value, ` +
        `${at}.failurePolicy: Unsupported value: "Fail": supported values: "NoOpinion", "Deny"]`,
    ],
    [
      connection({ type: 'Foo' }),
      `${at}.connectionInfo.type: Unsupported value: {"Type":"Foo","KubeConfigFile":null}: ` +
        'supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    [
      connection({ type: 'KubeConfigFile', kubeConfigFile: 'a' }),
      `${file}: Invalid value: "a": must be an absolute path`,
    ],
    [
      connection({ type: 'KubeConfigFile', kubeConfigFile: missing }),
      `${file}: Invalid value: "${missing}": ` +
        `error loading file: stat ${missing}: no such file or directory`,
    ],
    [
      connection({ type: 'KubeConfigFile', kubeConfigFile: folder }),
      `${file}: Invalid value: "${folder}": must be a regular file`,
    ],
  ];
  for (const [text, message] of rows) {
    await t.rejects(readConfiguration(text, DEFAULT_GATES), { name: 'ConfigError', message });
  }
});

t.test('conditions that cannot be', async (t) => {
  const at = 'authorizers[0].matchConditions';
  const rows: [string[], string][] = [
    [[' '], `${at}[0].expression: Required value`],
    [['true', 'true'], `${at}[1].expression: Duplicate value: "true"`],
    [
      ['request.user'],
      `${at}[0].expression: Invalid value: "request.user": must evaluate to bool but got string`,
    ],
    [
      ['request.foo'],
      `${at}[0].expression: Invalid value: "request.foo": ` +
        "compilation failed: ERROR: <input>:1:8: undefined field 'foo'",
    ],
    [
      Array.from({ length: 65 }, (_, number) => `${number} == 0`),
      `${at}: Too many: 65: must have at most 64 items`,
    ],
  ];
  for (const [expressions, message] of rows) {
    const matchConditions = expressions.map((expression) => ({ expression }));
    const text = fileOf(hook({ matchConditions }));
    await t.rejects(readConfiguration(text, DEFAULT_GATES), { name: 'ConfigError', message });
  }
  const unsaid = { matchConditionSubjectAccessReviewVersion: '' };
  const text = fileOf(hook({ ...unsaid, matchConditions: [{ expression: 'true' }] }));
  await t.rejects(readConfiguration(text, DEFAULT_GATES), {
    message:
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: ' +
      'required if match conditions are specified',
  });
});
