/** A server by the laboratory's clock: what happens when time passes, without waiting for it. */
import t from 'tap';
import { until } from '../support/owned-objects.ts';
import { startServer, type Server } from '../support/server.ts';

const CLOCK = '/shardplane/lab/v1/clock';
const ARGS = ['--laboratory', '--clock=laboratory', '--authorization-mode=AlwaysAllow'];
const DAY_MS = 86_400_000;
const MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/api/v1/namespaces/default/events';

async function move(server: Server, body: object): Promise<number> {
  const answer = await server.post(CLOCK, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return Date.parse(answer.json.time);
}

async function begins(server: Server): Promise<number> {
  return Date.parse((await server.get(CLOCK)).json.time);
}

t.test('without the option there is no such clock', async (t) => {
  const server = await startServer({ test: t, args: ['--laboratory'] });
  t.equal((await server.get(CLOCK)).status, 404);
});

t.test('objects and answers have the time that it was moved to', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const standing = await move(server, { factor: 0 });
  t.equal(await begins(server), standing, 'factor 0 stands');
  const day = await move(server, { advance: '24h' });
  t.equal(day, standing + DAY_MS);
  const made = await server.post(`${MAPS}?fieldManager=tester`, {
    metadata: { name: 'made' },
    data: { a: 'b' },
  });
  const second = Math.floor(day / 1000) * 1000;
  t.equal(Date.parse(made.json.metadata.creationTimestamp), second);
  t.equal(Date.parse(made.json.metadata.managedFields[0].time), second);
  t.equal(Date.parse(made.headers.date ?? ''), second);
  const fast = await move(server, { factor: 3600, set: new Date(day + 1_000).toISOString() });
  t.ok(fast > day + 1_000 && fast < day + DAY_MS, 'it runs');
});

t.test('what cannot be is refused, and says why', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  for (const [body, why] of [
    [{}, 'give one of advance, set, factor'],
    [{ advance: '-1h' }, /^advance: give a duration that is not negative/],
    [{ advance: 'soon' }, /^advance: time: invalid duration/],
    [{ set: '2001-01-01T00:00:00Z' }, /^set: the clock is at .*, and never goes back/],
    [{ factor: -1 }, /^factor: give a number from 0/],
    [{ speed: 1 }, 'speed is unknown: the body has advance, set, factor'],
  ] as const) {
    const refused = await server.post(CLOCK, body);
    t.equal(refused.status, 400);
    t.match(refused.json.message, why);
  }
});

t.test('a restart does not go back', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const before = await move(server, { advance: '720h' });
  await server.kill();
  await server.restart();
  const after = await begins(server);
  t.ok(after >= before && after < before + DAY_MS);
  const stands = await move(server, { factor: 0 });
  await server.kill();
  await server.restart();
  t.equal(await begins(server), stands);
});

t.test('leases are renewed', async (t) => {
  const server = await startServer({ test: t, args: [...ARGS, '--fake-nodes=12'] });
  const leases = '/apis/coordination.cluster.io/v1/leases';
  const renewed = async () => {
    const { json } = await server.get(leases);
    const items = json.items as { spec: { renewTime: string } }[];
    return items.map(({ spec }) => Date.parse(spec.renewTime));
  };
  await until(async () => (await renewed()).length === 12);
  await move(server, { factor: 0 });
  const later = await move(server, { advance: '1h' });
  await until(async () => (await renewed()).every((time) => time >= later));
  t.equal((await renewed()).length, 12);
});

t.test('events expire', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'about' };
  await server.post(EVENTS, { metadata: { name: 'one' }, involvedObject });
  const watch = await server.watch(`${EVENTS}?watch=true`);
  t.equal((await watch.next())?.type, 'ADDED');
  await move(server, { advance: '30m' });
  t.equal((await server.get(`${EVENTS}/one`)).status, 200);
  await move(server, { advance: '31m' });
  t.equal((await watch.next())?.type, 'DELETED');
  watch.close();
});

t.test('tokens end', async (t) => {
  const server = await startServer({ test: t, args: ARGS });
  await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
  const asked = await server.post(path, { spec: { expirationSeconds: 3600 } });
  t.equal(asked.status, 201, asked.text);
  const headers = { authorization: `Bearer ${asked.json.status.token}` };
  t.equal((await server.get(MAPS, headers)).status, 200);
  await move(server, { advance: '59m' });
  t.equal((await server.get(MAPS, headers)).status, 200);
  // Clocks may differ by a minute.
  await move(server, { advance: '3m' });
  t.equal((await server.get(MAPS, headers)).status, 401);
});

t.test('bootstrap tokens end, and go', async (t) => {
  const args = [...ARGS, '--enable-bootstrap-token-auth', '--controllers=*,tokencleaner'];
  const server = await startServer({ test: t, args });
  const expiration = new Date((await begins(server)) + 3_600_000).toISOString();
  const secrets = '/api/v1/namespaces/cluster-system/secrets';
  const made = await server.post(secrets, {
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration,
      'usage-bootstrap-authentication': 'true',
    },
  });
  t.equal(made.status, 201, made.text);
  const headers = { authorization: 'Bearer abcdef.0123456789abcdef' };
  t.equal((await server.get(MAPS, headers)).status, 200);
  const watch = await server.watch(
    `${secrets}?watch=true&resourceVersion=${made.json.metadata.resourceVersion}`,
  );
  await move(server, { advance: '61m' });
  t.equal((await server.get(MAPS, headers)).status, 401);
  t.match(await watch.next(), {
    type: 'DELETED',
    object: { metadata: { name: 'bootstrap-token-abcdef' } },
  });
  watch.close();
});

t.test('history leaves its window', async (t) => {
  const server = await startServer({ test: t, args: [...ARGS, '--watch-history=10m'] });
  const made = await server.post(MAPS, { metadata: { name: 'made' } });
  const { resourceVersion } = made.json.metadata;
  for (const data of [{ a: '1' }, { a: '2' }, { a: '3' }]) {
    const { metadata } = made.json;
    await server.put(`${MAPS}/made`, { metadata: { name: metadata.name }, data });
  }
  const since = `${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
  await move(server, { advance: '9m' });
  t.equal((await server.get(since)).status, 200);
  await move(server, { advance: '2m' });
  // The version at which history begins is that of the last one that left.
  t.equal((await server.get(since)).status, 410);
});

t.end();
