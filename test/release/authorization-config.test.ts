/** A file that says who decides, in the newest release: its webhooks, and changes of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startHttpsService } from '../support/https-service.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';

const KIND = 'SubjectAccessReview';
const folder = temporaryFolder();
const service = await startHttpsService(t, ({ body }) => {
  const { apiVersion, spec } = JSON.parse(body) as { apiVersion: string; spec: Members };
  const { namespace = '' } = spec['resourceAttributes'] as Members;
  if (namespace === 'broken') return 403;
  return { apiVersion, kind: KIND, status: { allowed: namespace === 'open', reason: 'hm' } };
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const authority = Buffer.from(service.authority).toString('base64');
const cluster = { server: service.url, 'certificate-authority-data': authority };
const kubeConfigFile = file('hook.kubeconfig', JSON.stringify({ clusters: [{ cluster }] }));
const RBAC = { type: 'RBAC', name: 'rbac' };

function webhook(name: string, failurePolicy: string, ...expressions: string[]): Members {
  return {
    type: 'Webhook',
    name,
    webhook: {
      timeout: '10s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy,
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
      matchConditions: expressions.map((expression) => ({ expression })),
    },
  };
}

function configuration(...authorizers: readonly Members[]): string {
  const apiVersion = 'apiserver.config.cluster.io/v1';
  return file(
    'a.yaml',
    JSON.stringify({ apiVersion, kind: 'AuthorizationConfiguration', authorizers }),
  );
}

const isResource = 'has(request.resourceAttributes)';
const HOOK = webhook(
  'hook',
  'Deny',
  isResource,
  "request.resourceAttributes.namespace != 'unasked'",
);
const args = [
  '--release=1.37',
  '--token-auth-file',
  file('tokens.csv', 'token-of-jane,jane,1\n'),
  '--authorization-config',
  configuration(HOOK, RBAC),
];
const server = await startServer({ test: t, args });
const jane = { authorization: 'Bearer token-of-jane' };

async function said(namespace: string, query = ''): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/pods${query}`;
  const { status, json, text } = await server.get(path, jane);
  return `${status} ${status === 200 ? '' : (json?.message ?? text)}`;
}

async function metric(start: string): Promise<number> {
  const { text } = await server.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(start)) ?? ' 0';
  return Number(line.split(' ').at(-1));
}

t.test('webhooks are asked where their conditions hold', async (t) => {
  t.equal(await said('open'), '200 ');
  t.match(await said('shut'), /in the namespace "shut": hook: hm$/);
  t.match(await said('unasked'), /in the namespace "unasked"$/);
  const asked = service.requests.map(({ body }) => body);
  t.notOk(asked.some((body) => body.includes('unasked')));
  t.match(await said('broken'), /^500 Internal Server Error: .*it is broken/);
  await said('open', '?labelSelector=a%3Db&fieldSelector=metadata.name!%3Dx');
  const { spec } = JSON.parse(service.requests.at(-1)?.body ?? '') as { spec: Members };
  t.match(spec['resourceAttributes'], {
    fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'NotIn', values: ['x'] }] },
    labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
  });
});

t.test('what they decide is counted', async (t) => {
  const of = 'apiserver_authorization_';
  await until(async () => (await metric(`${of}decisions_total{decision="denied",name="hook"`)) > 0);
  t.ok(await metric(`${of}decisions_total{decision="allowed",name="hook",type="Webhook"}`));
  t.ok(await metric(`${of}webhook_evaluations_total{name="hook",result="error"}`));
  t.ok(await metric(`${of}match_condition_exclusions_total{name="hook"`));
  t.ok(await metric(`${of}config_controller_last_config_info{`));
});

t.test('a changed file counts, and one that is wrong does not', async (t) => {
  const reloads = 'apiserver_authorization_config_controller_automatic_reloads_total';
  const counted = (status: string) =>
    metric(`${reloads}{apiserver_id_hash="${HASH}",status="${status}"`);
  const { text } = await server.get('/metrics');
  const HASH = /last_config_info\{apiserver_id_hash="([^"]*)"/.exec(text)?.[1] ?? '';
  const renamed = webhook('renamed', 'NoOpinion', isResource);
  configuration(renamed, RBAC);
  await until(async () => (await said('shut')).endsWith('renamed: hm'));
  await until(async () => (await counted('success')) === 1);
  t.match(await said('broken'), /^500 /, 'and nobody else allows it');
  configuration(renamed);
  await until(async () => (await counted('failure')) === 1);
  t.match(await said('shut'), /renamed: hm$/);
  configuration(RBAC, { type: 'AlwaysDeny', name: 'alwaysdeny' });
  await until(async () => (await said('shut')).endsWith('alwaysdeny: Everything is forbidden.'));
});
