import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { JournalKeys } from '../../src/journal/keys.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { startDouble, wireTo } from '../support/etcd/start-double.ts';
import { connectRaw } from '../support/raw-exchange.ts';
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

t.test('a server that is asked to stop does so, whatever it loses meanwhile', async (t) => {
  const { url } = await startDouble(t);
  const args = ['--store', 'etcd', '--etcd-servers', url];
  const server = await startServer({ test: t, args });
  const client = connectEtcd({ servers: [url], messages: ETCD_MESSAGES });
  t.teardown(() => client.close());
  // A request that does not end keeps it from stopping at once.
  const slow = connectRaw(server);
  slow.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    const head = ['POST /api/v1/namespaces/default/configmaps HTTP/1.1', 'Host: a'];
    const more = [`Authorization: Bearer ${server.token}`, 'Content-Length: 100'];
    slow.write(`${[...head, ...more].join('\r\n')}\r\n\r\n{`, () => resolve());
  });
  const stopped = server.stop();
  const isReady = (): Promise<boolean> =>
    server.get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  while (await isReady());
  await client.txn({ success: [{ delete: { key: new JournalKeys('/shardplane').owner } }] });
  const { code, stderr } = await stopped;
  t.equal(code, 1);
  t.match(stderr, /its key in etcd was changed/);
});
