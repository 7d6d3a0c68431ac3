/**
 * `dryRun=All` for every kind: the answer of the real request, and no trace of it. What the option
 * may be is in `bad-request.test.ts`, of collections in `delete-collection.test.ts`.
 */
import t, { type Test } from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import type { TestObject } from '../support/kinds.ts';
import type { Answer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { eachServedKind, type ServedKind } from '../support/served-kind.ts';
import { removalOf } from '../support/watch-events.ts';
import type { WatchStream } from '../support/watch-stream.ts';

const DRY = '?dryRun=All';
/** Names a LimitRange, whatever its generateName says. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const HOLD = { metadata: { finalizers: ['example.com/hold'] } };

// All kinds, one after the other.
const server = await sharedServer();
const kinds = await eachServedKind(server);

/** Leaves out the parts that are new in each answer to the same request. */
function comparable({ status, json }: Answer): TestObject {
  const { metadata, details, ...members } = structuredClone(json ?? {});
  for (const name of ['uid', 'creationTimestamp', 'deletionTimestamp', 'resourceVersion']) {
    if (metadata?.[name] !== undefined) metadata[name] = 'some';
    if (details?.[name] !== undefined) details[name] = 'some';
  }
  for (const entry of metadata?.managedFields ?? []) if (entry.time) entry.time = 'some';
  // Given out anew each time.
  if (members.kind === 'Service') {
    for (const name of ['clusterIP', 'clusterIPs', 'healthCheckNodePort']) {
      if (members.spec?.[name] !== undefined) members.spec[name] = 'some';
    }
  }
  return { code: status, metadata, details, ...members };
}

/** Sends a request as a dry run and then as it is: the same answer, and only the second stays. */
async function twice(
  t: Test,
  kind: ServedKind,
  what: string,
  send: (query: string) => Promise<Answer>,
): Promise<Answer> {
  const before = await server.get(kind.path);
  const dry = await send(DRY);
  const after = await server.get(kind.path);
  t.equal(after.text, before.text, `${what}: a dry run leaves the list as it was, and its version`);
  const real = await send('');
  const expected = comparable(real);
  // A new object has no version before it is stored.
  if (real.status === 201) delete expected.metadata?.resourceVersion;
  t.strictSame(comparable(dry), expected, `${what}: both have the same answer`);
  return real;
}

async function checkCreate(t: Test, kind: ServedKind): Promise<TestObject> {
  const made = await twice(t, kind, 'create', (query) => kind.post(kind.minimal('dry'), query));
  t.equal(made.status, 201, made.text.slice(0, 300));
  const object = (await kind.settled(made)).json;
  const again = await twice(t, kind, 'create again', (query) =>
    kind.create(kind.minimal('dry'), query),
  );
  expectFailure(t, again, { code: 409, reason: 'AlreadyExists' });
  const [rule, change = {}] = kind.cases.invalid.find(([, , causes]) => causes.length > 0) ?? [];
  if (rule !== undefined) {
    const refused = await twice(t, kind, rule, (query) =>
      kind.create(kind.minimal('refused', change), query),
    );
    expectFailure(t, refused, { code: 422, reason: 'Invalid' });
  }
  if (kind.cases.name !== undefined) return object;
  const nameless = { metadata: { name: undefined, generateName: 'generated-' } };
  const generated = await kind.create(kind.minimal('', nameless), DRY);
  t.equal(generated.status, 201, generated.text.slice(0, 300));
  const name = kind.cases.kind === 'LimitRange' ? UUID : /^generated-[a-z0-9]{5}$/;
  t.match(generated.json?.metadata?.name, name, 'a name is generated');
  t.equal((await kind.read(generated.json)).status, 404, 'which nothing has then');
  return object;
}

async function checkUpdates(t: Test, kind: ServedKind, object: TestObject): Promise<void> {
  const { metadata } = object;
  const put =
    (document: TestObject, subresource = '') =>
    (query: string): Promise<Answer> =>
      server.put(`${kind.pathOf(object)}${subresource}${query}`, document);
  const labelled = { ...object, metadata: { ...metadata, labels: { ...metadata.labels, a: 'b' } } };
  const updated = await twice(t, kind, 'update', put(labelled));
  t.equal(updated.status, 200, updated.text.slice(0, 300));
  const stale = await twice(t, kind, 'a stale update', put(object));
  expectFailure(t, stale, { code: 409, reason: 'Conflict' });
  const invalid = { ...updated.json, metadata: { ...updated.json.metadata, labels: { '-': '' } } };
  const refused = await twice(t, kind, 'an invalid update', put(invalid));
  expectFailure(t, refused, { code: 422, reason: 'Invalid' });

  const [, , change] =
    kind.cases.updates?.find(([, first, , causes]) => isEmpty(first, causes)) ?? [];
  if (change !== undefined) {
    const { name } = metadata;
    const changed = kind.document('dry', updated.json, change, { metadata: { name } });
    const accepted = await twice(t, kind, 'an update of the kind', put(changed));
    t.equal(accepted.status, 200, accepted.text.slice(0, 300));
    await kind.settled(accepted);
  }
  if (!kind.serves('status', 'update')) return;
  const row = kind.cases.statusUpdates?.find(([, first, , causes]) => isEmpty(first, causes));
  const live = (await kind.read(object)).json;
  const status = kind.document('dry', live, row?.[2] ?? {}, { metadata: { name: metadata.name } });
  const written = await twice(t, kind, 'an update of the status', put(status, '/status'));
  t.equal(written.status, 200, written.text.slice(0, 300));
}

function isEmpty(...parts: readonly object[]): boolean {
  return parts.every((part) => Object.keys(part).length === 0);
}

async function checkScale(t: Test, kind: ServedKind, object: TestObject): Promise<void> {
  const path = `${kind.pathOf(object)}/scale`;
  const scale = (await server.get(path)).json;
  const more = { ...scale, spec: { replicas: (scale.spec?.replicas ?? 0) + 2 } };
  const scaled = await twice(t, kind, 'scale', (query) => server.put(`${path}${query}`, more));
  t.match(scaled.json, { kind: 'Scale', spec: more.spec });
  const stale = await twice(t, kind, 'a stale scale', (query) =>
    server.put(`${path}${query}`, more),
  );
  expectFailure(t, stale, { code: 409, reason: 'Conflict' });
}

async function checkDelete(
  t: Test,
  kind: ServedKind,
  object: TestObject,
  watch: WatchStream,
): Promise<void> {
  for (const [what, name, query] of [
    ['delete', '', ''],
    ['delete what is held', 'held', ''],
    ['delete in the foreground', 'owner', '&propagationPolicy=Foreground'],
  ] as const) {
    const made = name === '' ? object : (await kind.create(kind.minimal(name, HOLD))).json;
    if (kind.deletesCollection) {
      const all = await server.delete(`${kind.path}${DRY}${query}`);
      t.equal(all.status, 200, `deletecollection: ${all.text.slice(0, 300)}`);
    }
    const deleted = await twice(t, kind, what, (dry) => {
      const options = `${dry === '' ? '?' : dry}${query}`;
      return server.delete(`${kind.pathOf(made)}${options}`);
    });
    t.equal(deleted.status, 200, deleted.text.slice(0, 300));
    await kind.remove(made);
    // Later changes by controllers would be taken for a trace of the next request.
    await removalOf(watch, made.metadata.name);
  }
  const missing = await twice(t, kind, 'delete what is gone', (query) =>
    server.delete(`${kind.pathOf(object)}${query}`),
  );
  expectFailure(t, missing, { code: 404, reason: 'NotFound' });
}

for (const [name, kind] of kinds) {
  t.test(name, async (t) => {
    const { resourceVersion } = (await server.get(kind.path)).json.metadata;
    const watch = await server.watch(`${kind.path}?watch=true&resourceVersion=${resourceVersion}`);
    const putMissing = await twice(t, kind, 'an update of nothing', (query) => {
      const document = kind.minimal('missing');
      return server.put(`${kind.pathOf(document)}${query}`, document);
    });
    if (putMissing.status === 201) {
      t.equal((await watch.next())?.object.metadata.uid, putMissing.json.metadata.uid);
      await kind.remove(putMissing.json);
      await removalOf(watch, putMissing.json.metadata.name);
    } else {
      t.ok([404, 422].includes(putMissing.status), putMissing.text.slice(0, 300));
    }
    const object = await checkCreate(t, kind);
    await checkUpdates(t, kind, object);
    if (kind.serves('scale', 'update')) await checkScale(t, kind, object);
    await checkDelete(t, kind, object, watch);
    const seen = watch.events.map((event) => Number(event.object.metadata.resourceVersion));
    t.notOk(seen.some(Number.isNaN), 'no event is of a dry run: they have versions');
    watch.close();
  });
}

const SERVICES = '/api/v1/namespaces/default/services';
const service = (name: string, spec: object = {}): TestObject => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

t.test('what a dry run gives out can still be had', async (t) => {
  const wanted = { type: 'NodePort' };
  const shown = await server.post(`${SERVICES}${DRY}`, service('shown', wanted));
  t.equal(shown.status, 201, shown.text);
  const { clusterIP } = shown.json.spec;
  const [{ nodePort }] = shown.json.spec.ports;
  t.match(clusterIP, /^\d+\.\d+\.\d+\.\d+$/, 'an address is shown');
  t.ok(nodePort >= 30_000, 'and a port');
  const fixed = { ...wanted, clusterIP, ports: [{ port: 80, nodePort }] };
  const dry = await server.post(`${SERVICES}${DRY}`, service('fixed', fixed));
  t.equal(dry.status, 201, `can be asked for: ${dry.text}`);
  const made = await server.post(SERVICES, service('fixed', fixed));
  t.equal(made.status, 201, `and be had: ${made.text}`);

  const taken = await server.post(`${SERVICES}${DRY}`, service('taken', fixed));
  t.equal(taken.status, 422, 'once, as a dry run knows too');
  await server.delete(`${SERVICES}/fixed${DRY}`);
  const kept = await server.post(SERVICES, service('taken', fixed));
  t.equal(kept.text, taken.text, 'a deletion that is a dry run does not give it back');
  await server.delete(`${SERVICES}/fixed`);
  const free = await server.post(SERVICES, service('taken', fixed));
  t.equal(free.status, 201, `the real one does: ${free.text}`);
  await server.delete(`${SERVICES}/taken`);
});

t.test('an update that is a dry run neither keeps nor gives back', async (t) => {
  const made = await server.post(SERVICES, service('changed'));
  const path = `${SERVICES}/changed`;
  const free = await server.post(`${SERVICES}${DRY}`, service('free', { type: 'NodePort' }));
  const { nodePort } = free.json.spec.ports[0];
  const port = { ...made.json.spec.ports[0], nodePort };
  const opened = { ...made.json, spec: { ...made.json.spec, type: 'NodePort', ports: [port] } };
  const dry = await server.put(`${path}${DRY}`, opened);
  t.equal(dry.json?.spec?.ports?.[0]?.nodePort, nodePort, dry.text);
  const other = service('other', { type: 'NodePort', ports: [{ port: 80, nodePort }] });
  t.equal((await server.post(SERVICES, other)).status, 201, 'another can have the port');
  t.equal((await server.put(path, opened)).status, 422, 'so that this one cannot');
  await server.delete(`${SERVICES}/other`);

  const real = await server.put(path, opened);
  t.equal(real.status, 200, real.text);
  const closed = { ...real.json, spec: { ...made.json.spec, type: 'ClusterIP' } };
  t.equal((await server.put(`${path}${DRY}`, closed)).status, 200);
  t.equal((await server.post(SERVICES, other)).status, 422, 'the port is still held');
  t.equal((await server.put(path, closed)).status, 200);
  t.equal((await server.post(SERVICES, other)).status, 201, 'until it is given back');
  for (const name of ['changed', 'other']) await server.delete(`${SERVICES}/${name}`);
});

t.test('a version on create is refused where the object would be stored', async (t) => {
  const path = '/api/v1/namespaces/default/configmaps';
  const metadata = { name: 'names-a-version', resourceVersion: '5' };
  const send = (query: string, change: object = {}) =>
    server.post(`${path}${query}`, { metadata, ...change });
  expectFailure(t, await send(''), { code: 400, reason: 'BadRequest' });
  const dry = await send(DRY);
  t.equal(dry.status, 201, dry.text);
  const refused = await send(DRY, { data: { 'no key': '' } });
  expectFailure(t, refused, { code: 422, reason: 'Invalid' });
});
