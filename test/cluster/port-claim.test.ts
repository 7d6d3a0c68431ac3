import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import t from 'tap';
import { claimPorts } from '../../src/cluster/port-claim.ts';
import { freePort } from '../support/server-process.ts';

const ADDRESS = '127.0.0.1';
/** Elsewhere a port is not shared in this way. */
const ON_LINUX = { skip: process.platform !== 'linux' };

/** Listens as several may at once. */
async function listenShared(port: number): Promise<Server> {
  const server = createServer();
  server.listen({ host: ADDRESS, port, reusePort: true });
  await once(server, 'listening');
  return server;
}

t.test('of two servers that start on a port at the same time one has it', ON_LINUX, async (t) => {
  const port = await freePort();
  const listening: Server[] = [];
  t.teardown(() => listening.forEach((server) => server.close()));
  const start = () =>
    claimPorts(ADDRESS, { port, securePort: 0 }, async () => {
      for (let front = 0; front < 2; front++) listening.push(await listenShared(port));
    });
  const ends = await Promise.allSettled([start(), start(), start()]);
  t.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  t.equal(listening.length, 2, 'the others do not listen at all');
  for (const end of ends) {
    if (end.status === 'rejected') t.match(end.reason, { name: 'ListenError', message: `${port}` });
  }
});

t.test('a port that somebody listens on in whatever way is taken', ON_LINUX, async (t) => {
  const taken = await listenShared(await freePort());
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const listen = () => Promise.reject(new Error('it listens all the same'));
  const ports = { port: 0, securePort: port };
  await t.rejects(claimPorts(ADDRESS, ports, listen), {
    name: 'ListenError',
    message: /--secure-port/,
  });
});

t.test('what cannot listen leaves the port to others', ON_LINUX, async (t) => {
  const ports = { port: await freePort(), securePort: await freePort() };
  const failed = claimPorts(ADDRESS, ports, () => Promise.reject(new Error('no')));
  await t.rejects(failed, { message: 'no' });
  let isListening = false;
  await claimPorts(ADDRESS, ports, () => Promise.resolve(void (isListening = true)));
  t.ok(isListening);
});
