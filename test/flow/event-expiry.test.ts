/** Events go when they were not written for as long as `--event-ttl` says. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { EXPIRY_INTERVAL_MS } from '../../src/limits.ts';
import { startServer } from '../support/server.ts';

const EVENTS = '/api/v1/namespaces/default/events';
const POLL_MS = 50;

function event(name: string, members: object = {}): object {
  const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'about' };
  return { metadata: { name, namespace: 'default', ...members }, involvedObject, reason: 'Tested' };
}

t.test('an event goes in time, one that is written again later', async (t) => {
  const server = await startServer({ test: t, args: ['--event-ttl', '3s'] });
  const watch = await server.watch(`${EVENTS}?watch=true`);
  const finalizers = ['example.com/hold'];
  for (const document of [event('first'), event('kept'), event('held', { finalizers })]) {
    const answer = await server.post(EVENTS, document);
    t.equal(answer.status, 201, answer.text.slice(0, 200));
  }
  await server.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'stays' } });
  // Written again and again, it outlives the others.
  const deletedMs = new Map<string, number>();
  let writtenMs = Date.now();
  const firstMs = writtenMs;
  for (let count = 1; deletedMs.size < 2; count++) {
    const stored = await server.get(`${EVENTS}/kept`);
    const put = await server.put(`${EVENTS}/kept`, { ...stored.json, count });
    if (put.status !== 200) throw new Error(put.text);
    writtenMs = Date.now();
    const next = await watch.next();
    if (next === undefined) throw new Error('the watch has ended');
    if (next.type === 'DELETED') deletedMs.set(next.object.metadata.name, Date.now());
    await sleep(POLL_MS);
  }
  t.same([...deletedMs.keys()].sort(), ['first', 'held'], 'finalizers hold nothing back');
  for (const ms of deletedMs.values()) t.ok(ms - firstMs >= 2_000, 'not long before its time');
  for (let next = await watch.next(); next?.type !== 'DELETED';) next = await watch.next();
  t.ok(Date.now() - writtenMs >= 2_000, 'counted from the last write');
  t.same((await server.get(EVENTS)).json.items, []);
  t.equal((await server.get('/api/v1/namespaces/default/configmaps/stays')).status, 200);
  watch.close();
});

t.test('switched off, events stay; what was due goes when it is back', async (t) => {
  const args = ['--event-ttl', '0s', '--controllers', '*,-event-expiry'];
  const server = await startServer({ test: t, args });
  for (const name of ['one', 'two']) await server.post(EVENTS, event(name));
  const statuses = new Set<number>();
  for (const untilMs = Date.now() + 2 * EXPIRY_INTERVAL_MS; Date.now() < untilMs;) {
    statuses.add((await server.get(`${EVENTS}/one`)).status);
    await sleep(POLL_MS);
  }
  t.same([...statuses], [200]);
  await server.kill();
  await server.restart({ args: ['--event-ttl', '0s'] });
  const watch = await server.watch(`${EVENTS}?watch=true`);
  // A watch that began after they went has nothing to tell.
  while ((await server.get(EVENTS)).json.items.length > 0) await watch.next();
  t.same((await server.get(EVENTS)).json.items, []);
  watch.close();
});

t.end();
