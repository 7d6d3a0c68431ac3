/** Writers of claims for devices need rights in the newest release. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const ARGS = ['--controllers=*', '--disable-admission-plugins=ServiceAccount'];
const server = await startServer({ test: t, args: ['--release=1.37', ...ARGS] });
const GROUP = 'resource.cluster.io';
const NAMESPACES = '/api/v1/namespaces';
const CLAIMS = `/apis/${GROUP}/v1/namespaces/default/resourceclaims`;
const TEMPLATES = `/apis/${GROUP}/v1/namespaces/default/resourceclaimtemplates`;
const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const LABEL = 'resource.cluster.io/admin-access';

const requests = (adminAccess: boolean) => ({
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus', adminAccess } }] },
});
const RESULT = { request: 'gpu', driver: 'a.example.com', pool: 'p', device: 'd' };

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

const messagesOf = ({
  json,
}: {
  readonly json: { details?: { causes?: { message: string }[] } };
}) => json.details?.causes?.map(({ message }) => message) ?? [];

t.test('administrators have access in namespaces that are marked', async (t) => {
  const refusal =
    `Forbidden: admin access to devices requires the \`${LABEL}: true\` label ` +
    'on the containing namespace';
  const claim = { metadata: { name: 'admin' }, spec: requests(true) };
  t.same(messagesOf(await server.post(CLAIMS, claim)), [refusal]);
  const template = { metadata: { name: 'admin' }, spec: { spec: requests(true) } };
  t.same(messagesOf(await server.post(TEMPLATES, template)), [refusal]);
  const stored = await made(CLAIMS, { metadata: { name: 'plain' }, spec: requests(false) });
  const allocation = { devices: { results: [{ ...RESULT, adminAccess: true }] } };
  const allocated = { ...stored, status: { allocation } };
  t.same(messagesOf(await server.put(`${CLAIMS}/plain/status`, allocated)), [refusal]);
  const marked = { metadata: { labels: { [LABEL]: 'true' } } };
  await server.request('PATCH', `${NAMESPACES}/default`, marked, MERGE);
  await made(CLAIMS, claim);
  await made(TEMPLATES, template);
  t.equal((await server.put(`${CLAIMS}/plain/status`, allocated)).status, 200);
  await server.request('PATCH', `${NAMESPACES}/default`, { metadata: { labels: null } }, MERGE);
});

/** Gives a user rights on subresources of claims. */
async function grant(user: string, rules: readonly (readonly [verb: string, part: string])[]) {
  await made(`${RBAC}/clusterroles`, {
    metadata: { name: user },
    rules: rules.map(([verb, part]) => ({
      verbs: [verb],
      apiGroups: [GROUP],
      resources: [`resourceclaims/${part}`],
    })),
  });
  await made(`${RBAC}/clusterrolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: user }],
  });
}

t.test('binding claims and telling of devices take rights of their own', async (t) => {
  const claim = await made(CLAIMS, { metadata: { name: 'bound' }, spec: requests(false) });
  await grant('writer', [['update', 'status']]);
  await grant('binder', [
    ['update', 'status'],
    ['update', 'binding'],
  ]);
  await grant('driver', [
    ['update', 'status'],
    ['arbitrary-node:update', 'driver'],
  ]);
  const path = `${CLAIMS}/bound/status`;
  const as = (user: string, object: object) =>
    server.put(path, object, { 'impersonate-user': user });
  const allocated = { ...claim, status: { allocation: { devices: { results: [RESULT] } } } };
  const what = (user: string, verb: string, part: string, where: string) =>
    `User "${user}" cannot ${verb} resource "resourceclaims/${part}" ` +
    `in API group "${GROUP}" ${where}`;
  t.same(messagesOf(await as('writer', allocated)), [
    'Forbidden: changing status.allocation or status.reservedFor requires ' +
      'resource="resourceclaims/binding", verb="update" permission: ' +
      `resourceclaims.${GROUP} is forbidden: ` +
      what('writer', 'update', 'binding', 'at the cluster scope'),
  ]);
  const bound = await as('binder', allocated);
  t.equal(bound.status, 200, bound.text);
  const { driver, pool, device } = RESULT;
  const told = { ...bound.json };
  told.status = { ...told.status, devices: [{ driver, pool, device, conditions: [] }] };
  t.same(messagesOf(await as('binder', told)), [
    'Forbidden: changing status.devices requires resource="resourceclaims/driver", ' +
      'verb="[arbitrary-node:update]" permission: ' +
      `resourceclaims.${GROUP} "${driver}" is forbidden: ` +
      what('binder', 'arbitrary-node:update', 'driver', 'in the namespace "default"'),
  ]);
  const answer = await as('driver', told);
  t.equal(answer.status, 200, answer.text);
  const { fieldsV1 } = answer.json.metadata.managedFields.at(-1);
  t.same(
    Object.keys(fieldsV1['f:status']['f:devices']).filter((key) => key.startsWith('k:')),
    [`k:{"device":"${device}","driver":"${driver}","pool":"${pool}"}`],
    'a device without an id of its share is known by the other keys',
  );
});

t.test('quotas count devices by their classes, at worst', async (t) => {
  await made(NAMESPACES, { metadata: { name: 'counted' } });
  const claims = CLAIMS.replace('/default/', '/counted/');
  const of = (name: string) => `${name}.deviceclass.${GROUP}/devices`;
  const count = `count/resourceclaims.${GROUP}`;
  const hard = { [of('gpus')]: '4', [of('nics')]: '40', [count]: '9' };
  const quotas = `${NAMESPACES}/counted/resourcequotas`;
  await made(quotas, { metadata: { name: 'q' }, spec: { hard } });
  const used = async () => (await server.get(`${quotas}/q`)).json.status.used ?? {};
  await until(async () => (await used())[count] === '0');
  const claim = (name: string, ...all: readonly object[]) => ({
    metadata: { name },
    spec: { devices: { requests: all } },
  });
  const gpus = { deviceClassName: 'gpus' };
  await made(
    claims,
    claim(
      'a',
      { name: 'one', exactly: gpus },
      {
        name: 'some',
        firstAvailable: [
          { name: 'two', ...gpus, count: 2 },
          { name: 'all', deviceClassName: 'nics', allocationMode: 'All' },
        ],
      },
    ),
  );
  t.same(await used(), { [of('gpus')]: '3', [of('nics')]: '32', [count]: '1' });
  const refused = await server.post(
    claims,
    claim('b', { name: 'x', exactly: { ...gpus, count: 2 } }),
  );
  t.match(
    refused.json.message,
    `exceeded quota: q, requested: ${of('gpus')}=2, used: ${of('gpus')}=3`,
  );
  await server.delete(`${claims}/a`);
  await until(async () => (await used())[of('gpus')] === '0');
});
