/** Writes are the same for built-in and custom types. */
import t from 'tap';
import { expectFailure } from '../support/expect-status.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';
import { forEachType } from '../support/type-under-test.ts';
import type { TestObject } from '../support/kinds.ts';

const server = await sharedServer();

await forEachType(t, server, 'create, read, update, delete', async (t, type) => {
  const { kind, apiVersion, hasGeneration } = type.facts;
  const created = await type.create('a');
  t.equal(created.status, 201, created.text.slice(0, 300));
  const start = `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":{"name":"a",`;
  t.ok(itsMembers(created.text).startsWith(start) || type.facts.isCustom, created.text);
  t.equal(created.json.metadata.generation, hasGeneration ? 1 : undefined);
  t.equal((await type.get('a')).text, created.text);
  const again = await type.create('a');
  const exists = `${type.resource} "a" already exists`;
  expectFailure(t, again, { code: 409, reason: 'AlreadyExists', message: exists });

  const { json } = created;
  const same = await server.put(type.at('a'), json);
  t.equal(same.text, created.text, 'nothing is written where nothing changes');
  const changed = await server.put(type.at('a'), {
    ...type.object('a', 'two'),
    metadata: json.metadata,
  });
  t.equal(type.textOf(changed.json), 'two', changed.text);
  t.equal(changed.json.metadata.generation, hasGeneration ? 2 : undefined);
  t.equal(changed.json.metadata.uid, json.metadata.uid);
  const stale = await server.put(type.at('a'), json);
  expectFailure(t, stale, { code: 409, reason: 'Conflict' });
  const unsaid = await server.put(type.at('a'), type.object('a', 'three'));
  t.equal(unsaid.status, type.facts.unconditional ? 200 : 422, unsaid.text.slice(0, 300));
  const missing = { ...json, metadata: { ...json.metadata, name: 'b', uid: '' } };
  expectFailure(t, await server.put(type.at('b'), missing), { code: 404, reason: 'NotFound' });

  const wrong = await server.delete(type.at('a'), { preconditions: { uid: 'other' } });
  expectFailure(t, wrong, { code: 409, reason: 'Conflict' });
  const deleted = await server.delete(type.at('a'));
  t.match(deleted.json, { kind: 'Status', status: 'Success' });
  expectFailure(t, await type.get('a'), { code: 404, message: `${type.resource} "a" not found` });
});

/** Custom objects name their type first too. */
function itsMembers(text: string): string {
  return text.replace(/^\{("apiVersion":"[^"]+"),("kind":"[^"]+"),/, '{$2,$1,');
}

await forEachType(t, server, 'names and namespaces', async (t, type) => {
  const made = await server.post(type.path, {
    ...type.object('x'),
    metadata: { generateName: 'made-' },
  });
  t.match(made.json.metadata.name, /^made-[a-z0-9]{5}$/, made.text);
  await server.delete(type.at(made.json.metadata.name));
  const bad = await type.create('Bad_Name');
  expectFailure(t, bad, { code: 422, reason: 'Invalid', message: /metadata\.name: Invalid value/ });
  const nameless = await server.post(type.path, { ...type.object('x'), metadata: {} });
  t.match(nameless.json.details.causes[0].field, 'metadata.name');
  if (!type.facts.namespaced) return;
  const missing = type.path.replace(type.namespace, 'nowhere');
  const { metadata, ...members } = type.object('a');
  const lost = await server.post(missing, { ...members, metadata: { name: metadata.name } });
  expectFailure(t, lost, { code: 404, message: 'namespaces "nowhere" not found' });
  const other = await type.create('a', 'one', { namespace: 'default' });
  expectFailure(t, other, { code: 400, message: /^the namespace of the provided object does not/ });
});

await forEachType(t, server, 'dry run', async (t, type) => {
  const before = async () => (await server.get(type.path)).text;
  const without = await before();
  const dry = '?dryRun=All';
  const made = await server.post(type.path + dry, type.object('a'));
  t.equal(made.status, 201, made.text);
  t.equal(await before(), without);
  await type.create('a');
  const stored = await before();
  t.equal(type.textOf((await type.patch('a', 'merge', type.part('two'), dry)).json), 'two');
  t.equal((await server.delete(type.at('a') + dry)).status, 200);
  t.equal((await server.delete(`${type.path}${dry}&labelSelector=${type.selector}`)).status, 200);
  t.equal(await before(), stored, 'the version of the list too');
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'patches', async (t, type) => {
  await type.create('a');
  const merged = await type.patch('a', 'merge', type.part('two'));
  t.equal(type.textOf(merged.json), 'two', merged.text);
  const removed = await type.patch('a', 'merge', type.part(null));
  t.equal(type.textOf(removed.json), undefined);
  const path = `/${type.facts.textAt.join('/')}`;
  await type.patch('a', 'merge', type.part('again'));
  const json = await type.patch('a', 'json', [{ op: 'replace', path, value: 'three' }]);
  t.equal(type.textOf(json.json), 'three', json.text);
  const failed = await type.patch('a', 'json', [{ op: 'test', path, value: 'other' }]);
  t.equal(failed.status, 422);
  const strategic = await type.patch('a', 'strategic', type.part('four'));
  t.equal(strategic.status, type.facts.isCustom ? 415 : 200, strategic.text);
  const version = { metadata: { resourceVersion: '1' } };
  expectFailure(t, await type.patch('a', 'merge', version), { code: 409, reason: 'Conflict' });
  const renamed = await type.patch('a', 'merge', { metadata: { name: 'b' } });
  expectFailure(t, renamed, { code: 400, message: /^the name of the object \(b\) does not match/ });
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'apply', async (t, type) => {
  const { apiVersion, kind, textAt } = type.facts;
  const apply = (manager: string, object: TestObject, more = '') =>
    type.patch('a', 'apply', object, `?fieldManager=${manager}${more}`);
  const created = await apply('one', type.object('a'));
  t.equal(created.status, 201, created.text);
  const [entry] = created.json.metadata.managedFields;
  t.match(entry, { manager: 'one', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1' });
  t.equal((await apply('one', type.object('a'))).text, created.text, 'again it changes nothing');

  const part = { apiVersion, kind, metadata: { name: 'a' }, ...type.part('two') };
  const refused = await apply('two', part);
  const message = `Apply failed with 1 conflict: conflict with "one": .${textAt.join('.')}`;
  expectFailure(t, refused, { code: 409, reason: 'Conflict', message });
  const forced = await apply('two', part, '&force=true');
  t.equal(type.textOf(forced.json), 'two', forced.text);
  const updated = await type.patch('a', 'merge', type.part('three'), '?fieldManager=three');
  const last = `f:${textAt.at(-1)}`;
  const owners = updated.json.metadata.managedFields.filter(({ fieldsV1 }: TestObject) =>
    JSON.stringify(fieldsV1).includes(last),
  );
  t.match(owners, [{ manager: 'three', operation: 'Update' }]);
  t.equal(owners.length, 1, 'who wrote last');
  const nameless = { ...part, metadata: { name: 'other' } };
  expectFailure(t, await apply('two', nameless, '&force=true'), { code: 400 });
  const { json } = await apply('one', { apiVersion, kind, metadata: { name: 'a' } }, '&force=true');
  t.ok(json.kind === 'Status' || json.metadata.labels === undefined, 'what is left out goes');
  await server.delete(type.at('a'));
});

await forEachType(t, server, 'finalizers', async (t, type) => {
  await type.create('a', 'one', { finalizers: ['example.com/first'] });
  const deleted = await server.delete(type.at('a'));
  t.ok(deleted.json.metadata.deletionTimestamp, deleted.text);
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 0);
  if (type.facts.hasGeneration) t.equal(deleted.json.metadata.generation, 2);
  const exists = await type.create('a');
  expectFailure(t, exists, { code: 409, message: /^object is being deleted: / });
  const finalizers = ['example.com/first', 'example.com/second'];
  const more = await type.patch('a', 'merge', { metadata: { finalizers } });
  expectFailure(t, more, { code: 422, message: /no new finalizers can be added/ });
  const watch = await type.watch(`resourceVersion=${deleted.json.metadata.resourceVersion}`);
  const released = await type.patch('a', 'merge', { metadata: { finalizers: null } });
  t.equal(released.status, 200);
  const [event] = await watch.take(1);
  t.equal(event?.type, 'DELETED');
  watch.close();
  t.equal((await type.get('a')).status, 404);
});

await forEachType(t, server, 'owners', async (t, type) => {
  const { apiVersion, kind } = type.facts;
  const owner = await type.create('owner');
  const { uid } = owner.json.metadata;
  const ownerReferences = [{ apiVersion, kind, name: 'owner', uid, blockOwnerDeletion: true }];
  await type.create('owned', 'one', { ownerReferences });
  await type.create('left', 'one', { ownerReferences });
  await type.patch('left', 'merge', { metadata: { ownerReferences: null } });
  await server.delete(type.at('owner'), { propagationPolicy: 'Foreground' });
  await until(async () => (await type.get('owner')).status === 404);
  t.equal((await type.get('owned')).status, 404, 'first what it owns');
  t.equal((await type.get('left')).status, 200);
  await server.delete(type.at('left'));
});

await forEachType(t, server, 'status and scale', async (t, type) => {
  const { hasParts } = type.facts;
  const created = await server.post(type.path, {
    ...type.object('a'),
    status: { replicas: 7 },
  });
  t.equal(created.json.status?.replicas, type.facts.kind === 'Service' ? 7 : undefined);
  const status = await type.patch('a/status', 'merge', { status: { replicas: 3 } });
  const scale = await server.get(type.at('a', 'scale'));
  if (hasParts) {
    t.equal(status.json.status.replicas, 3, status.text);
    t.equal(status.json.metadata.generation, 1);
    const kept = await type.patch('a/status', 'merge', { ...type.part('no'), status: {} });
    t.equal(type.textOf(kept.json), 'one', 'the status alone');
    const ignored = await type.patch('a', 'merge', { status: { replicas: 4 } });
    t.equal(ignored.json.status.replicas, 3, 'all but the status');
    t.match(scale.json, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'a' },
      spec: { replicas: 1 },
      status: { replicas: 3 },
    });
    const scaled = await type.patch('a/scale', 'merge', { spec: { replicas: 5 } });
    t.equal(scaled.json.spec.replicas, 5, scaled.text);
    const { json } = await type.get('a');
    t.same([json.spec.replicas, json.metadata.generation], [5, 2]);
    const negative = await type.patch('a/scale', 'merge', { spec: { replicas: -1 } });
    expectFailure(t, negative, { code: 422 });
  } else {
    t.same([status.status, scale.status], [404, 404], 'neither is there');
  }
  await server.delete(type.at('a'));
});
