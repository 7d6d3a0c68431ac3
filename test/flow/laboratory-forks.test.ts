/** Forks: servers of their own that begin with a snapshot of another one, and end with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';

t.test('a fork has the state of its snapshot, and goes its own way', async (t) => {
  const args = ['--laboratory', '--clock=laboratory'];
  const server = await startServer({ test: t, args });
  const { json: clock } = await server.post(`${LAB}/clock`, { advance: '2h' });
  const { json: made } = await server.post(CONFIG_MAPS, configMap('kept', { a: 'b' }));
  await server.post(CONFIG_MAPS, configMap('changed', { a: 'old' }));
  await server.post(`${LAB}/snapshots`, { name: 'begin' });
  await server.put(`${CONFIG_MAPS}/changed`, configMap('changed', { a: 'new' }));
  await server.post(CONFIG_MAPS, configMap('later'));
  await server.delete(`${CONFIG_MAPS}/kept`);
  const fork = await server.post(`${LAB}/snapshots/begin/fork`, {});
  t.equal(fork.status, 201, fork.text);
  const { url, kubeconfig, name } = fork.json;
  t.match(readFileSync(kubeconfig, 'utf8'), 'https://127.0.0.1:');
  const headers = { authorization: `Bearer ${server.token}` };
  const its = await fetch(`${url}${LAB}/clock`, { headers });
  const { time } = (await its.json()) as typeof clock;
  t.ok(Date.parse(time) >= Date.parse(clock.time), 'it goes by the same time');
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`${url}${CONFIG_MAPS}/${path}`, { headers, method });
    return { status: response.status, json: (await response.json()) as typeof made };
  };
  const kept = await ask('kept');
  t.equal(kept.json.metadata.uid, made.metadata.uid);
  t.equal((await ask('changed')).json.data.a, 'old');
  t.equal((await ask('later')).status, 404);
  t.equal((await ask('kept', 'DELETE')).status, 200);
  t.equal((await server.get(`${CONFIG_MAPS}/changed`)).status, 200, 'this one goes on');
  t.match((await server.get(`${LAB}/forks`)).json, { items: [{ name, url }] });
  t.equal((await server.delete(`${LAB}/forks/${name}`)).status, 200);
  await t.rejects(fetch(`${url}/version`));
  t.notOk(existsSync(kubeconfig), 'its folder is gone');
  t.equal((await server.delete(`${LAB}/forks/${name}`)).status, 404);
  t.equal((await server.post(`${LAB}/snapshots/none/fork`, {})).status, 404);
  t.equal((await server.post(`${LAB}/snapshots/begin/fork`, { port: 70_000 })).status, 400);
  const taken = await server.post(`${LAB}/snapshots/begin/fork`, { port: server.port });
  t.equal(taken.status, 500);
  t.match(taken.json.message, /the port is in use or not allowed/);
});

t.test('a fork ends with its server, also when that is killed', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  await server.post(`${LAB}/snapshots`, { name: 'begin' });
  const { url } = (await server.post(`${LAB}/snapshots/begin/fork`, {})).json;
  t.equal((await fetch(`${url}/readyz`)).status, 200);
  await server.kill();
  await until(async () => {
    return fetch(`${url}/readyz`).then(
      () => false,
      () => true,
    );
  });
});

t.test('forks that are started ahead are there for who asks next', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  await server.post(CONFIG_MAPS, configMap('kept'));
  await server.post(`${LAB}/snapshots`, { name: 'begin' });
  const fork = async (how: object) => (await server.post(`${LAB}/snapshots/begin/fork`, how)).json;
  const first = await fork({ ahead: 1 });
  const folders = join(server.dataDirectory, 'forks');
  const waiting = join(folders, 'begin-2', 'admin.kubeconfig');
  await until(async () => existsSync(waiting));
  t.equal((await server.get(`${LAB}/forks`)).json.items.length, 1, 'nobody has it yet');
  await server.delete(`${CONFIG_MAPS}/kept`);
  const second = await fork({});
  t.equal(second.kubeconfig, waiting);
  const headers = { authorization: `Bearer ${server.token}` };
  t.equal((await fetch(`${second.url}${CONFIG_MAPS}/kept`, { headers })).status, 200);
  await until(async () => existsSync(join(folders, 'begin-3', 'admin.kubeconfig')));
  await server.delete(`${LAB}/forks/${first.name}`);
  t.equal((await server.delete(`${LAB}/snapshots/begin`)).status, 200);
  t.same(readdirSync(folders), ['begin-2'], 'nobody can ask for the third any more');
  t.equal((await fetch(`${second.url}/readyz`)).status, 200);
});

t.test('a fork begins with a snapshot while others write', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  await server.post(CONFIG_MAPS, configMap('counted', { n: '0' }));
  await server.post(`${LAB}/snapshots`, { name: 'begin' });
  let isOver = false;
  const writer = async (name: string) => {
    for (let n = 1; !isOver; n++) {
      await server.post(CONFIG_MAPS, configMap(`${name}-${n}`, { pad: 'x'.repeat(2_000) }));
      await server.put(`${CONFIG_MAPS}/counted`, configMap('counted', { n: String(n) }));
      if (n % 3 === 0) await server.delete(`${CONFIG_MAPS}/${name}-${n - 1}`);
    }
  };
  const writers = ['a', 'b', 'c', 'd'].map(writer);
  const { url } = (await server.post(`${LAB}/snapshots/begin/fork`, {})).json;
  isOver = true;
  await Promise.all(writers);
  const headers = { authorization: `Bearer ${server.token}` };
  type List = { items: { metadata: { name: string }; data: { n?: string } }[] };
  const { items } = (await (await fetch(`${url}${CONFIG_MAPS}`, { headers })).json()) as List;
  const own = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  t.match(own, [{ metadata: { name: 'counted' }, data: { n: '0' } }]);
  t.equal(own.length, 1);
});

t.end();
