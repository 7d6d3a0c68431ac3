/** Tokens of accounts that nobody uses any more. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const SECRETS = `${NAMESPACE}/secrets`;
const TRACKED =
  '/api/v1/namespaces/cluster-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const MARK = 'cluster.io/legacy-token-invalid-since';
const USED = 'cluster.io/legacy-token-last-used';
const OLD = '2020-01-01';
const CLEANER = 'bootstrap,legacy-service-account-token-cleaner';
const COMMON = [
  '--release=1.37',
  '--disable-admission-plugins=ServiceAccount',
  '--legacy-service-account-token-clean-up-period=1s',
];
const WITHOUT = [...COMMON, '--controllers=bootstrap'];
const WITH = [...COMMON, `--controllers=${CLEANER}`];

const server = await startServer({ test: t, args: WITHOUT });

async function made(path: string, object: object) {
  const answer = await server.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

async function patched(path: string, patch: object): Promise<void> {
  const { status, text } = await server.request('PATCH', path, patch, MERGE);
  if (status !== 200) throw new Error(text);
}

async function restart(args: readonly string[]): Promise<void> {
  await server.stop();
  await server.restart({ args: [...args] });
}

async function labelsOf(name: string): Promise<Record<string, string> | undefined> {
  const { status, json } = await server.get(`${SECRETS}/${name}`);
  return status === 404 ? undefined : (json.metadata.labels ?? {});
}

await made(`${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } });
const names = ['unused', 'used', 'mounted', 'manual'];
for (const name of names) {
  await made(SECRETS, {
    metadata: { name, annotations: { 'cluster.io/service-account.name': 'robot' } },
    type: 'cluster.io/service-account-token',
  });
}
await patched(`${NAMESPACE}/serviceaccounts/robot`, {
  secrets: ['unused', 'used', 'mounted'].map((name) => ({ name })),
});
await patched(`${SECRETS}/used`, { metadata: { labels: { [USED]: '2999-01-01' } } });
await made(`${NAMESPACE}/pods`, {
  metadata: { name: 'p' },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'v', secret: { secretName: 'mounted' } }],
  },
});

t.test('nothing is marked before uses were noted for long enough', async (t) => {
  await restart(WITH);
  // What is asked for afterwards comes after the first look.
  await until(async () => (await server.get(TRACKED)).status === 200);
  t.same(await labelsOf('unused'), {});
});

t.test('what nobody uses is marked, and nothing else', async (t) => {
  await patched(TRACKED, { data: { since: OLD } });
  await restart(WITH);
  await until(async () => (await labelsOf('unused'))?.[MARK] !== undefined);
  t.equal((await labelsOf('unused'))?.[MARK], new Date().toISOString().slice(0, 10));
  for (const name of names.slice(1)) t.equal((await labelsOf(name))?.[MARK], undefined, name);
});

t.test('it is removed as much later', async (t) => {
  await patched(`${SECRETS}/unused`, { metadata: { labels: { [MARK]: OLD } } });
  await restart(WITH);
  await until(async () => (await labelsOf('unused')) === undefined);
  for (const name of names.slice(1)) t.ok(await labelsOf(name), name);
});
