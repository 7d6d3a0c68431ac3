/**
 * Who may update or patch, and finds nothing there: on every port, where others decide than roles,
 * and while the object comes and goes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { made } from '../support/cluster-objects.ts';
import { customDefinition, established } from '../support/custom-types.ts';
import { startHttpsService } from '../support/https-service.ts';
import type { Answer } from '../support/https-service.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import type { Members } from '../support/kinds.ts';
import { exchangeRaw } from '../support/raw-exchange.ts';
import type { RawPort } from '../support/raw-exchange.ts';
import { startServer } from '../support/server.ts';
import { freePort, temporaryFolder } from '../support/server-process.ts';
import { WebSocketClient } from '../support/web-socket-client.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const THINGS = '/apis/a.com/v1/namespaces/default/things';
const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const HOOKED = 'hooked';
const PATCHER = 'patcher';

interface Question {
  readonly user: string;
  readonly extra?: unknown;
  readonly resourceAttributes: { readonly verb: string; readonly name?: string };
}

/** The questions about users whom the webhook knows, and its answers. */
const questions: string[] = [];

/** It lets them do all, but create what it has something against. */
function answer({ body }: { readonly body: string }): Answer {
  const review = JSON.parse(body) as Members & { spec: Question };
  const { user, extra, resourceAttributes } = review.spec;
  const { verb, name = '' } = resourceAttributes;
  if (user !== HOOKED) return { ...review, status: { allowed: false } };
  questions.push(`${verb} ${name}${extra === undefined ? '' : ` ${JSON.stringify(extra)}`}`);
  if (verb !== 'create' || name.startsWith('good')) {
    return { ...review, status: { allowed: true } };
  }
  if (name.startsWith('broken')) return 400;
  const denied = name.startsWith('never');
  return { ...review, status: { allowed: false, denied, reason: `not ${name} & co` } };
}

const webhook = await startHttpsService(t, answer);
const kubeconfig = join(temporaryFolder(), 'webhook.yaml');
const ca = Buffer.from(webhook.authority).toString('base64');
writeFileSync(
  kubeconfig,
  `clusters: [{name: a, cluster: {server: "${webhook.url}", certificate-authority-data: ${ca}}}]\n` +
    'users: [{name: a, user: {}}]\n' +
    'contexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\n',
);
const [securePort, sessionPort] = [await freePort(), await freePort()];
const server = await startServer({
  test: t,
  args: [
    // Bytes that are sent as they are are not translated.
    '--api-domain',
    'cluster.io',
    '--durability=relaxed',
    // An authorizer that refuses without a reason is asked last.
    '--authorization-mode=AlwaysDeny,Webhook,RBAC',
    `--authorization-webhook-config-file=${kubeconfig}`,
    '--authorization-webhook-version=v1',
    `--secure-port=${securePort}`,
    `--session-port=${sessionPort}`,
  ],
});
const PORTS: Readonly<Record<string, RawPort>> = {
  HTTP: server,
  HTTPS: { port: securePort, isSecure: true },
  'the port of sessions': { port: sessionPort, isSecure: true },
};

await established(server, customDefinition('a.com', 'Thing'));
const roleRef = { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: PATCHER };
await made(server, `${RBAC}/clusterroles`, {
  metadata: { name: PATCHER },
  rules: [{ verbs: ['get', 'patch', 'update'], apiGroups: ['*'], resources: ['*'] }],
});
await made(server, `${RBAC}/clusterrolebindings`, {
  metadata: { name: PATCHER },
  roleRef,
  subjects: [{ kind: 'User', name: PATCHER }],
});

const thing = (name: string) => ({ apiVersion: 'a.com/v1', kind: 'Thing', metadata: { name } });
const lease = (name: string) => ({ metadata: { name }, spec: {} });

function apply(user: string, path: string, body: unknown, query = '') {
  const headers = { ...APPLY, 'impersonate-user': user };
  return server.request('PATCH', `${path}?fieldManager=a&force=true${query}`, body, headers);
}

function put(user: string, path: string, body: unknown) {
  return server.put(path, body, { 'impersonate-user': user });
}

t.test('a webhook is told what else is known of the subject of a review', async (t) => {
  questions.length = 0;
  const resourceAttributes = { verb: 'get', name: 'a', resource: 'pods' };
  const spec = { user: HOOKED, extra: { scopes: ['a', '"b"'] }, resourceAttributes };
  const path = '/apis/authorization.cluster.io/v1/subjectaccessreviews';
  const { json } = await server.post(path, { spec });
  t.equal(json.status.allowed, true);
  t.same(json.spec.extra, spec.extra);
  t.same(questions, ['get a {"scopes":["a","\\"b\\""]}']);
});

t.test('a webhook is asked for that right once, and only where nothing is there', async (t) => {
  const asked = async (work: () => Promise<{ status: number }>): Promise<[number, string[]]> => {
    questions.length = 0;
    const { status } = await work();
    return [status, [...questions]];
  };
  const maps = (name: string) => `${CONFIG_MAPS}/${name}`;
  const posted = await asked(() =>
    server.post(CONFIG_MAPS, configMap('good-0'), { 'impersonate-user': HOOKED }),
  );
  t.same(posted, [403, ['create ']], 'a POST has no name yet, and was asked for as a whole');
  const applied = () => apply(HOOKED, maps('good-1'), configMap('good-1'));
  t.same(await asked(applied), [201, ['patch good-1', 'create good-1']]);
  t.same(await asked(applied), [200, []], 'what it has said is remembered, and no more is asked');
  const changed = () => apply(HOOKED, maps('good-1'), configMap('good-1', { key: 'other' }));
  t.same(await asked(changed), [200, []]);
  const leased = () => put(HOOKED, `${LEASES}/good-2`, lease('good-2'));
  t.same(await asked(leased), [201, ['update good-2', 'create good-2']]);
  const custom = () => apply(HOOKED, `${THINGS}/good-3`, thing('good-3'), '&dryRun=All');
  t.same(await asked(custom), [201, ['patch good-3', 'create good-3']]);
  const invalid = () => apply(HOOKED, maps('bad-1'), configMap('bad-1', { 'not a key': '' }));
  t.same(await asked(invalid), [422, ['patch bad-1']]);
});

t.test('what those who decide have said is told', async (t) => {
  const rows: readonly [name: string, code: number, message: string][] = [
    ['none', 403, 'things.a.com "none" is forbidden: Everything is forbidden.\nnot none & co'],
    ['never', 403, 'things.a.com "never" is forbidden: not never & co'],
  ];
  for (const [name, code, message] of rows) {
    const { status, json } = await apply(HOOKED, `${THINGS}/${name}`, thing(name));
    t.equal(status, code);
    t.match(json, { message, details: { name, group: 'a.com', kind: 'things' } });
  }
  const { status, json } = await apply(HOOKED, `${THINGS}/broken`, thing('broken'));
  t.equal(status, 500);
  t.match(json, { reason: 'InternalError', message: /^Internal error occurred: / });
});

/** The status of the answer to a request of somebody who may patch, update and get. */
async function rawStatus(port: RawPort, line: string, type = '', body = ''): Promise<string> {
  const head = [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${server.token}`,
    `Impersonate-User: ${PATCHER}`,
    ...(body === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]),
    '',
    '',
  ];
  const text = await exchangeRaw(port, head.join('\r\n') + body, /^HTTP\/1\.1 \d+/);
  return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 000'.length);
}

for (const [what, port] of Object.entries(PORTS)) {
  t.test(`over ${what} nobody makes or watches what they may not`, async (t) => {
    const { apiVersion } = configMap('x');
    const map = JSON.stringify({ ...configMap('raw'), apiVersion });
    const applied = APPLY['content-type'];
    const rows: readonly [line: string, type: string, body: string, status: string][] = [
      [`PATCH ${CONFIG_MAPS}/raw?fieldManager=a`, applied, map, '403'],
      [`PATCH ${CONFIG_MAPS}/raw?fieldManager=a&dryRun=All`, applied, map, '403'],
      [`PATCH ${THINGS}/raw?fieldManager=a`, applied, JSON.stringify(thing('raw')), '403'],
      [`PUT ${LEASES}/raw`, 'application/json', JSON.stringify(lease('raw')), '403'],
      [`GET ${CONFIG_MAPS}/good-1`, '', '', '200'],
      [`GET ${CONFIG_MAPS}/good-1?watch=true`, '', '', '403'],
      [`GET ${CONFIG_MAPS}/good-1?watch`, '', '', '403'],
      [`GET /api/v1/%77atch/namespaces/default/configmaps/good-1`, '', '', '403'],
      [`GET ${CONFIG_MAPS}%2Fgood-1?watch=1`, '', '', '403'],
      [`GET ${THINGS}/good-3?watch=1`, '', '', '403'],
    ];
    for (const [line, type, body, status] of rows) {
      t.equal(await rawStatus(port, line, type, body), status, line);
    }
    t.equal((await server.get(`${CONFIG_MAPS}/raw`)).status, 404);
    t.equal((await server.get(`${LEASES}/raw`)).status, 404);
  });
}

t.test('nor over a WebSocket', async (t) => {
  const headers = { authorization: `Bearer ${server.token}`, 'impersonate-user': PATCHER };
  const path = `${CONFIG_MAPS}/good-1?watch=true`;
  const client = await WebSocketClient.open({ port: server.port, path, headers });
  t.equal(client.status, 403);
  client.socket.destroy();
});

t.test('what is deleted stays deleted, whoever patches it meanwhile', async (t) => {
  const path = `${CONFIG_MAPS}/fleeting`;
  let isOver = false;
  const statuses = new Set<number>();
  const patching = async (): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const body = configMap('fleeting', { at: String(at) });
      statuses.add((await apply(PATCHER, path, body)).status);
    }
  };
  const patchers = Promise.all([patching(), patching(), patching()]);
  const seen: number[] = [];
  for (let round = 0; round < 60; round++) {
    await made(server, CONFIG_MAPS, configMap('fleeting'));
    await server.delete(path);
    seen.push((await server.get(path)).status);
  }
  isOver = true;
  await patchers;
  t.same(new Set(seen), new Set([404]));
  t.same(
    [...statuses].filter((status) => status !== 200),
    [403],
    'changed, or refused',
  );
});

t.end();
