/** Files of policies and webhooks that change while the server runs. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const CONFIG = 'apiserver.config.cluster.io/v1';
const V1 = 'admissionregistration.cluster.io/v1';
const METRICS = 'apiserver_manifest_admission_config_controller_';
const [POLICY, HOOK] = ['ValidatingAdmissionPolicy', 'MutatingAdmissionWebhook'] as const;
const root = temporaryFolder();
const [policies, hooks] = [join(root, 'policies'), join(root, 'hooks')];
for (const folder of [policies, hooks]) mkdirSync(folder);

function plugin(name: string, kind: string, staticManifestsDir: string): Members {
  return { name, configuration: { apiVersion: CONFIG, kind, staticManifestsDir } };
}

const settings = join(root, 'settings.yaml');
const plugins = [
  plugin(POLICY, 'ValidatingAdmissionPolicyConfiguration', policies),
  plugin(HOOK, 'WebhookAdmissionConfiguration', hooks),
];
const configuration = { apiVersion: CONFIG, kind: 'AdmissionConfiguration', plugins };
writeFileSync(settings, JSON.stringify(configuration));

/** Whoever reads it sees all of it or nothing. */
function write(folder: string, name: string, ...documents: readonly (Members | string)[]): string {
  const texts = documents.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const content = texts.join('\n---\n');
  writeFileSync(join(root, 'next'), content);
  renameSync(join(root, 'next'), join(folder, name));
  return content;
}

/** Objects with one of these names are refused. */
function refusing(...names: readonly string[]): readonly Members[] {
  const all = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] };
  const metadata = { name: 'p.static.cluster.io' };
  const validations = [
    { expression: `!(object.metadata.name in ${JSON.stringify(names)})`, message: 'no' },
  ];
  const matchConstraints = {
    resourceRules: [{ ...all, resources: ['configmaps', 'secrets', 'serviceaccounts'] }],
  };
  const spec = { policyName: metadata.name, validationActions: ['Deny'] };
  return [
    { apiVersion: V1, kind: POLICY, metadata, spec: { matchConstraints, validations } },
    { apiVersion: V1, kind: `${POLICY}Binding`, metadata, spec },
  ];
}

function hash(...contents: readonly string[]): string {
  const text = contents.map((content) => `${content}\0`).join('');
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const first = write(policies, 'a.yaml', ...refusing('one'));
const args = ['--release=1.37', `--admission-control-config-file=${settings}`];
const server = await startServer({ test: t, args });

async function metric(name: string, ...labels: readonly string[]): Promise<number> {
  const { text } = await server.get('/metrics');
  const line = text
    .split('\n')
    .filter((one) => one.startsWith(`${METRICS}${name}{`))
    .find((one) => labels.every((label) => one.includes(label)));
  return Number((line ?? ' 0').split(' ').at(-1));
}

const counted = (status: string, of: string = POLICY): Promise<number> =>
  metric('automatic_reloads_total', `status="${status}"`, `plugin="${of}"`);

const applied = (of: string, ...contents: readonly string[]): Promise<number> =>
  metric('last_config_info', `plugin="${of}"`, `hash="${hash(...contents)}"`);

async function tried(name: string, plural = 'configmaps'): Promise<number> {
  const path = `/api/v1/namespaces/default/${plural}?dryRun=All`;
  return (await server.post(path, { metadata: { name } })).status;
}

t.test('the start is counted', async (t) => {
  await until(async () => (await counted('success', HOOK)) === 1);
  t.same([await counted('success'), await counted('failure')], [1, 0]);
  t.same([await applied(POLICY, first), await applied(HOOK)], [1, 1]);
  const { text } = await server.get('/metrics');
  const of = 'admission manifest configuration';
  for (const line of [
    `# HELP ${METRICS}automatic_reloads_total [ALPHA] Total number of automatic reloads of ${of} ` +
      'split by status, plugin, and apiserver identity.',
    `# TYPE ${METRICS}automatic_reloads_total counter`,
    `# TYPE ${METRICS}automatic_reload_last_timestamp_seconds gauge`,
    `# TYPE ${METRICS}last_config_info gauge`,
  ]) {
    t.ok(text.includes(line), line);
  }
  t.same([await tried('one'), await tried('two')], [422, 201]);
});

t.test('a changed file counts in all threads', async (t) => {
  const second = write(policies, 'a.yaml', ...refusing('two'));
  await until(async () => (await counted('success')) === 2);
  await until(async () => (await tried('two')) === 422);
  t.equal(await tried('one'), 201);
  // Nobody has written these before.
  t.equal(await tried('two', 'secrets'), 422);
  t.equal(await tried('two', 'serviceaccounts'), 422);
  t.same([await applied(POLICY, second), await applied(POLICY, first)], [1, 0]);
  t.ok((await metric('automatic_reload_last_timestamp_seconds', POLICY)) > 1_000_000_000);
  t.equal(await counted('success', HOOK), 1, 'the files of others have not');
});

t.test('a wrong file changes nothing, and is told in one line', async (t) => {
  write(policies, 'b.yaml', 'kind: [');
  await until(async () => (await counted('failure')) > 0);
  t.same([await tried('one'), await tried('two')], [201, 422]);
  await until(async () => server.stderr.includes('reloading manifest config'));
  const told = server.stderr.split('\n').find((line) => line.includes('reloading manifest'));
  t.match(
    told,
    /reloading manifest config of ValidatingAdmissionPolicy: error loading .*b\.yaml: .+/,
  );
  const failures = await counted('failure');
  write(policies, 'b.yaml', { apiVersion: 'v1', kind: 'Pod' });
  await until(async () => (await counted('failure')) > failures);
  await until(async () => server.stderr.includes('b.yaml: unsupported resource type v1, Kind=Pod'));
  const before = await counted('failure');
  rmSync(join(policies, 'b.yaml'));
  write(policies, 'a.yaml', ...refusing('one'));
  await until(async () => (await tried('one')) === 422);
  t.equal(await tried('two'), 201);
  await until(async () => (await counted('success')) === 3);
  t.equal(await counted('failure'), before);
});

t.test('a folder may become empty', async (t) => {
  rmSync(join(policies, 'a.yaml'));
  await until(async () => (await tried('one')) === 201);
  await until(async () => (await applied(POLICY)) === 1);
  t.equal(await counted('success'), 4);
});

t.test('webhooks come and go with their files', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const clientConfig = webhook.at('file', ({ request }) =>
    request.name === 'one' ? { allowed: false, status: { message: 'no' } } : {},
  );
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] };
  const rules = [{ ...rule, resources: ['configmaps'] }];
  const hook = { name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const content = write(hooks, 'a.json', {
    apiVersion: V1,
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'hooks.static.cluster.io' },
    webhooks: [{ ...hook, clientConfig, rules }],
  });
  await until(async () => (await tried('one')) === 400);
  t.equal(await tried('two'), 201);
  await until(async () => (await applied(HOOK, content)) === 1);
  t.equal(await counted('success', HOOK), 2);
  write(hooks, 'b.yml', { apiVersion: V1, kind: POLICY });
  await until(async () => (await counted('failure', HOOK)) > 0);
  t.equal(await tried('one'), 400);
  for (const name of ['a.json', 'b.yml']) rmSync(join(hooks, name));
  await until(async () => (await tried('one')) === 201);
});
