/** Each namespace gets an account, and whom to trust as the API server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { until } from '../support/owned-objects.ts';
import type { Server } from '../support/server.ts';
import { startServer } from '../support/server.ts';
import { freePort } from '../support/server-process.ts';

const NAMESPACES = '/api/v1/namespaces';
const MERGE = { 'content-type': 'application/merge-patch+json' };

async function startWithBoth(test: Test): Promise<Server> {
  const secure = await freePort();
  const controllers = '*,-serviceaccount-token';
  return startServer({
    test,
    args: ['--controllers', controllers, '--secure-port', String(secure)],
  });
}

function accountIn(namespace: string): string {
  return `${NAMESPACES}/${namespace}/serviceaccounts/default`;
}

function certificatesIn(namespace: string): string {
  return `${NAMESPACES}/${namespace}/configmaps/kube-root-ca.crt`;
}

async function comes(server: Server, path: string, isRight?: (json: unknown) => boolean) {
  await until(async () => {
    const { status, json } = await server.get(path);
    return status === 200 && isRight?.(json) !== false;
  });
  return (await server.get(path)).json;
}

t.test('each namespace has both, and gets them again', async (t) => {
  const server = await startWithBoth(t);
  const system = ['default', 'cluster-system', 'cluster-public', 'cluster-node-lease'];
  for (const namespace of system) {
    t.equal((await server.get(accountIn(namespace))).status, 200, 'when the server is ready');
    t.equal((await server.get(certificatesIn(namespace))).status, 200);
  }
  await server.post(NAMESPACES, { metadata: { name: 'a' } });
  const account = await comes(server, accountIn('a'));
  t.equal(account.metadata.managedFields, undefined, 'there is nothing to own');
  const authority = readFileSync(join(server.dataDirectory, 'ca.crt'), 'utf8');
  const certificates = await comes(server, certificatesIn('a'));
  t.same(certificates.data, { 'ca.crt': authority });
  t.ok(certificates.metadata.annotations['cluster.io/description']);
  t.match(certificates.metadata.managedFields, [
    { manager: 'cluster-controller-manager', operation: 'Update' },
  ]);

  const isOther =
    ({ metadata }: { metadata: { uid: string } }) =>
    (json: unknown) =>
      (json as typeof account).metadata.uid !== metadata.uid;
  await server.delete(accountIn('a'));
  await comes(server, accountIn('a'), isOther(account));
  await server.delete(certificatesIn('a'));
  await comes(server, certificatesIn('a'), isOther(certificates));
  const wrong = { data: { 'ca.crt': 'x', more: 'y' }, metadata: { labels: { mine: 'z' } } };
  t.equal((await server.request('PATCH', certificatesIn('a'), wrong, MERGE)).status, 200);
  const mended = await comes(server, certificatesIn('a'), (json) => {
    return (json as typeof certificates).data['ca.crt'] === authority;
  });
  t.same(mended.data, { 'ca.crt': authority });
  t.same(mended.metadata.labels, { mine: 'z' });
  await server.request('PATCH', accountIn('a'), { secrets: [{ name: 's' }] }, MERGE);

  await server.stop();
  await server.restart();
  t.same((await server.get(accountIn('a'))).json.secrets, [{ name: 's' }], 'that is its own');
  t.equal(
    (await server.get(certificatesIn('a'))).json.metadata.resourceVersion,
    mended.metadata.resourceVersion,
    'what is right is not written',
  );
  t.equal(server.stderr, '');
});

t.test('namespaces come and go at full speed, and leave nothing', async (t) => {
  const server = await startWithBoth(t);
  const before = (await server.get('/api/v1/serviceaccounts')).json.items.length;
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  await Promise.all(
    names.map(async (name) => {
      await server.post(NAMESPACES, { metadata: { name } });
      // Some of them before, some while and some after the controllers have seen them.
      if (Number(name.slice(1)) % 3 === 0) await comes(server, accountIn(name));
      await server.delete(`${NAMESPACES}/${name}`);
    }),
  );
  await until(async () => (await server.get(NAMESPACES)).json.items.length === 4);
  for (const type of ['serviceaccounts', 'configmaps']) {
    const { items } = (await server.get(`/api/v1/${type}`)).json;
    const left = items.filter(({ metadata }: { metadata: { namespace: string } }) => {
      return metadata.namespace.startsWith('n');
    });
    t.same(left, [], type);
  }
  t.equal((await server.get('/api/v1/serviceaccounts')).json.items.length, before);
  t.equal(server.stderr, '');
});

t.end();
