// A server that ends, in order or at once, while writes wait for webhooks: who waits is told so or
// cut off, and nothing of it is there afterwards that was not answered.
import t from 'tap';
import type { Test } from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { HeldWebhook } from '../support/held-webhook.ts';
import { CONFIG_MAPS, Hooked } from '../support/hooked.ts';
import type { TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { PATCH_TYPES } from '../support/send-patch.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t, args: ['--shutdown-timeout', '60s'] });
const webhook = await startAdmissionWebhook(t);
const UNANSWERED = 'shardplane: stopped with requests unanswered: --shutdown-timeout is over\n';
const LARGE = 'x'.repeat(100_000);

/** Writes of all sorts that wait, in a namespace of their own. */
async function waiting(t: Test, sort: 'Mutating' | 'Validating', name: string) {
  const here = new Hooked(server, webhook, `ends-${name}`);
  await here.begin();
  for (const existing of ['deleted', 'patched', 'updated', 'stays']) await here.make(existing);
  const owner = await here.make('owner');
  const { uid } = owner.json.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await here.make('owned', { metadata: { name: 'owned', ownerReferences } });
  const { json: before } = await server.get(here.path('updated'));
  const held = new HeldWebhook();
  const rules = [{ ...CONFIG_MAPS, operations: ['*'] }];
  const selected = { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] };
  await server.request(
    'PATCH',
    here.path('owner'),
    JSON.stringify({ metadata: { labels: { free: 'yes' } } }),
    { 'content-type': PATCH_TYPES.merge },
  );
  const end = await here.register(t, sort, {
    held: { behaviour: held.behaviour, rules, objectSelector: selected, timeoutSeconds: 30 },
  });
  const writes = [
    here.make('created'),
    here.make('large', { data: { a: LARGE } }),
    server.request('PATCH', here.path('patched'), '{"data":{"b":"2"}}', {
      'content-type': PATCH_TYPES.merge,
    }),
    server.put(here.path('updated'), { ...before, data: { b: '2' } }),
    server.delete(here.path('deleted')),
    server.delete(`${here.path()}?labelSelector=!free`),
  ].map((answer) => answer.catch(() => undefined));
  await held.asked(writes.length);
  // Its dependent is collected, and that has to wait, too.
  await server.delete(here.path('owner'));
  await held.asked(writes.length + 1);
  const names = async (): Promise<string[]> => {
    const { json } = await server.get(here.path());
    return json.items.map(({ metadata }: TestObject) => metadata.name);
  };
  return { here, held, end, writes, names };
}

const ALL = ['deleted', 'owned', 'patched', 'stays', 'updated'];

t.test('an orderly end lets those finish that are answered in time', async (t) => {
  const { here, held, writes } = await waiting(t, 'Mutating', 'finish');
  const exit = server.stop();
  await until(async () => {
    const ready = await server.get('/readyz').catch(() => undefined);
    return ready?.status !== 200;
  });
  held.release();
  t.equal((await exit).code, 0);
  const statuses = (await Promise.all(writes)).map((answer) => answer?.status ?? 0);
  await server.restart({ args: ['--shutdown-timeout', '1s'] });
  const { json } = await server.get(here.path());
  const names = json.items.map(({ metadata }: TestObject) => metadata.name);
  t.equal(names.includes('created'), statuses[0] === 201, statuses.join());
  t.equal(names.includes('large'), statuses[1] === 201);
  t.equal(names.includes('deleted'), statuses[4] !== 200 && statuses[5] !== 200);
});

const ENDS = { stop: 'Mutating', kill: 'Validating' } as const;
for (const how of ['stop', 'kill'] as const) {
  t.test(`${how} while webhooks are asked, and do not answer`, async (t) => {
    const { here, held, end, writes, names } = await waiting(t, ENDS[how], how);
    const exit = await server[how]();
    const said = how === 'stop' ? UNANSWERED : '';
    t.equal(exit.stderr, said);
    const statuses = (await Promise.all(writes)).map((answer) => answer?.status);
    t.ok(
      statuses.every((status) => status === undefined || (how === 'stop' && status === 503)),
      `nobody is told that it was done: ${statuses.join()}`,
    );
    await server.restart({ args: ['--shutdown-timeout', '1s'] });
    const there = await names();
    t.same(there, ALL, 'nothing is there that nobody was told of');
    const { json } = await server.get(here.path('patched'));
    t.same(json.data, { a: '1' });
    held.release();
    t.equal((await here.make('after')).status, 201);
    t.equal((await server.delete(here.path('after'))).status, 200);
    await until(async () => !(await names()).includes('owned'));
    t.same(await names(), ['deleted', 'patched', 'stays', 'updated'], 'garbage is collected');
    await end();
    t.equal(server.stderr, '');
  });
}

t.end();
