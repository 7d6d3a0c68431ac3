/** The audit log tells more with the newest release than with the first one. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { eventsIn, type WrittenEvent } from '../support/audit-events.ts';
import { makeAuthority } from '../support/authorities.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const ACCOUNT = `${NAMESPACE}/serviceaccounts/robot`;
const OF = 'authentication.cluster.io';

const folder = t.testdir({
  'policy.yaml':
    '{apiVersion: audit.cluster.io/v1, kind: Policy, rules: [{level: RequestResponse}]}',
});
const log = join(folder, 'audit.log');
const server = await startServer({
  test: t,
  args: [
    '--release=1.37',
    '--api-domain=cluster.io',
    '--controllers=serviceaccount-token',
    '--disable-admission-plugins=ServiceAccount',
    `--audit-policy-file=${join(folder, 'policy.yaml')}`,
    `--audit-log-path=${log}`,
  ],
});
let lastId = 0;

async function asked(method: string, path: string, body?: object, headers = {}) {
  const id = `asked-${++lastId}`;
  const answer = await server.request(method, path, body, { 'audit-id': id, ...headers });
  let event: WrittenEvent | undefined;
  await until(async () => {
    const events = eventsIn(log).filter(({ auditID }) => auditID === id);
    event = events.find(({ stage }) => stage !== 'RequestReceived');
    return event !== undefined;
  });
  return { answer, event: event as WrittenEvent };
}

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

await made(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } });

t.test('a refusal is told with its message and details', async (t) => {
  const { event } = await asked('GET', `${NAMESPACE}/configmaps/none`);
  t.same(event.responseStatus, {
    metadata: {},
    status: 'Failure',
    message: 'configmaps "none" not found',
    reason: 'NotFound',
    details: { name: 'none', kind: 'configmaps' },
    code: 404,
  });
  const stranger = await asked('GET', `${NAMESPACE}/configmaps`, undefined, {
    authorization: 'Bearer nonsense',
  });
  t.equal(stranger.event.responseStatus.message, 'Unauthorized');
});

t.test('the document of all groups is told, unless the client has it', async (t) => {
  const accept = `application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList`;
  const first = await asked('GET', '/api', undefined, { accept });
  t.same(first.event.responseObject, first.answer.json);
  const again = { accept, 'if-none-match': first.answer.headers['etag'] };
  const second = await asked('GET', '/api', undefined, again);
  t.equal(second.answer.status, 304);
  t.equal(second.event.responseObject, undefined);
});

t.test('the id of a token is told that is issued', async (t) => {
  const { answer, event } = await asked('POST', `${ACCOUNT}/token`, { spec: {} });
  const { token } = answer.json.status;
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  t.equal(event.annotations[`${OF}/issued-credential-id`], `JTI=${jti}`);
  const mine = { authorization: `Bearer ${token}` };
  const shown = await asked('GET', '/api', undefined, mine);
  t.same(shown.event.user.extra, { [`${OF}/credential-id`]: [`JTI=${jti}`] });
});

t.test('a token cannot be bound to what has no name', async (t) => {
  const spec = { boundObjectRef: { kind: 'Pod', name: '' } };
  const { answer } = await asked('POST', `${ACCOUNT}/token`, { spec });
  t.equal(answer.status, 400);
  t.equal(answer.json.message, 'Name parameter required.');
});

t.test('old tokens are told, with the Secrets that they are in', async (t) => {
  const annotations = { 'cluster.io/service-account.name': 'robot' };
  const type = 'cluster.io/service-account-token';
  await made(`${NAMESPACE}/secrets`, { metadata: { name: 's', annotations }, type });
  let token = '';
  await until(async () => {
    const { json } = await server.get(`${NAMESPACE}/secrets/s`);
    token = Buffer.from(json.data?.token ?? '', 'base64').toString();
    return token !== '';
  });
  const asRobot = { authorization: `Bearer ${token}` };
  const manual = await asked('GET', '/api', undefined, asRobot);
  t.match(manual.event.annotations, {
    [`${OF}/legacy-token`]: 'system:serviceaccount:default:robot',
    [`${OF}/legacy-token-manual-secret`]: 's',
  });
  const received = eventsIn(log).find(({ auditID }) => auditID === manual.event.auditID);
  t.equal(
    received?.annotations[`${OF}/legacy-token-manual-secret`],
    's',
    'from the first event on',
  );
  const merge = { 'content-type': 'application/merge-patch+json' };
  await server.request('PATCH', ACCOUNT, { secrets: [{ name: 's' }] }, merge);
  await until(async () => {
    const { event } = await asked('GET', '/api', undefined, asRobot);
    return event.annotations[`${OF}/legacy-token-autogenerated-secret`] === 's';
  });
  const marked = {
    metadata: { labels: { 'cluster.io/legacy-token-invalid-since': '2026-01-01' } },
  };
  await server.request('PATCH', `${NAMESPACE}/secrets/s`, marked, merge);
  t.equal((await server.get('/api', asRobot)).status, 401);
  const used = async (sort: string) => {
    const { text } = await server.get('/metrics');
    const name = `serviceaccount_${sort}_token_uses_total`;
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  await until(async () => (await used('invalid_legacy_auto')) > 0);
  t.ok((await used('legacy_manual')) > 0);
  t.ok((await used('legacy_auto')) > 0);
});

t.test('it is told that a webhook has its name in the old way', async (t) => {
  const authority = await makeAuthority('authority');
  const pair = await authority.sign({ subject: [{ CN: ['localhost'] }], usage: 'server' });
  const webhook = createServer(pair).listen(0, '127.0.0.1');
  t.teardown(() => webhook.close());
  await once(webhook, 'listening');
  const { port } = webhook.address() as AddressInfo;
  await made('/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'old' },
    webhooks: [
      {
        name: 'old.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
        clientConfig: {
          url: `https://localhost:${port}/`,
          caBundle: Buffer.from(authority.cert).toString('base64'),
        },
      },
    ],
  });
  const { answer, event } = await asked('POST', `${NAMESPACE}/configmaps`, {
    metadata: { name: 'x' },
  });
  t.equal(answer.status, 500);
  t.equal(
    event.annotations['missing-san.invalid-cert.cluster.io/localhost'],
    'relies on a legacy Common Name field instead of the SAN extension for subject validation',
  );
  await until(async () => {
    const { text } = await server.get('/metrics');
    return text.includes('\napiserver_webhooks_x509_missing_san_total 1\n');
  });
});
