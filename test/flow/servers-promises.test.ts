/** What clients of servers that share an etcd can rely on when they go from one to the other. */
import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import { JournalKeys } from '../../src/journal/keys.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';
import { startDouble } from '../support/etcd/start-double.ts';
import { startServer } from '../support/server.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

t.test('pages and watches go on elsewhere, as far back as etcd can tell', async (t) => {
  const etcd = await startDouble(t);
  const args = ['--store', 'etcd', '--etcd-servers', etcd.url, '--etcd-lease-ttl', '60s'];
  const owner = await startServer({ test: t, args });
  const versions: string[] = [];
  for (let at = 0; at < 5; at++) {
    const { json } = await owner.post(PATH, { metadata: { name: `o-${at}` } });
    versions.push(json.metadata.resourceVersion as string);
  }
  const client = connectEtcd({ servers: [etcd.url], messages: ETCD_MESSAGES });
  t.teardown(() => client.close());
  const { revision } = await client.range({ key: new JournalKeys('/shardplane').version });
  await client.compact(revision);
  const empty = await startServer({ test: t, args });

  await t.test('a page after the first of another server', async (t) => {
    const names: string[] = [];
    let token = '';
    for (const server of [owner, empty, owner, empty, owner]) {
      const { json } = await server.get(`${PATH}?limit=1&continue=${encodeURIComponent(token)}`);
      names.push(...(json.items as { metadata: { name: string } }[]).map((it) => it.metadata.name));
      token = (json.metadata.continue as string | undefined) ?? '';
    }
    t.same(names, ['o-0', 'o-1', 'o-2', 'o-3', 'o-4']);
    t.equal(token, '');
  });

  await t.test('an empty folder has no history from before that of etcd', async (t) => {
    const last = versions.at(-1) ?? '';
    const watch = (from = ''): string => `${PATH}?watch=true&resourceVersion=${from}`;
    const old = await empty.watch(watch(versions[1]));
    t.equal(old.status, 410);
    old.close();
    const kept = await owner.watch(watch(versions[1]));
    t.equal((await kept.next())?.object.metadata.name, 'o-2', 'one that was there has it');
    kept.close();
    const going = await empty.watch(watch(last));
    await owner.post(PATH, { metadata: { name: 'new' } });
    t.equal((await going.next())?.object.metadata.name, 'new');
    going.close();
  });

  await t.test('who loses etcd says so', async (t) => {
    etcd.stop();
    for (const server of [owner, empty]) {
      const { status, text } = await server.get('/readyz?verbose');
      t.equal(status, 500);
      t.match(text, /\[-\]etcd failed/);
    }
    await etcd.start();
  });
});
