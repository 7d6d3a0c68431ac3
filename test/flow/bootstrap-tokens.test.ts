/** Bootstrap tokens: what they sign, and that they go when their time is over. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const SECRETS = '/api/v1/namespaces/cluster-system/secrets';
const INFO = '/api/v1/namespaces/cluster-public/configmaps';
const args = ['--controllers', 'bootstrap,namespace,bootstrapsigner,tokencleaner'];
const server = await startServer({ test: t, args });

async function token(id: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, text } = await server.post(SECRETS, {
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      ...more,
    },
  });
  if (status !== 201) throw new Error(text);
}

async function signedBy(ids: readonly string[]): Promise<void> {
  await until(async () => {
    const { data } = (await server.get(`${INFO}/cluster-info`)).json;
    const found = Object.keys(data).filter((key) => key !== 'kubeconfig');
    return found.sort().join() === ids.map((id) => `jws-kubeconfig-${id}`).join();
  });
}

t.test('cluster-info is signed with each token that there is', async (t) => {
  await token('aaaaaa');
  await token('bbbbbb', { 'usage-bootstrap-signing': 'false' });
  const made = await server.post(INFO, {
    metadata: { name: 'cluster-info' },
    data: { kubeconfig: 'first' },
  });
  t.equal(made.status, 201, made.text);
  await signedBy(['aaaaaa']);
  const { data } = (await server.get(`${INFO}/cluster-info`)).json;
  await token('cccccc', { expiration: '2999-01-01T00:00:00Z' });
  await signedBy(['aaaaaa', 'cccccc']);
  await server.delete(`${SECRETS}/bootstrap-token-cccccc`);
  await signedBy(['aaaaaa']);
  const patch = { 'content-type': 'application/merge-patch+json' };
  await server.request('PATCH', `${INFO}/cluster-info`, { data: { kubeconfig: 'next' } }, patch);
  await until(async () => {
    const now = (await server.get(`${INFO}/cluster-info`)).json.data;
    return now['jws-kubeconfig-aaaaaa'] !== data['jws-kubeconfig-aaaaaa'];
  });
});

t.test('a token goes when it ends', async (t) => {
  await token('dddddd', { expiration: 'never' });
  const soon = new Date(Date.now() + 1_500).toISOString();
  await token('eeeeee', { expiration: soon });
  for (const id of ['dddddd', 'eeeeee']) {
    await until(async () => (await server.get(`${SECRETS}/bootstrap-token-${id}`)).status === 404);
  }
  t.ok(Date.now() >= Date.parse(soon), 'not before');
  t.equal((await server.get(`${SECRETS}/bootstrap-token-aaaaaa`)).status, 200);
});
