/** An orderly end: what was accepted is finished, what was acknowledged is there. */
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} under load: exit 0 and nothing acknowledged is lost`, async (t) => {
    const server = await startServer({ test: t });
    const acknowledged: string[] = [];
    let stopping = false;
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let round = 0; ; round += 1) {
        const name = `load-${client}-${round}`;
        const answer = await server.post(CONFIG_MAPS, configMap(name)).catch(() => undefined);
        if (answer?.status === 201) acknowledged.push(name);
        // A server that ends may refuse connections or say that it ends; nothing else.
        else if (!stopping || ![undefined, 429, 503].includes(answer?.status)) return answer;
        else return undefined;
      }
    });
    const watch = await server.watch(`${CONFIG_MAPS}?watch=true`);
    while (acknowledged.length < 200) await watch.next();
    stopping = true;
    const exit = await server.stop(signal);
    t.equal(exit.code, 0, `exit code; stderr: ${exit.stderr}`);
    t.equal(exit.signal, null);
    const odd = (await Promise.all(clients)).filter((answer) => answer !== undefined);
    t.same(
      odd.map(({ status, text }) => `${status} ${text}`),
      [],
      'clients see refusals only',
    );
    await watch.end();
    t.equal(watch.rest, '', 'the watch ended between two events');

    await server.restart();
    const { json } = await server.get(CONFIG_MAPS);
    const names = new Set(
      json.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    );
    const lost = acknowledged.filter((name) => !names.has(name));
    t.same(lost, [], `all of ${acknowledged.length} are there`);
  });
}

t.test('an idle server with open watches ends at once', async (t) => {
  const server = await startServer({ test: t });
  const watches = await Promise.all(
    Array.from({ length: 20 }, async () => server.watch(`${CONFIG_MAPS}?watch=true`)),
  );
  const exit = await server.stop();
  t.equal(exit.code, 0, exit.stderr);
  for (const watch of watches) await watch.end();
});

t.test('a second signal ends it without waiting', async (t) => {
  const server = await startServer({ test: t, args: ['--shutdown-delay-duration', '20s'] });
  process.kill(server.process.pid, 'SIGTERM');
  while ((await server.get('/readyz')).status === 200);
  const path = `${CONFIG_MAPS}/before`;
  t.equal((await server.get('/livez')).status, 200, 'alive during the delay');
  t.equal((await server.get(path)).status, 404, 'and it serves');
  const exit = await server.stop();
  t.not(exit.code, null);
  t.ok(exit.code !== 0, 'not taken for an orderly end');
});

t.test('a clean restart keeps versions where they were', async (t) => {
  const server = await startServer({ test: t });
  const created = await server.post(CONFIG_MAPS, configMap('before'));
  const before = Number(created.json.metadata.resourceVersion);
  await server.stop();
  await server.restart();
  const after = await server.post(CONFIG_MAPS, configMap('after'));
  t.ok(Number(after.json.metadata.resourceVersion) > before);
});

t.end();
