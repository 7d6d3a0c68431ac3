/** Accounts and their tokens as newer releases have them. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const ACCOUNT = `${NAMESPACE}/serviceaccounts/robot`;
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const OF = 'authentication.cluster.io';
const TRACKED =
  '/api/v1/namespaces/cluster-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';

const server = await startServer({
  test: t,
  args: [
    '--release=1.33',
    '--controllers=bootstrap,serviceaccount-token,serviceaccount',
    '--disable-admission-plugins=ServiceAccount',
    '--service-account-max-token-expiration=2h',
  ],
});

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

async function tokenFor(spec: object) {
  return made(`${ACCOUNT}/token`, { spec });
}

async function userOf(token: string) {
  return (await made(REVIEWS, { spec: { token } })).status.user;
}

await made(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } });
const node = await made('/api/v1/nodes', { metadata: { name: 'n' } });
const podOn = (name: string, nodeName: string) =>
  made(`${NAMESPACE}/pods`, {
    metadata: { name },
    spec: { serviceAccountName: 'robot', nodeName, containers: [{ name: 'c', image: 'i' }] },
  });

t.test('a request is answered with name, time and a warning of less time', async (t) => {
  const answer = await server.post(`${ACCOUNT}/token`, { spec: { expirationSeconds: 9_000 } });
  t.match(answer.json.metadata, { name: 'robot', namespace: 'default' });
  t.match(answer.json.metadata.creationTimestamp, /^20.*Z$/);
  t.equal(answer.json.spec.expirationSeconds, 7_200);
  t.match(
    answer.headers['warning'],
    /requested expiration of 9000 seconds shortened to 7200 seconds/,
  );
  const other = await server.post(`${ACCOUNT}/token`, { metadata: { name: 'other' }, spec: {} });
  t.equal(other.status, 422);
  t.match(other.json.message, 'must match the service account name if specified');
});

t.test('a token has a name, and tells of the node of its pod', async (t) => {
  const pod = await podOn('p', 'n');
  const { token } = (await tokenFor({ boundObjectRef: { kind: 'Pod', name: 'p' } })).status;
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  t.same(claims['cluster.io'].node, { name: 'n', uid: node.metadata.uid });
  t.same((await userOf(token)).extra, {
    [`${OF}/credential-id`]: [`JTI=${claims.jti}`],
    [`${OF}/node-name`]: ['n'],
    [`${OF}/node-uid`]: [node.metadata.uid],
    [`${OF}/pod-name`]: ['p'],
    [`${OF}/pod-uid`]: [pod.metadata.uid],
  });
  await podOn('lost', 'nowhere');
  const lost = (await tokenFor({ boundObjectRef: { kind: 'Pod', name: 'lost' } })).status.token;
  const { extra } = await userOf(lost);
  t.same(extra[`${OF}/node-name`], ['nowhere']);
  t.equal(extra[`${OF}/node-uid`], undefined);
});

t.test('a token dies with the node that it is bound to', async (t) => {
  await made('/api/v1/nodes', { metadata: { name: 'short' } });
  const bound = await tokenFor({ boundObjectRef: { kind: 'Node', name: 'short' } });
  t.same((await userOf(bound.status.token)).extra[`${OF}/node-name`], ['short']);
  await server.delete('/api/v1/nodes/short');
  await until(async () => {
    const { json } = await server.post(REVIEWS, { spec: { token: bound.status.token } });
    return json.status.error?.includes('service account token has been invalidated');
  });
});

t.test('no token is made for an account; one that is asked for is tracked', async (t) => {
  const annotations = { 'cluster.io/service-account.name': 'robot' };
  const type = 'cluster.io/service-account-token';
  await made(`${NAMESPACE}/secrets`, { metadata: { name: 's', annotations }, type });
  let token = '';
  await until(async () => {
    const { json } = await server.get(`${NAMESPACE}/secrets/s`);
    token = Buffer.from(json.data?.token ?? '', 'base64').toString();
    return token !== '';
  });
  t.equal((await server.get(ACCOUNT)).json.secrets, undefined, 'and none is named');
  const asRobot = { authorization: `Bearer ${token}` };
  const plain = await server.get('/api', asRobot);
  t.equal(plain.status, 200);
  t.equal(plain.headers['warning'], undefined, 'somebody made it');
  const today = new Date().toISOString().slice(0, 10);
  const labels = async () => (await server.get(`${NAMESPACE}/secrets/s`)).json.metadata.labels;
  await until(async () => (await labels())?.['cluster.io/legacy-token-last-used'] !== undefined);
  t.ok((await labels())['cluster.io/legacy-token-last-used'] >= today);
  const secrets = [{ name: 's' }];
  await server.request('PATCH', ACCOUNT, { secrets }, MERGE);
  await until(async () => {
    const { headers } = await server.get('/api', asRobot);
    return headers['warning']?.includes('Use tokens from the TokenRequest API') === true;
  });
  const marked = { 'cluster.io/legacy-token-invalid-since': today };
  const mark = { metadata: { labels: marked } };
  await server.request('PATCH', `${NAMESPACE}/secrets/s`, mark, MERGE);
  t.equal((await server.get('/api', asRobot)).status, 401);
  t.match((await server.post(REVIEWS, { spec: { token } })).json.status.error, 'marked invalid');
});

t.test('the server holds a lease by the name of its identity', async (t) => {
  const leases = '/apis/coordination.cluster.io/v1/namespaces/cluster-system/leases';
  const selector = 'apiserver.cluster.io/identity=cluster-apiserver';
  const { items } = (await server.get(`${leases}?labelSelector=${selector}`)).json;
  t.equal(items.length, 1);
  const [{ metadata, spec }] = items;
  t.match(metadata.name, /^apiserver-[a-z2-7]{26}$/);
  t.ok(metadata.labels['cluster.io/hostname']);
  t.ok(spec.holderIdentity.startsWith(`${metadata.name}_`));
});

t.test('it is told since when they are tracked', async (t) => {
  const { json } = await server.get(TRACKED);
  t.match(json.data, { since: /^20\d\d-\d\d-\d\d$/ });
  const steps = (await server.get('/readyz?verbose')).text;
  t.match(steps, '[+]poststarthook/start-legacy-token-tracking-controller ok');
});
