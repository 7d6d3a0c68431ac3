/** Namespaces and what lives in them. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { KINDS, configMap, minimalObject, typePath } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ test: t });
const NAMESPACES = '/api/v1/namespaces';

/** Waits until a GET of `path` is 404. */
async function gone(path: string): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if ((await server.get(path)).status === 404) return true;
    await sleep(20);
  }
  return false;
}

t.test('the default and the system namespaces exist from the start', async (t) => {
  const { json } = await server.get(NAMESPACES);
  const names = json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  const expected = ['cluster-node-lease', 'cluster-public', 'cluster-system', 'default'];
  // The other dialect spells them so that they follow the default one.
  t.same(names.toSorted(), expected);
  for (const name of names) {
    const namespace = (await server.get(`${NAMESPACES}/${name}`)).json;
    t.equal(namespace.status.phase, 'Active', name);
    t.same(namespace.spec.finalizers, ['cluster'], name);
    t.equal(namespace.metadata.labels['cluster.io/metadata.name'], name);
  }
});

t.test('a namespaced kind cannot be created where there is no namespace', async (t) => {
  for (const kind of KINDS.filter((one) => one.namespaced)) {
    const answer = await server.post(typePath(kind, 'nowhere'), minimalObject(kind, 'x'));
    expectFailure(t, answer, {
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    });
  }
});

t.test('a namespace can be used the moment its creation is answered', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const name = `fresh-${round}`;
    t.equal((await server.post(NAMESPACES, { metadata: { name } })).status, 201);
    const kinds = KINDS.filter((one) => one.namespaced);
    const answers = await Promise.all(
      kinds.map(async (kind) => server.post(typePath(kind, name), minimalObject(kind, 'x'))),
    );
    for (const answer of answers) t.equal(answer.status, 201, answer.text.slice(0, 200));
  }
});

t.test('a namespace that ends: marked once, and closed to what is new', async (t) => {
  const path = `${NAMESPACES}/ending`;
  await server.post(NAMESPACES, { metadata: { name: 'ending' } });
  const held = { ...configMap('held'), metadata: { name: 'held', finalizers: ['example.com/a'] } };
  await server.post(`${path}/configmaps`, held);
  for (const [preconditions, why] of [
    [{ uid: 'other' }, /^Precondition failed: UID in precondition: other, UID in object meta: /],
    [
      { resourceVersion: '1' },
      /^Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: /,
    ],
  ] as const) {
    const { status, json } = await server.delete(path, { preconditions });
    t.same([status, json.details], [409, { name: 'ending', kind: 'namespaces' }]);
    t.match(json.message.replace(/^.*"ending": /, ''), why);
  }
  const deleted = await server.delete(path);
  t.match(deleted.json, { status: { phase: 'Terminating' }, spec: { finalizers: ['cluster'] } });
  t.type(deleted.json.metadata.deletionTimestamp, 'string');
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, undefined);
  const again = await server.delete(path, { propagationPolicy: 'Foreground' });
  t.equal(again.status, 200);
  t.equal(again.json.metadata.finalizers, undefined, 'nothing but its finalizers counts now');

  const why = 'unable to create new content in namespace ending because it is being terminated';
  const cause = {
    reason: 'NamespaceTerminating',
    message: 'namespace ending is being terminated',
    field: 'metadata.namespace',
  };
  const rows: [string, unknown, string, string][] = [
    ['configmaps', configMap('held'), 'configmaps', 'held'],
    ['configmaps', { metadata: { generateName: 'new-' } }, 'configmaps', 'new-'],
    ['pods/p/eviction', {}, 'pods', 'p'],
    ['pods/p/binding', {}, 'pods', 'p'],
    ['bindings', { metadata: { name: 'p' } }, 'bindings', 'p'],
    ['serviceaccounts/a/token', {}, 'serviceaccounts', 'a'],
  ];
  for (const [resource, body, kind, name] of rows) {
    expectFailure(t, await server.post(`${path}/${resource}`, body), {
      code: 403,
      reason: 'Forbidden',
      message: `${kind} "${name}" is forbidden: ${why}`,
      details: { name, kind, causes: [cause] },
    });
    expectFailure(t, await server.post(`${NAMESPACES}/nowhere/${resource}`, body), {
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nowhere" not found',
    });
  }
  const active = { status: { phase: 'Active' } };
  const merge = { 'content-type': 'application/merge-patch+json' };
  const { json } = await server.request('PATCH', `${path}/status`, active, merge);
  t.equal(json.details.causes[0].field, 'status.Phase');
  await server.request(
    'PATCH',
    `${path}/configmaps/held`,
    { metadata: { finalizers: null } },
    merge,
  );
  t.ok(await gone(path), 'nothing holds it any more');
  const forbidden = { code: 403, message: /: this namespace may not be deleted$/ };
  expectFailure(t, await server.delete(`${NAMESPACES}/default`), forbidden);
  const preconditions = { uid: 'other' };
  const conflict = { code: 409, message: /: Precondition failed: UID in precondition: other, / };
  expectFailure(t, await server.delete(`${NAMESPACES}/default`, { preconditions }), conflict);
});

t.test('deleting a namespace empties it and removes it', async (t) => {
  const name = 'doomed';
  const path = `${NAMESPACES}/${name}`;
  await server.post(NAMESPACES, { metadata: { name } });
  const kinds = KINDS.filter((one) => one.namespaced);
  for (const kind of kinds) {
    for (const object of ['one', 'two']) {
      const answer = await server.post(typePath(kind, name), minimalObject(kind, object));
      t.equal(answer.status, 201);
    }
  }
  const from = (await server.get(NAMESPACES)).json.metadata.resourceVersion;
  const watch = await server.watch(`${NAMESPACES}?watch=true&resourceVersion=${from}`);
  const deleted = await server.delete(path);
  t.equal(deleted.status, 200, deleted.text.slice(0, 200));
  t.equal(deleted.json.kind, 'Namespace');
  t.equal(deleted.json.status.phase, 'Terminating');
  t.ok(deleted.json.metadata.deletionTimestamp);
  t.ok(await gone(path), 'the namespace goes');
  for (const kind of kinds) {
    t.same((await server.get(typePath(kind, name))).json.items, [], `${kind.kind} is empty`);
  }
  const events = [];
  for (let event = await watch.next(); event?.type !== 'DELETED'; event = await watch.next()) {
    events.push(event);
    if (event === undefined) break;
  }
  t.equal(events[0]?.type, 'MODIFIED', 'watchers see it terminate, then go');
  watch.close();
  t.equal((await server.post(NAMESPACES, { metadata: { name } })).status, 201, 'it can come back');
  t.same((await server.get(typePath(kinds[0]!, name))).json.items, [], 'empty');
});

t.test('a terminating namespace takes no new objects, but lets old ones change', async (t) => {
  const name = 'terminating';
  const configMaps = `${NAMESPACES}/${name}/configmaps`;
  await server.post(NAMESPACES, { metadata: { name } });
  const held = await server.post(
    configMaps,
    configMap('held', {}, { finalizers: ['example.com/hold'] }),
  );
  await server.delete(`${NAMESPACES}/${name}`);
  const refused = await server.post(configMaps, configMap('late'));
  expectFailure(t, refused, {
    code: 403,
    reason: 'Forbidden',
    message:
      'configmaps "late" is forbidden: unable to create new content in namespace terminating ' +
      'because it is being terminated',
    details: {
      name: 'late',
      kind: 'configmaps',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: 'namespace terminating is being terminated',
          field: 'metadata.namespace',
        },
      ],
    },
  });
  t.equal((await server.get(`${NAMESPACES}/${name}`)).json.status.phase, 'Terminating');
  const current = (await server.get(`${configMaps}/held`)).json ?? held.json;
  current.metadata.finalizers = [];
  delete current.metadata.resourceVersion;
  t.equal((await server.put(`${configMaps}/held`, current)).status, 200);
  t.ok(await gone(`${NAMESPACES}/${name}`), 'when the last object goes, so does the namespace');
});

t.test('a phase that a client writes does not end a namespace', async (t) => {
  const status = { phase: 'Terminating' };
  const created = await server.post(NAMESPACES, { metadata: { name: 'phased' }, status });
  t.equal(created.json.status.phase, 'Active');
  const put = await server.put(`${NAMESPACES}/phased`, { ...created.json, status });
  t.equal(put.json.status.phase, 'Active');
  const forced = await server.put(`${NAMESPACES}/phased/status`, { ...created.json, status });
  t.ok(forced.status >= 400, 'not through /status either');
  const answer = await server.post(`${NAMESPACES}/phased/configmaps`, configMap('x'));
  t.equal(answer.status, 201);
});

t.test('some namespaces stay for ever', async (t) => {
  for (const name of ['default', 'cluster-system', 'cluster-public']) {
    expectFailure(t, await server.delete(`${NAMESPACES}/${name}`), {
      code: 403,
      reason: 'Forbidden',
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  }
});

t.test('namespaces have no deletecollection, and their finalizers no normal update', async (t) => {
  const answer = await server.delete(NAMESPACES);
  expectFailure(t, answer, { code: 405, reason: 'MethodNotAllowed' });
  await server.post(NAMESPACES, { metadata: { name: 'kept' } });
  const current = (await server.get(`${NAMESPACES}/kept`)).json;
  const put = await server.put(`${NAMESPACES}/kept`, { ...current, spec: {} });
  t.same(put.json.spec.finalizers, ['cluster']);
});

t.test('after a restart they are the same, and a deletion goes on', async (t) => {
  const path = `${NAMESPACES}/slow`;
  const before = (await server.get(NAMESPACES)).json.items;
  await server.post(NAMESPACES, { metadata: { name: 'slow' } });
  const held = configMap('held', {}, { finalizers: ['example.com/hold'] });
  await server.post(`${path}/configmaps`, held);
  await server.post(`${path}/configmaps`, configMap('free'));
  await server.delete(path);
  await server.kill();
  await server.restart();
  const after = (await server.get(NAMESPACES)).json.items;
  t.same(
    after.filter(({ metadata }: TestObject) => metadata.name !== 'slow'),
    before,
  );
  const refused = await server.post(`${path}/configmaps`, configMap('late'));
  expectFailure(t, refused, { code: 403, reason: 'Forbidden' });
  const current = (await server.get(`${path}/configmaps/held`)).json;
  current.metadata.finalizers = [];
  delete current.metadata.resourceVersion;
  t.equal((await server.put(`${path}/configmaps/held`, current)).status, 200);
  t.ok(await gone(path));
});

t.end();
