// Objects of types whose definitions name a conversion webhook: watched in other versions.
import t from 'tap';
import { conversionCases } from '../support/conversion-cases.ts';
import { startConversionWebhook } from '../support/conversion-webhook.ts';
import { outsideAddress } from '../support/fake-agent.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { startServer } from '../support/server.ts';
import type { WatchEvent } from '../support/watch-stream.ts';

const server = await startServer({ args: ['--durability', 'relaxed'] });
t.teardown(() => server.stop());
const webhook = await startConversionWebhook(t, { names: ['svc.default.svc'], host: '0.0.0.0' });
const cases = conversionCases(server, webhook);
const { define, configure, path, make, merge, objectOf } = cases;

function shown({ type, object }: WatchEvent): unknown[] {
  return [type, object.metadata.name, object.spec];
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.cluster.io';

t.test('each event is converted once for all watches of a version', async (t) => {
  await define('firsts');
  for (const name of ['a', 'b']) await make('firsts', 'v1', name, { hostPort: `${name}:1` });
  const watches = [
    await server.watch(`${path('firsts', 'v2')}?watch=true`),
    await server.watch(`${path('firsts', 'v2')}?watch=true&labelSelector=!none`),
    await server.watch(`${path('firsts', 'v2')}?watch=true`, { accept: TABLE }),
  ];
  const [first, second, table] = watches;
  const state = ['a', 'b'].map((host) => ['ADDED', host, { host, port: '1', size: 'big' }]);
  t.same((await first!.take(2)).map(shown), state);
  t.same((await second!.take(2)).map(shown), state);
  const rows = (await table!.take(2)).map(({ object }) => object.rows[0].cells);
  t.same(rows, [
    ['a', 'a'],
    ['b', 'b'],
  ]);
  t.equal(webhook.reviews.length, 1, 'one call for the state');

  webhook.reviews.length = 0;
  await make('firsts', 'v1', 'c', { hostPort: 'c:1' });
  await merge(path('firsts', 'v1', 'c'), { spec: { hostPort: 'c:2' } });
  await server.delete(path('firsts', 'v1', 'c'));
  const changes = [
    ['ADDED', 'c', { host: 'c', port: '1', size: 'big' }],
    ['MODIFIED', 'c', { host: 'c', port: '2', size: 'big' }],
    ['DELETED', 'c', { host: 'c', port: '2', size: 'big' }],
  ];
  t.same((await first!.take(3)).map(shown), changes);
  t.same((await second!.take(3)).map(shown), changes);
  t.equal((await table!.take(3)).length, 3);
  t.equal(webhook.reviews.length, 2, 'what is deleted is known');
  for (const watch of watches) watch.close();
});

t.test('events that wait for the webhook hold nobody else up, and keep their order', async (t) => {
  await define('seconds');
  const version = (await server.get(path('seconds', 'v1'))).json.metadata.resourceVersion;
  const query = `watch=true&resourceVersion=${version}`;
  const stored = await server.watch(`${path('seconds', 'v1')}?${query}`);
  const other = await server.watch(`${path('seconds', 'v2')}?${query}`);
  webhook.reviews.length = 0;
  webhook.behave('hangs');
  await make('seconds', 'v1', 'a', { hostPort: 'a:1' });
  await until(() => Promise.resolve(webhook.reviews.length === 1));
  webhook.behave('right');
  await make('seconds', 'v1', 'b', { hostPort: 'b:1' });
  const seen = (await stored.take(2)).map(({ object }) => object.metadata.name);
  t.same(seen, ['a', 'b']);
  await until(() => Promise.resolve(webhook.reviews.length === 2));
  // One that comes now begins with what is there, and the events that wait are not for it.
  const opening = server.watch(`${path('seconds', 'v2')}?watch=true&resourceVersion=0`);
  t.equal(other.events.length, 0, 'it waits for the first');
  webhook.release();
  const late = await opening;
  const events = (await other.take(2)).map(shown);
  t.same(
    events.map(([type, name]) => [type, name]),
    [
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ],
  );
  t.same((await late.take(2)).map(shown), events);
  await make('seconds', 'v2', 'c', { host: 'c' });
  t.same((await late.take(1)).map(shown), [['ADDED', 'c', { host: 'c', size: 'big' }]]);
  t.equal(late.events.length, 3);
  for (const watch of [stored, other, late]) watch.close();
});

t.test('a webhook that fails ends the watches of other versions, and no others', async (t) => {
  await define('thirds');
  const version = (await server.get(path('thirds', 'v1'))).json.metadata.resourceVersion;
  const query = `watch=true&resourceVersion=${version}`;
  const stored = await server.watch(`${path('thirds', 'v1')}?${query}`);
  const other = await server.watch(`${path('thirds', 'v2')}?${query}`);
  webhook.behave('fails');
  await make('thirds', 'v1', 'a', { hostPort: 'a:1' });
  await other.end();
  t.same(other.events, [], 'without an event, as by the reference');
  t.same(
    (await stored.take(1)).map(({ type }) => type),
    ['ADDED'],
  );
  const refused = await server.get(`${path('thirds', 'v2')}?${query}`);
  t.match(refused.json, {
    code: 500,
    message: /^conversion webhook for \S+ Kind=Third failed: these are not the objects$/,
  });
  webhook.behave('right');
  const again = await server.watch(`${path('thirds', 'v2')}?${query}`);
  t.same((await again.take(1)).map(shown), [['ADDED', 'a', { host: 'a', port: '1', size: 'big' }]]);
  for (const watch of [stored, again]) watch.close();
});

t.test('long histories are converted page by page', async (t) => {
  await define('fourths');
  const version = (await server.get(path('fourths', 'v1'))).json.metadata.resourceVersion;
  const size = 'x'.repeat(100_000);
  for (let at = 0; at < 8; at++)
    await make('fourths', 'v1', `o${at}`, { hostPort: `h:${at}`, size });
  const watch = await server.watch(
    `${path('fourths', 'v2')}?watch=true&resourceVersion=${version}`,
  );
  const ports = (await watch.take(8)).map(({ object }) => object.spec.port);
  t.same(
    ports,
    Array.from({ length: 8 }, (_, at) => String(at)),
  );
  watch.close();
  const state = await server.watch(`${path('fourths', 'v3')}?watch=true`);
  t.equal((await state.take(8)).length, 8);
  state.close();
});

t.test('watches go on when another version is stored', async (t) => {
  await define('fifths');
  await make('fifths', 'v1', 'a', { hostPort: 'a:1' });
  const watch = await server.watch(`${path('fifths', 'v1')}?watch=true`);
  const others = await server.watch(`${path('fifths', 'v2')}?watch=true`);
  await Promise.all([watch.take(1), others.take(1)]);
  await cases.store('fifths', 'v2');
  await merge(path('fifths', 'v1', 'a'), { spec: { hostPort: 'a:2' } });
  t.same((await watch.take(1)).map(shown), [['MODIFIED', 'a', { hostPort: 'a:2', size: 'big' }]]);
  t.same((await others.take(1)).map(shown), [
    ['MODIFIED', 'a', { host: 'a', port: '2', size: 'big' }],
  ]);
  await server.delete(path('fifths', 'v2', 'a'));
  t.equal((await watch.take(1))[0]?.object.spec.hostPort, 'a:2');
  watch.close();
  others.close();
});

t.test('a service is reached at its endpoints, or at its external name', async (t) => {
  await define('sixths');
  const made = await make('sixths', 'v1', 'a', { hostPort: 'a:1' });
  t.equal(made.status, 201);
  const at = '/api/v1/namespaces/default';
  const { caBundle } = webhook;
  await configure('sixths', {
    service: { namespace: 'default', name: 'svc', path: '/right', port: 8443 },
    caBundle,
  });
  const message = async (): Promise<string> =>
    String((await server.get(path('sixths', 'v2', 'a'))).json.message).replace(/^.*?s": /, '');
  t.equal(await message(), 'service "svc" not found');
  const ports = [
    { name: 'hook', port: 8443, targetPort: 1234 },
    { name: 'web', port: 80 },
  ];
  await server.post(`${at}/services`, { metadata: { name: 'svc' }, spec: { ports } });
  t.equal(await message(), 'endpoints "svc" not found');
  const subset = (name: string, port: number): Members => ({
    addresses: [{ ip: outsideAddress() }],
    notReadyAddresses: [{ ip: '192.0.2.1' }],
    ports: [{ name, port }],
  });
  const endpoints = { metadata: { name: 'svc' }, subsets: [subset('web', 80)] };
  await server.post(`${at}/endpoints`, endpoints);
  await until(async () => (await message()) === 'no endpoints available for service "svc"');
  const subsets = [...endpoints.subsets, subset('hook', webhook.port)];
  await server.put(`${at}/endpoints/svc`, { ...endpoints, subsets });
  await until(async () => (await server.get(path('sixths', 'v2', 'a'))).status === 200);

  const external = { type: 'ExternalName', externalName: 'localhost' };
  await server.post(`${at}/services`, { metadata: { name: 'ext' }, spec: external });
  const service = { namespace: 'default', name: 'ext', path: '/right', port: webhook.port };
  await configure('sixths', { service, caBundle });
  t.equal(
    await message(),
    'tls: failed to verify certificate: x509: certificate is valid for svc.default.svc, not ext.default.svc',
  );
  await server.delete(`${at}/services/svc`);
  await server.post(`${at}/services`, { metadata: { name: 'svc' }, spec: external });
  await configure('sixths', { service: { ...service, name: 'svc' }, caBundle });
  await until(async () => (await server.get(path('sixths', 'v2', 'a'))).status === 200);
  const written = await server.post(path('sixths', 'v3'), objectOf('sixths', 'v3', 'b', {}));
  t.equal(written.status, 201);
});
