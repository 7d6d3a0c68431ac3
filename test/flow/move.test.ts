import { join } from 'node:path';
import t from 'tap';
import { startDouble } from '../support/etcd/start-double.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { runMove } from '../../tools/move/run.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** The exit code, and all that it has said. */
async function moved(...args: string[]): Promise<[code: number, said: string]> {
  let said = '';
  const say = (text: string): void => void (said += text);
  return [await runMove(args, { write: say, say }), said];
}

t.test('a cluster moves to etcd and back, with its versions and keys', async (t) => {
  const etcd = await startDouble(t);
  const place = ['--etcd-servers', etcd.url];
  const shared = ['--store', 'etcd', ...place];

  const before = await startServer({ test: t });
  const { json } = await before.post(CONFIG_MAPS, { metadata: { name: 'a' }, data: { n: '1' } });
  await before.post(CONFIG_MAPS, { metadata: { name: 'gone' } });
  await before.delete(`${CONFIG_MAPS}/gone`);
  const { resourceVersion: oldRv } = (await before.get(CONFIG_MAPS)).json.metadata;
  t.match(await moved('--from', before.dataDirectory, '--to', 'etcd', ...place), [1, /in use/]);
  await before.stop();
  const [code, said] = await moved('--from', before.dataDirectory, '--to', 'etcd', ...place);
  t.equal(code, 0, 'it is moved');
  t.match(said, /^moved \d+ objects to etcd: the newest version is \d+/);

  const server = await startServer({ test: t, args: shared });
  t.equal(server.token, before.token);
  const { json: a } = await server.get(`${CONFIG_MAPS}/a`);
  t.same(a, json, 'the object is what it was, with its version and uid');
  const old = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${Number(oldRv) - 2}`);
  t.equal(old.status, 410, 'history begins anew');
  const made = await server.post(CONFIG_MAPS, { metadata: { name: 'b' } });
  t.ok(Number(made.json.metadata.resourceVersion) > Number(oldRv), 'versions go on');
  t.match(await moved('--from', before.dataDirectory, '--to', 'etcd', ...place), [1, /a server/]);
  await server.stop();
  t.match(await moved('--from', before.dataDirectory, '--to', 'etcd', ...place), [1, /already/]);

  const folder = join(temporaryFolder(), 'back');
  t.match(await moved('--from', 'etcd', '--to', folder, ...place), [0, /^moved \d+ objects to/]);
  t.match(await moved('--from', 'etcd', '--to', folder, ...place), [1, /has a store already/]);
  const back = await startServer({ test: t, dataDirectory: folder });
  t.equal(back.token, before.token);
  t.same((await back.get(`${CONFIG_MAPS}/a`)).json, json);
  t.same((await back.get(`${CONFIG_MAPS}/b`)).json, made.json);
  const later = await back.post(CONFIG_MAPS, { metadata: { name: 'c' } });
  t.ok(Number(later.json.metadata.resourceVersion) > Number(made.json.metadata.resourceVersion));
});

t.test('what cannot be moved is said in a line', async (t) => {
  const rows: [string[], RegExp][] = [
    [[], /^give --from and --to/],
    [['--from', 'a', '--to', 'b'], /one is to be etcd, the other not$/],
    [['--from', 'etcd', '--to', 'b'], /--store etcd needs --etcd-servers/],
    [['--from', '/nowhere', '--to', 'etcd', '--etcd-servers', 'http://127.0.0.1:1'], /no store in/],
    [['--help'], /^Usage: npm run move/],
  ];
  for (const [args, line] of rows) t.match((await moved(...args))[1], line);
});
