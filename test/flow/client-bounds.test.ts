/** Bounds of what clients have open: connections, those of them that wait, and watches. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { CONFIG_MAPS } from '../support/kinds.ts';
import type { WatchStream } from '../support/watch-stream.ts';
import { startServer, type Server } from '../support/server.ts';

const METRIC = /^(shardplane_(?:connections|slow|watches_refused|user_watches)[^ ]*) (\d+)/gm;

async function figures(server: Server): Promise<Record<string, number>> {
  const { text } = await server.get('/metrics');
  return Object.fromEntries(
    [...text.matchAll(METRIC)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

/** Connections on which nothing is said; they end with the test. */
async function silent(server: Server, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(server.port, '127.0.0.1'));
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))));
  return sockets;
}

/** All that comes on a new connection until its end, where a request may be sent. */
async function answerTo(server: Server, request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(request);
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

t.test('one connection too many is told so and closed, and others go on', async (t) => {
  const server = await startServer({ test: t, args: ['--max-connections=6'] });
  t.match(await server.get('/livez'), { status: 200 });
  const others = await silent(server, 5);
  const refused = await answerTo(server, LIVEZ);
  t.match(refused, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
  t.match(refused, /\r\nRetry-After: 1\r\n/);
  const status = JSON.parse(refused.slice(refused.indexOf('{'))) as unknown;
  t.match(status, { kind: 'Status', reason: 'ServiceUnavailable', code: 503 });
  t.match(await server.get('/livez'), { status: 200 }, 'who was there is served');
  t.equal((await figures(server))['shardplane_connections_refused_total{bound="open"}'], 1);
  others[0]?.destroy();
  await until(async () => (await answerTo(server, LIVEZ)).startsWith('HTTP/1.1 200 '));
  t.pass('there is room again');
});

t.test('connections that say nothing leave room for those that do', async (t) => {
  const server = await startServer({ test: t, args: ['--max-waiting-connections=4'] });
  const path = `${CONFIG_MAPS}?watch=true`;
  const watches: WatchStream[] = [];
  t.teardown(() => watches.forEach((watch) => watch.close()));
  while (watches.length < 6) watches.push(await server.watch(path));
  await silent(server, 4);
  t.match(await answerTo(server, LIVEZ), /^HTTP\/1\.1 503 /);
  t.ok(
    watches.every(({ status }) => status === 200),
    'watches do not wait',
  );
});

t.test('a user has so many watches, and administrators any number', async (t) => {
  const server = await startServer({
    test: t,
    args: ['--max-watches-per-user=2', '--authorization-mode=AlwaysAllow'],
  });
  const as = (user: string) => ({ 'impersonate-user': user });
  const path = `${CONFIG_MAPS}?watch=true`;
  const watches = [await server.watch(path, as('ann')), await server.watch(path, as('ann'))];
  const refused = await server.get(path, as('ann'));
  t.match(refused, { status: 429, headers: { 'retry-after': '1' } });
  t.match(refused.json, { reason: 'TooManyRequests', message: /^ann has 2 watches open/ });
  watches.push(await server.watch(path, as('ben')));
  for (let count = 0; count < 3; count++) watches.push(await server.watch(path));
  t.same(
    watches.map(({ status }) => status),
    watches.map(() => 200),
  );
  await until(async () => (await figures(server))['shardplane_user_watches_max'] === 2);
  t.equal((await figures(server))['shardplane_watches_refused_total'], 1);
  watches[0]?.close();
  await until(async () => {
    const next = await server.watch(path, as('ann'));
    watches.push(next);
    return next.status === 200;
  });
  t.pass('one that has ended makes room');
  for (const watch of watches) watch.close();
});

t.end();
