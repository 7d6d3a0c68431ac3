/** Forks: servers of their own that begin with a snapshot of another one, and end with it. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';

const LAB = '/shardplane/lab/v1';

t.test('a fork has the state of its snapshot, and goes its own way', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
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

t.end();
