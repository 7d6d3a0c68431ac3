/**
 * When it is asked whether somebody may: before anything that was sent with the request is looked
 * at, and in what order what is wrong with it is told afterwards, as release 1.23.17 does both. And
 * what has become of it counts, not what was sent.
 */
import t from 'tap';
import { patchOf, startAdmissionWebhook } from '../support/admission-webhook.ts';
import { made } from '../support/cluster-objects.ts';
import { Hooked } from '../support/hooked.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const HOME = '/api/v1/namespaces/default';
const REVIEWS = '/apis/authorization.cluster.io/v1';
const STRANGER = { 'impersonate-user': 'rights-stranger' };

type Request = readonly [method: string, path: string];

/** Requests that may have a body, in every sort of ways. */
const REQUESTS: readonly Request[] = [
  ['POST', CONFIG_MAPS],
  ['PUT', `${CONFIG_MAPS}/rights`],
  ['PATCH', `${CONFIG_MAPS}/rights`],
  ['DELETE', `${CONFIG_MAPS}/rights`],
  ['DELETE', CONFIG_MAPS],
  ['PUT', `${HOME}/status`],
  ['PUT', `${HOME}/finalize`],
  ['PATCH', `${HOME}/pods/rights/status`],
  ['PATCH', '/apis/apps/v1/namespaces/default/deployments/rights/scale'],
  ['PUT', '/apis/certificates.cluster.io/v1/certificatesigningrequests/rights/approval'],
  ['POST', `${HOME}/pods/rights/eviction`],
  ['POST', `${HOME}/pods/rights/binding`],
  ['POST', `${HOME}/bindings`],
  ['POST', `${HOME}/serviceaccounts/default/token`],
  ['POST', `${HOME}/pods/rights/exec`],
  ['POST', `${HOME}/pods/rights/proxy/x`],
  ['POST', `${REVIEWS}/subjectaccessreviews`],
  ['POST', `${REVIEWS}/namespaces/default/localsubjectaccessreviews`],
  ['POST', '/apis/authentication.cluster.io/v1/tokenreviews'],
  ['POST', '/apis/none.example.com/v1/things'],
];

interface Sent {
  readonly body: string;
  readonly type?: string;
  readonly accept?: string;
  readonly query?: string;
}

const LONG = 'x'.repeat(3 * 1024 * 1024 + 1);
const FLAWS: Readonly<Record<string, Sent>> = {
  'a type that nobody reads': { body: '{}', type: 'text/odd' },
  'an Accept that nobody serves': { body: '{}', accept: 'text/odd' },
  'a body that is too long': { body: LONG },
  'options that are none': { body: '{}', query: 'dryRun=odd&gracePeriodSeconds=x&limit=x' },
  'no JSON': { body: '{' },
  'no YAML': { body: 'a: [', type: 'application/yaml' },
};

function send([method, path]: Request, { body, type, accept, query }: Sent, headers = {}) {
  const isPatch = method === 'PATCH';
  return server.request(method, query === undefined ? path : `${path}?${query}`, body, {
    'content-type': type ?? (isPatch ? 'application/merge-patch+json' : 'application/json'),
    ...(accept !== undefined && { accept }),
    ...headers,
  });
}

for (const request of REQUESTS) {
  t.test(`${request.join(' ')} of who may not`, async (t) => {
    for (const [what, sent] of Object.entries(FLAWS)) {
      const { status, json } = await send(request, sent, STRANGER);
      t.equal(status, 403, what);
      t.match(json.message, /forbidden: User "rights-stranger" cannot /);
    }
  });
}

t.test('a deadline that is none is told before, to anybody, where there is one', async (t) => {
  for (const request of REQUESTS) {
    const { status } = await send(request, { body: '{}', query: 'timeout=x' }, STRANGER);
    const hasNone = /\/(exec|proxy)\b/.test(request[1]);
    t.equal(status, hasNone ? 403 : 400, request.join(' '));
  }
});

t.test('what is wrong with the requests of those who may, the first of two', async (t) => {
  await made(server, CONFIG_MAPS, configMap('rights'));
  const [type, accept, query] = ['text/odd', 'text/odd', 'dryRun=odd'];
  const item = `${CONFIG_MAPS}/rights`;
  const rows: readonly (readonly [Request, Sent, number])[] = [
    [['POST', CONFIG_MAPS], { body: LONG, type, accept, query }, 406],
    [['POST', CONFIG_MAPS], { body: LONG, type, query }, 415],
    [['POST', CONFIG_MAPS], { body: LONG, query }, 413],
    [['POST', CONFIG_MAPS], { body: '{', query }, 422],
    [['PUT', item], { body: LONG, type, accept, query }, 406],
    [['PUT', item], { body: LONG, type, query }, 413],
    [['PUT', item], { body: '{', type, query }, 422],
    [['PUT', item], { body: '{', type }, 415],
    [['PATCH', item], { body: LONG, type, accept, query }, 415],
    [['PATCH', item], { body: LONG, accept, query }, 406],
    [['PATCH', item], { body: LONG, query }, 413],
    [['PATCH', item], { body: '{', query }, 422],
    [['DELETE', item], { body: LONG, type, accept }, 406],
    [['DELETE', item], { body: LONG, type }, 413],
    [['DELETE', item], { body: '{', type }, 415],
    [['DELETE', CONFIG_MAPS], { body: LONG, type, query: 'limit=x' }, 400],
    [['DELETE', CONFIG_MAPS], { body: LONG, type }, 413],
    ...[
      `${HOME}/bindings`,
      `${HOME}/pods/x/eviction`,
      `${HOME}/serviceaccounts/default/token`,
      `${REVIEWS}/selfsubjectaccessreviews`,
    ].flatMap((path) => {
      const request: Request = ['POST', path];
      return [
        [request, { body: LONG, type, accept }, 406],
        [request, { body: LONG, type, query }, 415],
        [request, { body: LONG, query }, 413],
        [request, { body: '{', query }, 422],
      ] as const;
    }),
  ];
  for (const [request, sent, expected] of rows) {
    const { status, text } = await send(request, sent);
    t.equal(status, expected, `${request.join(' ')}: ${text.slice(0, 200)}`);
  }
  t.equal((await server.get(item)).status, 200, 'and nothing was done');
});

t.test('what a webhook adds to a role is granted by who writes it', async (t) => {
  const webhook = await startAdmissionWebhook(t);
  const here = new Hooked(server, webhook, 'rights-hooked');
  await here.begin();
  const roles = `/apis/rbac.authorization.cluster.io/v1/namespaces/${here.namespace}/roles`;
  const user = 'rights-writer';
  const apiGroup = 'rbac.authorization.cluster.io';
  const verbs = ['create', 'update', 'patch', 'get'];
  await made(server, roles, {
    metadata: { name: 'writer' },
    rules: [{ verbs, apiGroups: [apiGroup], resources: ['roles'] }],
  });
  await made(server, roles.replace(/roles$/, 'rolebindings'), {
    metadata: { name: 'writer' },
    roleRef: { apiGroup, kind: 'Role', name: 'writer' },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  });
  await made(server, roles, { metadata: { name: 'there' }, rules: [] });
  const rule = { verbs: ['delete'], apiGroups: [''], resources: ['pods'] };
  await here.register(t, 'Mutating', {
    more: {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['roles'] }],
      behaviour: () => patchOf({ op: 'add', path: '/rules', value: [rule] }),
    },
  });
  const role = (name: string) => ({
    apiVersion: `${apiGroup}/v1`,
    kind: 'Role',
    metadata: { name },
  });
  const headers = { 'impersonate-user': user };
  const apply = { ...headers, 'content-type': 'application/apply-patch+yaml' };
  const merge = { ...headers, 'content-type': 'application/merge-patch+json' };
  const manager = 'fieldManager=a';
  const answers = [
    await server.post(roles, role('a'), headers),
    await server.put(`${roles}/b`, role('b'), headers),
    await server.request('PATCH', `${roles}/c?${manager}`, role('c'), apply),
    await server.put(`${roles}/there`, role('there'), headers),
    await server.request('PATCH', `${roles}/there?${manager}`, role('there'), apply),
    await server.request('PATCH', `${roles}/there`, { metadata: { labels: { a: 'b' } } }, merge),
  ];
  for (const { status, json } of answers) {
    t.equal(status, 403);
    t.match(json.message, /is attempting to grant RBAC permissions not currently held:/);
  }
  t.same((await server.get(`${roles}/there`)).json.rules ?? [], [], 'nothing was given');
});

t.end();
