/** Quotas and addresses where nobody knows for long whether a write was made. */
import t from 'tap';
import type { TxnMessage } from '../../src/etcd/message-types.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const NAMESPACE = '/api/v1/namespaces/counted';
const CONFIG_MAPS = `${NAMESPACE}/configmaps`;

/** Whether it is about groups of that type. */
function isOf(type: string): (txn: TxnMessage) => boolean {
  return ({ success }) =>
    success.some(({ requestPut }) => {
      const key = requestPut && Buffer.from(requestPut.key).toString();
      return key === `/shardplane/groups/${type}`;
    });
}

t.test('what is found in the end counts in its quota all the time', async (t) => {
  const etcd = await startDouble(t);
  const args = ['--store', 'etcd', '--etcd-servers', etcd.url, '--etcd-lease-ttl', '120s'];
  args.push('--controllers', 'resourcequota', '--disable-admission-plugins', 'ServiceAccount');
  const server = await startServer({ test: t, args });
  const used = async (): Promise<unknown> => {
    const { json } = await server.get(`${NAMESPACE}/resourcequotas/q?resourceVersion=0`);
    return json.status?.used?.configmaps;
  };
  await server.post('/api/v1/namespaces', { metadata: { name: 'counted' } });
  await server.post(`${NAMESPACE}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard: { configmaps: '1' } },
  });
  await until(async () => (await used()) === '0');
  const end = etcd.doubt(isOf('configmaps'));
  const doubtful = await server.post(CONFIG_MAPS, { metadata: { name: 'found' } });
  t.match(doubtful, { status: 503, headers: { 'retry-after': '1' } });
  t.equal(await used(), '1', 'it may be there');
  end();
  await until(async () => (await server.get(`${CONFIG_MAPS}/found`)).status === 200);
  const more = await server.post(CONFIG_MAPS, { metadata: { name: 'more' } });
  t.match(more, { status: 403, json: { message: /exceeded quota: q/ } });
  t.equal((await server.delete(`${CONFIG_MAPS}/found`)).status, 200);
  await until(async () => (await used()) === '0');
  t.equal((await server.post(CONFIG_MAPS, { metadata: { name: 'more' } })).status, 201);
});

t.test('what another server has shown, the owner does not deny', async (t) => {
  const etcd = await startDouble(t);
  const args = ['--store', 'etcd', '--etcd-servers', etcd.url, '--etcd-lease-ttl', '120s'];
  const owner = await startServer({ test: t, args });
  const follower = await startServer({ test: t, args });
  const path = '/api/v1/namespaces/default/configmaps';
  const end = etcd.doubt(isOf('configmaps'));
  const write = owner.post(path, { metadata: { name: 'shown' } });
  await until(async () => (await follower.get(`${path}/shown`)).status === 200);
  const reads = Promise.all([owner.get(`${path}/shown`), owner.get(path)]);
  const other = await owner.get(`${path}/none`);
  t.equal(other.status, 404, 'of which nothing is on its way');
  t.equal((await owner.get(`${path}/shown?resourceVersion=0`)).status, 404, 'any version may do');
  end();
  const [read, list] = await reads;
  t.equal(read.status, 200);
  t.ok(list.text.includes('"shown"'));
  t.equal((await write).status, 201);
});
