/** Deletion: finalizers, preconditions, options. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { wrapProtobuf } from '../../src/codec/protobuf/protobuf-envelope.ts';
import { expectFailure } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { sharedServer } from '../support/shared-server.ts';
import { namesOf, newCollection } from '../support/whole-list.ts';

const server = await sharedServer();
const HOLD = 'example.com/hold';

t.test('an object with finalizers waits for them', async (t) => {
  const path = `${CONFIG_MAPS}/held`;
  const created = await server.post(CONFIG_MAPS, configMap('held', {}, { finalizers: [HOLD] }));
  const from = created.json.metadata.resourceVersion;
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

  const deleted = await server.delete(path);
  t.equal(deleted.status, 200);
  t.equal(deleted.json.kind, 'ConfigMap', 'the answer is the object');
  t.match(deleted.json.metadata.deletionTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  t.equal(deleted.json.metadata.deletionGracePeriodSeconds, 0);
  t.equal((await server.get(path)).text, deleted.text, 'it is still there');
  t.equal((await watch.next())?.type, 'MODIFIED');

  const again = await server.delete(path);
  t.equal(again.text, deleted.text, 'deleting again changes nothing');
  expectFailure(t, await server.post(CONFIG_MAPS, configMap('held')), {
    code: 409,
    reason: 'AlreadyExists',
    message: 'object is being deleted: configmaps "held" already exists',
  });

  const { metadata } = deleted.json;
  const added = await server.put(path, {
    ...deleted.json,
    metadata: { ...metadata, finalizers: [HOLD, 'example.com/more'] },
  });
  expectFailure(t, added, {
    code: 422,
    reason: 'Invalid',
    message:
      'ConfigMap "held" is invalid: metadata.finalizers: Forbidden: no new finalizers can be ' +
      'added if the object is being deleted, found new finalizers []string{"example.com/more"}',
  });

  const revived = await server.put(path, {
    ...deleted.json,
    metadata: { ...metadata, deletionTimestamp: null, labels: { a: 'b' } },
  });
  t.equal(revived.json?.metadata?.deletionTimestamp, metadata.deletionTimestamp, 'no way back');
  t.equal((await watch.next())?.type, 'MODIFIED');

  const released = await server.put(path, {
    ...revived.json,
    metadata: { ...revived.json.metadata, finalizers: [] },
  });
  t.equal(released.status, 200, 'the last finalizer goes');
  t.equal(
    released.json.metadata.resourceVersion,
    revived.json.metadata.resourceVersion,
    'with the version it had',
  );
  t.equal((await server.get(path)).status, 404);
  const last = await watch.next();
  t.equal(last?.type, 'DELETED');
  t.ok(
    Number(last?.object.metadata.resourceVersion) > Number(revived.json.metadata.resourceVersion),
    'the event has the version of the deletion',
  );
  watch.close();
});

t.test('preconditions that do not hold stop the deletion', async (t) => {
  const created = await server.post(CONFIG_MAPS, configMap('guarded'));
  const path = `${CONFIG_MAPS}/guarded`;
  const { uid, resourceVersion } = created.json.metadata;
  const other = '11111111-1111-4111-8111-111111111111';
  expectFailure(t, await server.delete(path, { preconditions: { uid: other } }), {
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on ConfigMap "guarded": ' +
      `the UID in the precondition (${other}) does not match the UID in record (${uid}). ` +
      'The object might have been deleted and then recreated',
  });
  expectFailure(t, await server.delete(path, { preconditions: { resourceVersion: '1' } }), {
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on ConfigMap "guarded": ' +
      'the ResourceVersion in the precondition (1) does not match the ResourceVersion in ' +
      `record (${resourceVersion}). The object might have been modified`,
  });
  const body = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { uid, resourceVersion },
  };
  t.equal((await server.delete(path, body)).status, 200, 'the right ones let it go');
});

t.test('whatever the propagation policy, an object without dependents goes', async (t) => {
  for (const policy of ['Foreground', 'Orphan', 'Background']) {
    const path = `${CONFIG_MAPS}/policy-${policy.toLowerCase()}`;
    await server.post(CONFIG_MAPS, configMap(`policy-${policy.toLowerCase()}`));
    const deleted = await server.delete(`${path}?propagationPolicy=${policy}`);
    t.equal(deleted.status, 200, deleted.text);
    const deadline = Date.now() + PATIENCE_MS;
    while ((await server.get(path)).status !== 404 && Date.now() < deadline) await sleep(10);
    t.equal((await server.get(path)).status, 404, policy);
  }
});

/** DeleteOptions without members, and with what would be refused, in each form. */
const FORMS: readonly [type: string, empty: string | Buffer, refused: string | Buffer][] = [
  ['application/json', '{}', '{"propagationPolicy":""}'],
  ['application/yaml', 'kind: DeleteOptions\n', 'propagationPolicy: ""\n'],
  [
    'application/vnd.cluster.protobuf',
    deleteOptionsBytes(Buffer.alloc(0)),
    deleteOptionsBytes(Buffer.of(0x22, 0)),
  ],
];

function deleteOptionsBytes(raw: Uint8Array): Buffer {
  return Buffer.from(wrapProtobuf({ apiVersion: 'v1', kind: 'DeleteOptions', raw }));
}

t.test('what a body does not say, the query says', async (t) => {
  const path = await newCollection(server, ['a', 'b']);
  for (const target of [`${path}/a`, path]) {
    for (const [type, empty, refused] of FORMS) {
      const what = `${target} with ${type}`;
      const headers = { 'content-type': type };
      const dry = await server.delete(`${target}?dryRun=All`, empty, headers);
      t.equal(dry.status, 200, `${what}: ${dry.text}`);
      for (const [query, body] of [
        ['propagationPolicy=Later', empty],
        ['dryRun=Some', empty],
        ['propagationPolicy=', empty],
        ['dryRun=All', refused],
        ['', refused],
      ] as const) {
        const answer = await server.delete(`${target}?${query}`, body, headers);
        t.equal(answer.status, 422, `${what}, ${query}: ${answer.text}`);
      }
    }
    for (const [query, body] of [
      ['propagationPolicy=Later', { propagationPolicy: 'Orphan' }],
      ['propagationPolicy=Orphan', { orphanDependents: true }],
      ['orphanDependents=true', { propagationPolicy: 'Orphan' }],
    ] as const) {
      const answer = await server.delete(`${target}?${query}`, body);
      t.equal(answer.status, 422, `${target}, ${query}: ${answer.text}`);
    }
    const unreadable = await server.delete(`${target}?gracePeriodSeconds=x`, {});
    t.equal(unreadable.status, 400, unreadable.text);
  }
  t.same(namesOf(await server.get(path)), ['a', 'b'], 'nothing is deleted');
  const held = await server.delete(`${path}/a?propagationPolicy=Orphan`, { dryRun: ['All'] });
  t.same(held.json.metadata.finalizers, ['orphan'], 'the policy of the query');
  const changed = { propagationPolicy: 'Foreground', dryRun: ['All'] };
  const foreground = await server.delete(`${path}/a?propagationPolicy=Orphan`, changed);
  t.same(foreground.json.metadata.finalizers, ['foregroundDeletion'], 'the body wins');
});

t.test('wrong options are refused', async (t) => {
  await server.post(CONFIG_MAPS, configMap('options'));
  const path = `${CONFIG_MAPS}/options`;
  expectFailure(t, await server.delete(`${path}?propagationPolicy=Later`), {
    code: 422,
    reason: 'Invalid',
    message:
      'DeleteOptions.meta.cluster.io "" is invalid: propagationPolicy: Unsupported value: ' +
      '"Later": supported values: "Foreground", "Background", "Orphan", "nil"',
  });
  expectFailure(
    t,
    await server.delete(path, { propagationPolicy: 'Orphan', orphanDependents: true }),
    {
      code: 422,
      reason: 'Invalid',
      message: /orphanDependents and deletionPropagation cannot be both set/,
    },
  );
  expectFailure(t, await server.delete(`${path}?dryRun=Some`), { code: 422, reason: 'Invalid' });
  expectFailure(t, await server.delete(`${path}?gracePeriodSeconds=x`), { code: 400 });
  const notOptions = await server.delete(path, '{"kind":');
  t.ok([400, 500].includes(notOptions.status), 'a body that is no DeleteOptions');
  t.equal((await server.get(path)).status, 200, 'still there');
});
