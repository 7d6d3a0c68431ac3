// Writes that wait for a webhook: what others do meanwhile, and what becomes of them when the type
// or the namespace of their object changes or goes.
import t from 'tap';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { customDefinition, DEFINITIONS, established, versionsOf } from '../support/custom-types.ts';
import { HeldWebhook } from '../support/held-webhook.ts';
import { CONFIG_MAPS, Hooked } from '../support/hooked.ts';
import type { Members } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { PATCH_TYPES } from '../support/send-patch.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const webhook = await startAdmissionWebhook(t);
const MERGE = { 'content-type': PATCH_TYPES.merge };
const SELECTED = { objectSelector: { matchLabels: { held: 'yes' } } };
const labels = { held: 'yes' };
/** Written in steps between which others have their turns. */
const LARGE = 'x'.repeat(100_000);

async function hooked(name: string): Promise<Hooked> {
  const here = new Hooked(server, webhook, `waits-${name}`);
  await here.begin();
  return here;
}

function patch(path: string, change: Members): Promise<Answer> {
  return server.request('PATCH', path, JSON.stringify(change), MERGE);
}

for (const sort of ['Mutating', 'Validating'] as const) {
  t.test(`while a ${sort} webhook is waited for, others of the type are written`, async (t) => {
    const here = await hooked(sort.toLowerCase());
    for (const name of ['small', 'large']) {
      await here.make(name, { data: { a: name === 'small' ? '1' : LARGE } });
    }
    const held = new HeldWebhook();
    await here.register(t, sort, { held: { ...SELECTED, behaviour: held.behaviour } });
    const order: string[] = [];
    const noting = async (what: string, answer: Promise<Answer>): Promise<void> => {
      order.push(`${what} ${(await answer).status}`);
    };
    const waiting = [
      noting('held create', here.make('held', { metadata: { name: 'held', labels } })),
      noting(
        'held large create',
        here.make('held-large', { metadata: { name: 'held-large', labels }, data: { a: LARGE } }),
      ),
      noting('held patch', patch(here.path('large'), { metadata: { labels } })),
    ];
    await held.asked(3);
    await noting('create', here.make('other'));
    await noting('large create', here.make('other-large', { data: { a: LARGE } }));
    await noting('patch', patch(here.path('small'), { data: { b: '2' } }));
    await noting('large patch', patch(here.path('small'), { data: { b: LARGE } }));
    await noting('patch of what is waited for', patch(here.path('large'), { data: { b: '2' } }));
    await noting('list', server.get(here.path()));
    await noting('delete', server.delete(here.path('other-large')));
    held.release();
    await Promise.all(waiting);
    t.same(order.slice(0, 7), [
      'create 201',
      'large create 201',
      'patch 200',
      'large patch 200',
      'patch of what is waited for 200',
      'list 200',
      'delete 200',
    ]);
    t.same(order.slice(7).sort(), ['held create 201', 'held large create 201', 'held patch 200']);
    const { json } = await server.get(here.path('large'));
    t.match(json, { data: { a: LARGE, b: '2' }, metadata: { labels } }, 'both patches are there');
  });
}

t.test('a type goes, or changes, while webhooks are asked about its objects', async (t) => {
  const group = 'waits.example.com';
  const definition = customDefinition(group, 'Gadget', versionsOf(['v1', 'v2'], 'v1'));
  const at = `${DEFINITIONS}/${definition.metadata.name}`;
  const gadgets = `/apis/${group}/v1/namespaces/waits-types/gadgets`;
  const gadget = (name: string): Members => {
    return { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name, labels } };
  };
  const here = await hooked('types');
  const rules = [
    { operations: ['*'], apiGroups: [group], apiVersions: ['*'], resources: ['gadgets'] },
  ];
  for (const sort of ['Mutating', 'Validating'] as const) {
    for (const change of ['is stored otherwise', 'is not served', 'goes', 'comes back']) {
      await established(server, definition);
      for (const name of ['patched', 'deleted', 'updated']) {
        t.equal((await server.post(gadgets, gadget(name))).status, 201);
      }
      const { json: before } = await server.get(`${gadgets}/updated`);
      const held = new HeldWebhook();
      const end = await here.register(t, sort, { held: { rules, behaviour: held.behaviour } });
      const writes = {
        created: server.post(gadgets, gadget('created')),
        patched: patch(`${gadgets}/patched`, { a: 1 }),
        updated: server.put(`${gadgets}/updated`, { ...before, a: 1 }),
        deleted: server.delete(`${gadgets}/deleted`),
      };
      await held.asked(4);
      const isGone = change === 'goes' || change === 'comes back';
      if (isGone) {
        await server.delete(at);
        // The end of a type deletes its objects, and webhooks are asked about that, too.
        await held.asked(5);
      } else {
        const versions = versionsOf(['v1', 'v2'], 'v2');
        if (change === 'is not served') versions[0]!['served'] = false;
        t.equal((await patch(at, { spec: { versions } })).status, 200);
      }
      held.release();
      const statuses: Record<string, number> = {};
      for (const [what, answer] of Object.entries(writes)) statuses[what] = (await answer).status;
      await end();
      const said = `${sort}: it ${change}: ${JSON.stringify(statuses)}`;
      if (change === 'is stored otherwise') {
        t.same(statuses, { created: 201, patched: 200, updated: 200, deleted: 200 }, said);
        const names = await namesIn(`/apis/${group}/v2/namespaces/waits-types/gadgets`);
        t.same(names, ['created', 'patched', 'updated']);
      } else {
        const known = new Set([200, 201, 404, 409]);
        t.ok(
          Object.values(statuses).every((status) => known.has(status)),
          said,
        );
      }
      if (change !== 'comes back') await server.delete(at);
      await until(async () => (await server.get(at)).status === 404);
      if (change !== 'comes back') continue;
      await established(server, definition);
      t.same(await namesIn(gadgets), [], `${said}: nothing is there anew`);
      await server.delete(at);
      await until(async () => (await server.get(at)).status === 404);
    }
  }
});

async function namesIn(path: string): Promise<string[]> {
  const { json } = await server.get(path);
  return json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

t.test('a namespace ends while webhooks are asked about its objects', async (t) => {
  for (const sort of ['Mutating', 'Validating'] as const) {
    const here = await hooked(`ends-${sort.toLowerCase()}`);
    for (const name of ['patched', 'deleted']) await here.make(name);
    const held = new HeldWebhook();
    const rules = [{ ...CONFIG_MAPS, operations: ['CREATE', 'UPDATE'] }];
    const end = await here.register(t, sort, { held: { rules, behaviour: held.behaviour } });
    const created = here.make('created');
    const large = here.make('large', { data: { a: LARGE } });
    const patched = patch(here.path('patched'), { data: { b: '2' } });
    await held.asked(3);
    const at = `/api/v1/namespaces/${here.namespace}`;
    await server.delete(at);
    await until(async () => (await server.get(at)).status === 404);
    held.release();
    const statuses = [await created, await large, await patched].map(({ status }) => status);
    t.ok(
      statuses.every((status) => status === 403 || status === 404),
      `${sort}: ${statuses.join()}`,
    );
    await end();
    await here.begin();
    t.same(await namesIn(here.path()), [], 'and nothing of it is left');
  }
});

t.end();
