import t from 'tap';
import { startDouble, wireTo } from '../support/etcd/start-double.ts';
import { startServer } from '../support/server.ts';

t.test('a server that loses etcd while it starts begins anew until that is back', async (t) => {
  const { url } = await startDouble(t);
  const wire = await wireTo(t, url);
  // The main thread has etcd, and those with shards do not.
  wire.refuseBeyond(1);
  const args = ['--store', 'etcd', '--etcd-servers', wire.url];
  const starting = startServer({ test: t, args });
  while (wire.taken < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  wire.accept();
  const server = await starting;
  t.match(server.stderr, /this server begins anew: etcd: /);
  const body = { metadata: { name: 'a' } };
  t.equal((await server.post('/api/v1/namespaces/default/configmaps', body)).status, 201);
});
