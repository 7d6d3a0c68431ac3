/** An orderly end: what was accepted is finished, what was acknowledged is there. */
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';

t.test('a signal under load: exit 0 and nothing acknowledged is lost', async (t) => {
  const server = await startServer({ test: t });
  const acknowledged: string[] = [];
  let highest = 0;
  let stopping = false;
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let round = 0; ; round += 1) {
      const name = `load-${client}-${round}`;
      const answer = await server.post(CONFIG_MAPS, configMap(name)).catch(() => undefined);
      if (answer?.status === 201) {
        acknowledged.push(name);
        highest = Math.max(highest, Number(answer.json.metadata.resourceVersion));
      }
      // A server that ends may refuse connections or say that it ends; nothing else.
      else if (!stopping || ![undefined, 429, 503].includes(answer?.status)) return answer;
      else return undefined;
    }
  });
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true`);
  while (acknowledged.length < 200) await watch.next();
  stopping = true;
  const exit = await server.stop('SIGTERM');
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
  const after = await server.post(CONFIG_MAPS, configMap('after'));
  t.ok(Number(after.json.metadata.resourceVersion) > highest, 'versions go on');
});

t.test('an idle server with open watches ends at once, by the other signal too', async (t) => {
  const server = await startServer({ test: t });
  const watches = await Promise.all(
    Array.from({ length: 20 }, async () => server.watch(`${CONFIG_MAPS}?watch=true`)),
  );
  const exit = await server.stop('SIGINT');
  t.equal(exit.code, 0, exit.stderr);
  for (const watch of watches) await watch.end();
});

t.test('who asks again when its watch ends is sent away', async (t) => {
  const server = await startServer({ test: t });
  const data = { bulk: 'x'.repeat(900_000) };
  for (let n = 0; n < 12; n++) {
    t.equal((await server.post(CONFIG_MAPS, configMap(`n${n}`, data))).status, 201);
  }
  // A list that is under way keeps the server; a keep-alive connection is still open.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const ask = async (path: string, own?: Agent): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${server.token}` };
    const options = { host: '127.0.0.1', port: server.port, path, headers, agent: own ?? false };
    const request = httpRequest(options).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  const list = await ask(CONFIG_MAPS);
  list.pause();
  const watch = await ask(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Dnone`, agent);
  const ended = once(watch.resume(), 'end');
  const exit = server.stop();
  await ended;
  const again = await ask(`${CONFIG_MAPS}?watch=true`, agent);
  t.equal(again.statusCode, 503);
  t.equal(again.headers['retry-after'], '1');
  t.equal(again.headers.connection, 'close');
  again.resume();
  list.resume();
  await once(list, 'end');
  t.ok(list.complete, 'what was under way is finished');
  t.equal((await exit).code, 0);
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

t.end();
